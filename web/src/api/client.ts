import { ApiError } from './api-error.ts';
import { parseExact, writeExact } from './exact-json.ts';
import { learnTime } from './service-clock.ts';
import { TimeLimit } from './time-limit.ts';

export const API_BASE = '/admin/v1';

type SentFile = RequestInit & { readonly headers: Record<string, string> };
/** Sends a file, and calls `onProgress` when a part of it is sent. `fetch` reports nothing. */
type SendFile = (url: string, request: SentFile, onProgress: () => void) => Promise<Response>;

export interface RequestOptions {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  /** A body that is sent as it is, such as a file, with its media type. */
  readonly raw?: { readonly body: Blob; readonly type: string; readonly send?: SendFile };
  readonly ifMatch?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The longest time without an answer, in milliseconds; for work that takes longer than other requests. */
  readonly limitMs?: number | undefined;
}

/** Longer than the service waits for a database that another program has locked. */
const ANSWER_MS = 30_000;
/** A part of a body takes at most so long; one that takes minutes has a space every 10 seconds. */
const PROGRESS_MS = 60_000;
/** A request that takes longer is a reason to look whether the service can be reached. */
const SLOW_MS = 2_500;
/** The longest look whether the service can be reached, which normally takes milliseconds. With `SLOW_MS` it stays below 5 s. */
const PROBE_MS = 2_000;
/** For requests that wait for minutes until work is done. */
export const LONG_WORK_MS = 1_800_000;

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

/** Called when a request failed or is slow, which may mean that the connection is lost. */
let onDoubt: () => void = () => {};

export function handleDoubt(handler: () => void): void {
  onDoubt = handler;
}

/** Called when the service has done what a request asked for. */
let onAnswer: () => void = () => {};

export function handleAnswer(handler: () => void): void {
  onAnswer = handler;
}

/** The requests that wait for an answer, except those that take long by nature. */
const waiting = new Set<TimeLimit>();

/** Ends all requests that wait, with the error `offline`: the service was found not to answer. */
export function endRequests(): void {
  for (const limit of waiting) limit.end();
}

/** Whether the service answers anything now. It may refuse. */
export async function isReached(): Promise<boolean> {
  const limit = new TimeLimit(PROBE_MS).start();
  try {
    const response = await fetch(`${API_BASE}/session`, { cache: 'no-store', signal: limit.signal });
    return !isOfGateway(response) && !isPage(response);
  } catch {
    return false;
  } finally {
    limit.clear();
  }
}

/** Earlier requests than `Retry-After` allows would be strikes, so all requests wait for it. */
let heldUntilMs = 0;

/** Called when requests begin to wait for that moment. */
let onHold: (untilMs: number) => void = () => {};

export function handleHold(handler: (untilMs: number) => void): void {
  onHold = handler;
}

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
  const reading = new TimeLimit(PROGRESS_MS);
  const response = await request(method, path, options, reading);
  const text = await textOf(response, reading, options);
  const value = (text === '' ? undefined : parsed(text)) as T;
  return { value, status: response.status, headers: response.headers };
}

function parsed(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    throw unanswered();
  }
}

async function textOf(
  response: Response,
  limit: TimeLimit,
  { signal, limitMs }: RequestOptions,
): Promise<string> {
  limit.start();
  if (!isLong(limitMs)) waiting.add(limit);
  const progress = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(part, controller) {
      limit.start();
      controller.enqueue(part);
    },
  });
  try {
    return await new Response(response.body?.pipeThrough(progress)).text();
  } catch (error) {
    throw failureOf(error, signal);
  } finally {
    limit.clear();
    waiting.delete(limit);
  }
}

const isLong = (limitMs = ANSWER_MS): boolean => limitMs > ANSWER_MS;

/** Sends a request and returns the response with its body unread, for streams and files. @throws ApiError */
export const open = (method: string, path: string, options: RequestOptions = {}): Promise<Response> =>
  request(method, path, options);

