import type { Clock } from '../clock.ts';
import { PetstoreError } from '../errors.ts';
import { readText } from './body-reader.ts';

export interface Sending {
  readonly url: string;
  readonly init: RequestInit;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** A response with its whole body. */
export interface Received {
  readonly status: number;
  readonly headers: Headers;
  /** Empty for a workbook. */
  readonly text: string;
  /** Those of a workbook, which are no text. */
  readonly bytes?: Uint8Array;
}

/**
 * Sends one request and reads the whole response. @throws PetstoreError or the reason of the signal
 */
export function attempt(sending: Sending, read = readResponse): Promise<Received> {
  return within(sending, async (signal) => read(await open(sending, signal)));
}

export async function readResponse({ status, headers, body }: Response): Promise<Received> {
  return { status, headers, text: await readText(body) };
}

/** A response whose body is read as it arrives; the text is that of an error. */
interface Opened extends Received {
  readonly body: ReadableStream<Uint8Array>;
}

/** Sends one request and reads its response only if it is an error. @throws like `attempt` */
export function attemptStream(sending: Sending): Promise<Opened> {
  return within(sending, async (signal) => {
    const response = await open(sending, signal);
    const { status, headers } = response;
    const isStream = status === 200 && headers.get('Content-Type')?.startsWith('text/event-stream');
    if (isStream && response.body) return { status, headers, text: '', body: response.body };
    const text = await readText(response.body);
    if (status >= 400) return { status, headers, text, body: new ReadableStream() };
    throw new PetstoreError('The response is not an event stream.', { code: 'invalid_response', status });
  });
}

async function open({ url, init, fetch }: Sending, signal: AbortSignal): Promise<Response> {
  // The API key must not follow a redirect to another host, and a write must not become a GET.
  const response = await fetch(url, { ...init, redirect: 'manual', signal });
  const { type, status, headers, body } = response;
  const isRedirect = type === 'opaqueredirect' || (status > 300 && status < 400 && headers.has('Location'));
  if (!isRedirect) return response;
  await body?.cancel();
  const message = `${url} redirects. Set baseUrl to the service itself.`;
  throw new PetstoreError(message, { code: 'invalid_response', status });
}

/** Runs a step until it ends, its time is over, or the caller aborts, also if `fetch` ignores its signal. */
async function within<T>(
  { clock, timeoutMs, signal }: Sending,
  step: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  let giveUp: (reason: unknown) => void = () => {};
  const givenUp = new Promise<never>((_resolve, reject) => {
    giveUp = (reason) => {
      reject(reason);
      controller.abort(reason);
    };
  });
  const abort = () => giveUp(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  const cancel = clock.after(timeoutMs, () =>
    giveUp(new PetstoreError(`The response did not arrive within ${timeoutMs} ms.`, { code: 'timed_out' })),
  );
  try {
    return await Promise.race([step(controller.signal), givenUp]);
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    if (cause instanceof PetstoreError) throw cause;
    throw new PetstoreError(`The connection to the service failed: ${reasonOf(cause)}.`, {
      code: 'connection_failed',
      cause,
    });
  } finally {
    cancel();
    signal?.removeEventListener('abort', abort);
  }
}

/** The innermost message: that of `fetch` itself is only that it failed. */
function reasonOf(cause: unknown): string {
  let reason = cause;
  for (let inner; (inner = innerOf(reason))?.message;) reason = inner;
  const { library, reason: words } = Object(reason) as { library?: string; reason?: string };
  // The message of OpenSSL has an address in memory and a line break.
  if (library) return `TLS: ${words}; try http:`;
  return reason instanceof Error ? reason.message || reason.name : String(reason);
}

/** The cause of an error. Node has one for each address of a name, such as both of `localhost`, in an error without a message. */
function innerOf(error: unknown): Error | undefined {
  const cause = (error as { readonly cause?: Error & { readonly errors?: readonly Error[] } } | undefined)
    ?.cause;
  return cause?.errors?.[0] ?? cause;
}
