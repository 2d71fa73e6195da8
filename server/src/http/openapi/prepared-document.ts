import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Answer } from '../../listen/exchange.ts';
import type { RequestContext } from '../request/request-context.ts';
import { answerVariants, type Variants, variantOf } from '../request/variants.ts';

/** Quality 11 takes a second for the OpenAPI document and saves another tenth. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** A document that is the same for all clients. The first request renders, compresses and tags it. */
export class PreparedDocument {
  readonly #make: () => string;
  readonly #headers: Readonly<Record<string, string>>;
  #variants: Promise<Variants> | undefined;

  constructor(make: () => string, headers: Readonly<Record<string, string>>) {
    this.#make = make;
    this.#headers = headers;
  }

  async answer(context: RequestContext): Promise<Answer> {
    this.#variants ??= this.#prepare().catch((error: unknown) => {
      this.#variants = undefined;
      throw error;
    });
    return answerVariants(context, await this.#variants, this.#headers);
  }

  /** Compression runs outside the event loop. */
  async #prepare(): Promise<Variants> {
    const plain = Buffer.from(this.#make());
    const [br, zipped] = await Promise.all([
      promisify(brotliCompress)(plain, BROTLI),
      promisify(gzip)(plain, { level: 9 }),
    ]);
    return { identity: variantOf(plain), br: variantOf(br), gzip: variantOf(zipped) };
  }
}
