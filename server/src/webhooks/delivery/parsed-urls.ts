import type { Network } from './addresses.ts';
import { type EndpointUrl, parseEndpointUrl } from './endpoint-url.ts';

const MAX_KEPT = 1_024;
/** A character of a longer URL takes up to nine bytes once it is parsed, and the sending thread has little memory. */
const MAX_KEPT_LENGTH = 256;

/** Reads the URLs of endpoints, which attempts need again and again. */
export class ParsedUrls {
  readonly #networks: readonly Network[];
  readonly #kept = new Map<string, EndpointUrl | string>();

  constructor(networks: readonly Network[]) {
    this.#networks = networks;
  }

  /** As `parseEndpointUrl`. */
  read(text: string): EndpointUrl | string {
    const known = this.#kept.get(text);
    if (known !== undefined) return known;
    const url = parseEndpointUrl(text, this.#networks);
    if (text.length > MAX_KEPT_LENGTH) return url;
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
    this.#kept.set(text, url);
    return url;
  }
}