/** @param reading Can abort the body. */
async function request(
  method: string,
  path: string,
  options: RequestOptions,
  reading?: TimeLimit,
): Promise<Response> {
  // Again, because the answer to an earlier request may say a later moment meanwhile.
  while (heldUntilMs > Date.now()) await waitUntil(heldUntilMs, options.signal);
  const response = await sendOnce(method, path, options, reading);
  if (response.ok) {
    if (isPage(response)) throw unanswered();
    onAnswer();
    return response;
  }
  if (response.status === 401 && path !== '/session') {
    const isBack = onSignedOut();
    // A change is not lost with the session. What only reads is read again by its page.
    if (method !== 'GET' && (await unlessAborted(isBack, options.signal)))
      return request(method, path, options, reading);
  }
  throw await errorOf(response, `${method} ${path}`);
}

async function sendOnce(
  method: string,
  path: string,
  options: RequestOptions,
  reading: TimeLimit | undefined,
): Promise<Response> {
  const { raw, signal, limitMs = ANSWER_MS } = options;
  const url = `${API_BASE}${path}${queryOf(options.query)}`;
  const limit = new TimeLimit(raw ? PROGRESS_MS : limitMs).start();
  const takesLong = raw !== undefined || isLong(limitMs);
  const slow = takesLong ? undefined : setTimeout(() => onDoubt(), SLOW_MS);
  if (!takesLong) waiting.add(limit);
  const signals = [limit.signal, reading?.signal, signal].filter((each) => each !== undefined);
  const body = raw?.body ?? (options.body === undefined ? null : writeExact(options.body));
  const init = {
    method,
    headers: headersOf(options),
    body,
    signal: AbortSignal.any(signals),
    credentials: 'same-origin',
  } as const;
  const sentAtMs = Date.now();
  try {
    const response = await (raw?.send ? raw.send(url, init, () => limit.start()) : fetch(url, init));
    learnTime(response.headers, sentAtMs);
    return response;
  } catch (error) {
    throw failureOf(error, signal);
  } finally {
    limit.clear();
    clearTimeout(slow);
    waiting.delete(limit);
  }
}

/** The error of a request without a whole answer: the reason of the page that gave it up, or `offline`. */
function failureOf(error: unknown, signal: AbortSignal | undefined): unknown {
  return signal?.aborted ? error : unanswered();
}

/** Whether something before the service responded, such as a sign-in of a proxy or of a network: no result of the API is a page. */
const isPage = ({ ok, headers }: Response): boolean =>
  ok && headers.get('Content-Type')?.startsWith('text/html') === true;

/**
 * A proxy responds so in place of the service, which may have made the change. HAProxy as shipped has a code in it. The
 * service itself sends 503 too, and has this header in all of its responses.
 */
const isOfGateway = ({ status, headers }: Response): boolean =>
  status === 502 || status === 504 || (status === 503 && !headers.has('Petstore-Version'));

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
  // A list of ids is a third longer with commas that are encoded, which no query needs.
  return parameters.size === 0 ? '' : `?${String(parameters).replaceAll('%2C', ',')}`;
}

async function errorOf(response: Response, sent: string): Promise<ApiError> {
  const { status, headers } = response;
  const body = await response.json().catch(() => ({}));
  const { code, message = response.statusText } = body as { code?: string; message?: string };
  if (isOfGateway(response) || (code === undefined && status >= 500)) return unanswered();
  const seconds = Number(headers.get('Retry-After'));
  if (status === 429 && seconds > 0) {
    heldUntilMs = Math.max(heldUntilMs, Date.now() + seconds * 1_000);
    onHold(heldUntilMs);
  }
  return new ApiError(code ?? 'internal_error', message, status, headers, sent);
}

/** The error of a request that the service did not answer. */
function unanswered(): ApiError {
  onDoubt();
  return new ApiError('offline', 'The service cannot be reached.', 0);
}

/** Resolves at this moment; rejects when the signal aborts. */
async function waitUntil(moment: number, signal: AbortSignal | undefined): Promise<void> {
  const reached = Promise.withResolvers<void>();
  const timer = setTimeout(reached.resolve, moment - Date.now());
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
  // Not randomUUID, which is missing where the page has no TLS, and not toHex, which browsers have since 2025.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
