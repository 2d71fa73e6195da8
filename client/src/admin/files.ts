import { invalidArgument } from '../errors.ts';
import { attempt, type Received, readResponse } from '../http/attempt.ts';
import { readAll } from '../http/body-reader.ts';
import type { Caller } from '../http/caller.ts';
import { errorOf } from '../http/error-response.ts';
import { repeat } from '../http/repeat.ts';
import { prepareRequest } from '../http/request.ts';
import type { FileOptions, RequestOptions, SentFile } from '../options.ts';
import { effectiveOptions } from '../settings.ts';

/** Sends a file. @throws PetstoreError or the reason of the signal */
export function sendFile(
  caller: Caller,
  file: SentFile,
  sent: Omit<Sent, 'method'> & { readonly options: FileOptions | undefined },
): Promise<Received> {
  if (!(typeof file === 'string' || file instanceof Uint8Array || file instanceof Blob)) {
    return Promise.reject(invalidArgument('file must be a string, a Uint8Array or a Blob.'));
  }
  const type = sent.options?.contentType ?? 'text/csv';
  return exchange(caller, { method: 'POST', ...sent }, { 'Content-Type': type }, file);
}

/** Reads a file. @throws PetstoreError or the reason of the signal */
export function readFile(caller: Caller, sent: Omit<Sent, 'method'>): Promise<Received> {
  return exchange(caller, { method: 'GET', ...sent }, { Accept: '*/*' }, null);
}

interface Sent {
  readonly method: string;
  readonly path: string;
  /** The values for the path, in its order. */
  readonly values?: readonly unknown[] | undefined;
  readonly query: object | undefined;
  readonly options: RequestOptions | undefined;
}

/** Does what a caller does with JSON, for a body of bytes: waits at the gate, sends, and repeats a read. */
async function exchange(
  { settings, gate }: Caller,
  { method, path, values, query, options: own }: Sent,
  headers: Readonly<Record<string, string>>,
  body: SentFile | null,
): Promise<Received> {
  const request = prepareRequest(settings.baseUrl, method, path, { path: values, query });
  const options = effectiveOptions(settings, own);
  const { fetch, clock } = settings;
  // `fetch` refuses bytes of a SharedArrayBuffer by itself.
  const init = {
    method,
    body: body as NonNullable<RequestInit['body']> | null,
    headers: { ...settings.headers, ...headers },
  };
  return repeat(request, options, clock, async (deadlineMs, check) => {
    const { signal, timeoutMs } = options;
    await gate.enter({ deadlineMs, maxConcurrent: settings.maxConcurrent, signal, probe: async () => {} });
    const sentAtMs = clock.now();
    try {
      check();
      const received = await attempt(
        { url: request.url, init, fetch, clock, timeoutMs, signal },
        readFileResponse,
      );
      const error = errorOf(received);
      gate.observe(received.headers, sentAtMs, error);
      if (error) throw error;
      return received;
    } finally {
      gate.leave();
    }
  });
}

/** Reads a response whose body may be a workbook, which is no text. */
async function readFileResponse(response: Response): Promise<Received> {
  const { status, headers, body } = response;
  if (!headers.get('Content-Type')?.endsWith('.sheet')) return readResponse(response);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  await readAll(body, (piece) => pieces.push(piece as Uint8Array<ArrayBuffer>));
  return { status, headers, text: '', bytes: new Uint8Array(await new Blob(pieces).arrayBuffer()) };
}
