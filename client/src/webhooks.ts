import type { WebhookEventData } from './api/schemas.ts';
import { invalidArgument, PetstoreError } from './errors.ts';
import { parseExact } from './exact-json.ts';

const TOLERANCE_SECONDS = 300;

type EventType = keyof WebhookEventData;

/** A movement with an alert, or without. */
export type InventoryEventType = Extract<EventType, `inventory.${string}`>;
export type OrderEventType = Extract<EventType, `order.${string}`>;
export type AccountEventType = Exclude<EventType, InventoryEventType | OrderEventType>;

interface EventOf<Type extends EventType> {
  /** The id of the event, equal in each attempt and each replay: ignore an event whose id you have processed. */
  readonly id: string;
  readonly type: Type;
  /** When the event was recorded. */
  readonly timestamp: string;
  readonly data: WebhookEventData[Type];
}

/** A message of a webhook endpoint. A later release of the service may have more types: ignore unknown ones. */
export type WebhookEvent = { readonly [Type in EventType]: EventOf<Type> }[EventType];

/** A message as your server received it. */
export interface WebhookMessage {
  /** The body as it was sent: its bytes, or its text before anything parsed it. */
  readonly body: Uint8Array | ArrayBuffer | string;
  /** The headers: those of `fetch`, or of `node:http`. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The secret of the endpoint, `whsec_…`; while you replace it, both. */
  readonly secret: string | readonly string[];
  /** How old or new a message may be; 300 seconds by default. */
  readonly toleranceSeconds?: number;
  /** The time in milliseconds, for tests. */
  readonly nowMs?: number;
}

/**
 * Checks the signature of a webhook message (Standard Webhooks) and returns its event, with exact petIds.
 * @throws PetstoreError with `invalid_signature`: answer 401, and process nothing.
 */
export async function verifyWebhook(message: WebhookMessage): Promise<WebhookEvent> {
  const { headers, secret, toleranceSeconds = TOLERANCE_SECONDS, nowMs = Date.now() } = message;
  const body = bytesOf(message.body);
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  ) as [string, string, string];
  if (!/^\d{1,15}$/.test(timestamp)) throw refused('it has no webhook-timestamp');
  // Nothing is in time by a tolerance that is not a number.
  if (!(Math.abs(nowMs / 1_000 - Number(timestamp)) <= toleranceSeconds))
    throw refused('it is too old, or of the future');
  const signed = new TextEncoder().encode(`${id}.${timestamp}.`);
  const content = new Uint8Array(signed.length + body.length);
  content.set(signed);
  content.set(body, signed.length);
  const given = signatures.split(' ').filter((signature) => signature.startsWith('v1,'));
  for (const one of [secret].flat()) {
    const key = await crypto.subtle.importKey(
      'raw',
      secretBytes(one),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['verify'],
    );
    // At most two secrets sign a message; more signatures only cost time.
    for (const signature of given.slice(0, 10)) {
      const bytes = base64(signature.slice(3));
      if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, content))) return eventOf(body);
    }
  }
  throw refused('no signature is one of the secret');
}

function eventOf(body: Uint8Array): WebhookEvent {
  try {
    return parseExact(new TextDecoder().decode(body)) as WebhookEvent;
  } catch (cause) {
    throw new PetstoreError('The webhook message is not JSON.', { code: 'invalid_response', cause });
  }
}

function bytesOf(body: WebhookMessage['body']): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return new Uint8Array(body);
  throw invalidArgument('body must be the bytes or text that arrived, before anything parses it.');
}

function headerOf(headers: WebhookMessage['headers'], name: string): string {
  // Not all Headers are those of this runtime: packages such as undici have their own.
  if (typeof headers.get === 'function') return (headers as Headers).get(name) ?? '';
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return String(value ?? '');
}

function secretBytes(secret: unknown): Uint8Array<ArrayBuffer> {
  // A variable that is not set is no text.
  const bytes = typeof secret === 'string' ? base64(secret.replace(/^whsec_/, '')) : undefined;
  if (bytes && bytes.length > 0) return bytes;
  throw invalidArgument('secret must be the secret of a webhook endpoint, whsec_….');
}

function base64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function refused(why: string): PetstoreError {
  return new PetstoreError(`The webhook message is not to be trusted: ${why}.`, {
    code: 'invalid_signature',
  });
}
