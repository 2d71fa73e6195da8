import type { SecretBox } from './secret-box.ts';

/** Opens each secret once: the leases of a thousand endpoints are renewed every few seconds. */
export class OpenedSecrets implements Pick<SecretBox, 'open'> {
  readonly #box: SecretBox;
  /** By the id of the endpoint and the sealed bytes. */
  #opened = new Map<string, string>();
  #before: ReadonlyMap<string, string> = new Map();

  constructor(box: SecretBox) {
    this.#box = box;
  }

  /** Forgets the secrets that were not used since the last call. */
  forgetUnused(): void {
    this.#before = this.#opened;
    this.#opened = new Map();
  }

  open(endpointId: string, sealed: Uint8Array): string {
    const key = `${endpointId} ${Buffer.from(sealed).toString('latin1')}`;
    const secret = this.#before.get(key) ?? this.#box.open(endpointId, sealed);
    this.#opened.set(key, secret);
    return secret;
  }
}
