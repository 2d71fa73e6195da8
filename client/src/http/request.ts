import { invalidArgument } from '../errors.ts';
import { writeExact } from '../exact-json.ts';
import type { ConditionalWriteOptions } from '../options.ts';
import { petIdText, wholeNumberText } from '../pet-id.ts';

/** What a method of the client passes on. */
export interface RequestParts {
  /** The values for the path, in its order. */
  readonly path?: readonly unknown[] | undefined;
  readonly query?: object | undefined;
  readonly body?: object | undefined;
  readonly options?: ConditionalWriteOptions | undefined;
  /** Whether the operation takes an `Idempotency-Key`. */
  readonly isKeyed?: boolean;
  /** Whether the response must be a list. */
  readonly isList?: boolean;
  /** Whether the operation has a limit of its own. */
  readonly isCostly?: boolean;
  /** The members of the response that are bigints; by default petIds. */
  readonly exact?: RegExp;
}

/** A request that can be sent any number of times. */
export interface PreparedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly idempotencyKey: string | undefined;
  /** Whether it may be sent again when it is unknown whether it was executed. */
  readonly isRepeatable: boolean;
  /** Whether it takes nothing from the limits, so that it need not wait for them. */
  readonly isFree: boolean;
}

/** The only operation that takes nothing from the limits. */
export const FREE_PATH = '/rate-limit';

/** Checks all arguments and writes the request. @throws PetstoreError */
export function prepareRequest(
  baseUrl: string,
  method: string,
  path: string,
  { path: values = [], query, body, options = {}, isKeyed = false }: RequestParts,
): PreparedRequest {
  const idempotencyKey = isKeyed ? (options.idempotencyKey ?? newIdempotencyKey()) : undefined;
  let next = 0;
  const filled = path.replace(/\{(\w+)\}/g, (_match, name: string) => pathText(name, values[next++]));
  return {
    method,
    url: `${baseUrl}${filled}${queryText(query)}`,
    headers: {
      ...(body && { 'Content-Type': 'application/json' }),
      ...(idempotencyKey !== undefined && {
        'Idempotency-Key': headerText('idempotencyKey', idempotencyKey),
      }),
      ...(options.ifMatch !== undefined && { 'If-Match': headerText('ifMatch', options.ifMatch) }),
      ...(options.ifNoneMatch !== undefined && {
        'If-None-Match': headerText('ifNoneMatch', options.ifNoneMatch),
      }),
    },
    body: body ? writeExact(body) : null,
    idempotencyKey,
    isRepeatable: isKeyed || method === 'GET',
    isFree: path === FREE_PATH,
  };
}

function pathText(name: string, value: unknown): string {
  if (name === 'petId') return petIdText(value);
  if (name === 'sequence' || name === 'orderId') return wholeNumberText(value, name);
  // An empty text or dots would be the address of another operation.
  if (typeof value === 'string' && /^\w+$/.test(value)) return value;
  throw invalidArgument(`${name} must be an id of letters and digits.`);
}

function queryText(query: object = {}): string {
  if (query instanceof URLSearchParams) return `?${query}`;
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  const texts = pairs.map(
    ([name, value]) => `${encodedText(name, name)}=${encodedText(name, parameterText(name, value))}`,
  );
  return texts.length > 0 ? `?${texts.join('&')}` : '';
}

function parameterText(name: string, value: unknown): string {
  if (name === 'petId') return [value].flat().map(petIdText).join(',');
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw invalidArgument(`${name} must be a valid Date.`);
    return value.toISOString();
  }
  return String(value);
}

/** Encodes a part of a query. Half of a character cannot be sent. */
function encodedText(name: string, text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    throw invalidArgument(`${name} must be well-formed text.`);
  }
}

/** The text of a header. Others would be refused by `fetch`, with a message about bytes. */
export function headerText(name: string, text: string): string {
  if (/^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/.test(text)) return text;
  throw invalidArgument(`${name} must be visible ASCII characters.`);
}

/** `crypto.randomUUID` is missing in pages that are not served by HTTPS. */
function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
