import { ApiError } from './api-error.ts';
import { parseExact, writeExact } from './exact-json.ts';
import { sendFile } from './send-file.ts';
import { learnTime } from './service-clock.ts';

export const API_BASE = '/admin/v1';

export interface RequestOptions {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  /** A body that is sent as it is, such as a file, with its media type. */
  readonly raw?: { readonly body: Blob; readonly type: string; readonly onSent?: (bytes: number) => void };
  readonly ifMatch?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Answer<T> {
  readonly value: T;
  readonly status: number;
  readonly headers: Headers;
}

/** Called when the session is missing or over. It resolves with whether the same person has signed in again. */
let onSignedOut: () => Promise<boolean> = async () => false;

export function handleSignedOut(handler: () => Promise<boolean>): void {
  onSignedOut = handler;
}

/** Earlier requests than `Retry-After` allows would be strikes, so all requests wait for it. */
let heldUntilMs = 0;

/** Sends a request and returns its JSON. @throws ApiError */
export async function api<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
  return (await send<T>(method, path, options)).value;
}

/** Like `api`, with status and headers. @throws ApiError */
export async function send<T>(
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Answer<T>> {
  const response = await open(method, path, options);
  const text = await response.text().catch(() => {
    throw unreachable();
  });
  const value = (text === '' ? undefined : parseExact(text)) as T;
  return { value, status: response.status, headers: response.headers };
}

/** Sends a request and returns the response with its body unread, for streams and files. @throws ApiError */
export async function open(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
  await waitUntil(heldUntilMs, options.signal);
  const url = `${API_BASE}${path}${queryOf(options.query)}`;
  const request = {
    method,
    headers: headersOf(options),
    body: options.raw?.body ?? (options.body === undefined ? null : writeExact(options.body)),
    signal: options.signal ?? null,
    credentials: 'same-origin',
  } as const;
  const { onSent } = options.raw ?? {};
  const sentAtMs = Date.now();
  const sending = onSent ? sendFile(url, request, onSent) : fetch(url, request);
  const response = await sending.catch((error: unknown) => {
    if (options.signal?.aborted) throw error;
    throw unreachable();
  });
  learnTime(response.headers, sentAtMs);
  if (response.ok) return response;
  if (response.status === 401 && path !== '/session') {
    const isBack = onSignedOut();
    // A change is not lost with the session. What only reads is read again by its page.
    if (method !== 'GET' && (await unlessAborted(isBack, options.signal))) return open(method, path, options);
  }
  throw await errorOf(response);
}

function headersOf({ body, raw, ifMatch, idempotencyKey }: RequestOptions): Record<string, string> {
  return {
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(raw && { 'Content-Type': raw.type }),
    ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
    ...(idempotencyKey !== undefined && { 'Idempotency-Key': `"${idempotencyKey}"` }),
  };
}

function queryOf(query: RequestOptions['query'] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, String(value));
  }
  return parameters.size === 0 ? '' : `?${parameters}`;
}

async function errorOf(response: Response): Promise<ApiError> {
  const { status, headers } = response;
  const body = await response.json().catch(() => ({}));
  const { code = 'internal_error', message = response.statusText } = body as {
    code?: string;
    message?: string;
  };
  const seconds = Number(headers.get('Retry-After'));
  if (status === 429 && seconds > 0) heldUntilMs = Math.max(heldUntilMs, Date.now() + seconds * 1_000);
  return new ApiError(code, message, status, headers);
}

function unreachable(): ApiError {
  return new ApiError('offline', 'The service cannot be reached.', 0);
}

/** Resolves at this moment; rejects when the signal aborts. */
async function waitUntil(moment: number, signal: AbortSignal | undefined): Promise<void> {
  const delay = moment - Date.now();
  if (delay <= 0) return;
  const reached = Promise.withResolvers<void>();
  const timer = setTimeout(reached.resolve, delay);
  await unlessAborted(reached.promise, signal).finally(() => clearTimeout(timer));
}

/** Rejects when the signal aborts first. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort);
  return Promise.race([work, aborted.promise]).finally(() => signal.removeEventListener('abort', onAbort));
}

/** A new key for `Idempotency-Key`: the same change sent again has the same key. */
export function newIdempotencyKey(): string {
  // Not randomUUID, which is missing where the page has no TLS.
  return crypto.getRandomValues(new Uint8Array(16)).toHex();
}
