import type { Clock } from '../clock.ts';
import { PetstoreError } from '../errors.ts';

interface ReadOptions {
  readonly clock: Clock;
  /** The body is given up after this time without a byte. */
  readonly silenceMs: number;
  readonly signal: AbortSignal | undefined;
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** Far more than the list of a million pets has. */
const MAX_BYTES = 2 ** 28;

type Body = ReadableStream<Uint8Array> | null;

/** The whole text of a body. @throws like `readAll` */
export async function readText(body: Body): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  await readAll(body, (piece) => {
    text += decoder.decode(piece, { stream: true });
  });
  return text + decoder.decode();
}

/** Reads a body to its end, and returns the number of its bytes. @throws PetstoreError for one that never ends */
export async function readAll(body: Body, take: (piece: Uint8Array) => void): Promise<number> {
  if (!body) return 0;
  const reader = body.getReader();
  for (let bytes = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return bytes;
    bytes += value.length;
    if (bytes > MAX_BYTES) {
      reader.cancel().catch(() => {});
      throw new PetstoreError(`The response has more than ${MAX_BYTES} bytes.`, { code: 'invalid_response' });
    }
    take(value);
  }
}

/** The pieces of a body that has no end. @throws PetstoreError when it ends or is silent, or the reason of the signal */
export async function* readPieces(
  body: ReadableStream<Uint8Array>,
  options: ReadOptions,
): AsyncGenerator<Uint8Array, never, undefined> {
  const reader = body.getReader();
  try {
    for (;;) yield await readPiece(reader, options);
  } finally {
    // The connection may be broken, and then there is nothing to close.
    reader.cancel().catch(() => {});
  }
}

function readPiece(reader: Reader, { clock, silenceMs, signal }: ReadOptions): Promise<Uint8Array> {
  // A race with one promise for all pieces would keep memory for each piece.
  return new Promise((resolve, reject) => {
    const abort = () => settle(() => reject(signal?.reason));
    const cancel = clock.after(silenceMs, () =>
      settle(() => reject(broken('timed_out', `was silent for ${silenceMs} ms`))),
    );
    const settle = (how: () => void) => {
      cancel();
      signal?.removeEventListener('abort', abort);
      how();
    };
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    reader.read().then(
      ({ done, value }) =>
        settle(() => (done ? reject(broken('connection_failed', 'ended')) : resolve(value))),
      (cause) => settle(() => reject(broken('connection_failed', 'broke', cause))),
    );
  });
}

function broken(code: 'connection_failed' | 'timed_out', how: string, cause?: unknown): PetstoreError {
  return new PetstoreError(`The stream ${how}.`, { code, cause });
}
