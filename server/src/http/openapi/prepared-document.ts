import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Answer } from '../../listen/exchange.ts';
import { acceptedCodings, type Coding, isNoneMatchMet } from '../request/content-negotiation.ts';
import type { RequestContext } from '../request/request-context.ts';

/** Quality 11 takes a second for the OpenAPI document and saves another tenth. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

interface Variant {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly tag: string;
}
type Variants = Readonly<Record<Coding, Variant>>;

/** A document that is the same for all clients. The first request renders, compresses and tags it. */
export class PreparedDocument {
  readonly #make: () => string | Promise<string>;
  readonly #headers: Readonly<Record<string, string>>;
  #variants: Promise<Variants> | undefined;

  constructor(make: () => string | Promise<string>, headers: Readonly<Record<string, string>>) {
    this.#make = make;
    this.#headers = headers;
  }

  async answer(context: RequestContext): Promise<Answer> {
    this.#variants ??= this.#prepare().catch((error: unknown) => {
      this.#variants = undefined;
      throw error;
    });
    const variants = await this.#variants;
    const accepted = acceptedCodings(context.header('accept-encoding'));
    const ifNoneMatch = context.header('if-none-match');
    const held =
      ifNoneMatch === null
        ? undefined
        : accepted.find((one) => isNoneMatchMet(ifNoneMatch, variants[one].tag));
    const coding = held ?? (accepted[0] as Coding);
    const { bytes, tag } = variants[coding];
    const headers: Record<string, string> = { ...this.#headers, ETag: tag, Vary: 'Accept-Encoding' };
    if (held !== undefined) {
      delete headers['Content-Type'];
      return context.respond(304, null, headers);
    }
    if (coding !== 'identity') headers['Content-Encoding'] = coding;
    return context.respond(200, bytes, headers);
  }

  /** Compression runs outside the event loop. */
  async #prepare(): Promise<Variants> {
    const plain = Buffer.from(await this.#make());
    const [br, zipped] = await Promise.all([
      promisify(brotliCompress)(plain, BROTLI),
      promisify(gzip)(plain, { level: 9 }),
    ]);
    return { identity: variantOf(plain), br: variantOf(br), gzip: variantOf(zipped) };
  }
}

/** A strong tag names bytes (RFC 9110 section 8.8.1), so each coding has its own. */
function variantOf(buffer: Buffer): Variant {
  const bytes = new Uint8Array(buffer);
  return { bytes, tag: `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"` };
}
