import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { OperatorError } from '../../domain/errors.ts';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SECRET_BYTES = 32;

/**
 * Makes signing secrets, and seals them for the database: nonce, ciphertext and tag of AES-256-GCM (NIST SP 800-38D). The
 * key is derived from the pepper (HKDF, RFC 5869), so that a copy of the database alone does not sign. The id of the
 * endpoint is authenticated too: a sealed secret is of no use in another row.
 */
export class SecretBox {
  readonly #pepper: () => Uint8Array;
  #derived: Uint8Array | undefined;

  /** @param pepper Called at the first use; it throws where the pepper is missing or another one. */
  constructor(pepper: () => Uint8Array) {
    this.#pepper = pepper;
  }

  /** A new secret as `whsec_` and base64 (Standard Webhooks 1.0), and sealed. */
  create(endpointId: string): { readonly secret: string; readonly sealed: Uint8Array } {
    const bytes = randomBytes(SECRET_BYTES);
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key(), nonce).setAAD(Buffer.from(endpointId));
    const sealed = Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    return { secret: secretText(bytes), sealed };
  }

  /** @throws OperatorError when the secret was sealed under another pepper, for another endpoint, or is damaged. */
  open(endpointId: string, sealed: Uint8Array): string {
    const tagAt = sealed.length - TAG_BYTES;
    const key = this.#key();
    try {
      const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(endpointId))
        .setAuthTag(sealed.subarray(tagAt));
      return secretText(
        Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, tagAt)), decipher.final()]),
      );
    } catch (error) {
      throw new OperatorError(
        `The secret of webhook endpoint ${endpointId} was not sealed under the pepper of this database; restore the right pepper, or rotate the secret without an overlap.`,
        { cause: error },
      );
    }
  }

  #key(): Uint8Array {
    this.#derived ??= new Uint8Array(
      hkdfSync('sha256', this.#pepper(), '', 'petstore webhook secrets', KEY_BYTES),
    );
    return this.#derived;
  }
}

function secretText(bytes: Buffer): string {
  return `whsec_${bytes.toString('base64')}`;
}

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
