import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

/** The bytes of a signing secret, which is `whsec_` and base64 (Standard Webhooks 1.0). */
export function signingKey(secret: string): Uint8Array {
  return Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');
}

/**
 * The value of the header `webhook-signature` (Standard Webhooks 1.0): one signature per key.
 * @param timestamp Seconds since 1970.
 */
export function signatureHeader(
  keys: readonly Uint8Array[],
  id: string,
  timestamp: number,
  body: string,
): string {
  const signed = `${id}.${timestamp}.${body}`;
  return keys.map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`).join(' ');
}
