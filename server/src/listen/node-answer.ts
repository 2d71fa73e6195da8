import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from './exchange.ts';

/** How long, and how much of, a body that the service did not read is discarded, so that its client reads the answer. */
const DISCARD_TIMEOUT_MS = 2_000;
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;

/**
 * Writes an answer with one `writeHead` and one `end`. A string leaves in one system call with its headers, bytes in
 * a vectored one.
 */
export function writeAnswer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: Answer,
  onBroken: (cause: unknown) => void,
): void {
  const { status, headers, body } = answer;
  if (body === null || incoming.method === 'HEAD') {
    outgoing.writeHead(status, headers).end();
    if (body instanceof ReadableStream) void body.cancel();
  } else if (typeof body === 'string') {
    const byteLength = Buffer.byteLength(body);
    headers['Content-Length'] ??= String(byteLength);
    // In UTF-8 only ASCII has one byte per character; Node copies it as latin1 without transcoding.
    outgoing.writeHead(status, headers).end(body, byteLength === body.length ? 'latin1' : 'utf8');
  } else if (body instanceof Uint8Array) {
    headers['Content-Length'] ??= String(body.byteLength);
    outgoing.writeHead(status, headers).end(body);
  } else {
    outgoing.writeHead(status, headers).flushHeaders();
    void pump(body.getReader(), outgoing, onBroken);
  }
  if (incoming.method === 'GET' || incoming.method === 'HEAD' || incoming.readableEnded) return;
  discardUnreadBody(incoming, outgoing, headers.Connection === 'close' || !outgoing.shouldKeepAlive);
}

/** Writes pieces as the client reads them. On a read error, abort the connection: no answer is truncated silently. */
async function pump(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  outgoing: ServerResponse,
  onBroken: (cause: unknown) => void,
): Promise<void> {
  const cancel = () => void reader.cancel().catch(() => undefined);
  if (outgoing.destroyed) return cancel();
  outgoing.once('close', cancel);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (!outgoing.write(value)) await drained(outgoing);
      if (outgoing.destroyed) return;
    }
    outgoing.off('close', cancel);
    outgoing.end();
  } catch (cause) {
    if (!outgoing.destroyed) onBroken(cause);
    outgoing.destroy();
  }
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      outgoing.off('drain', settle).off('close', settle);
      resolve();
    };
    outgoing.on('drain', settle).on('close', settle);
  });
}

/**
 * Reads the rest of a body, within bounds, after the answer: so that the next request can follow, or, if the answer closes
 * the connection, so that the client reads it (RFC 9112 section 9.6). A socket that is closed with unread bytes is reset,
 * and proxies then report a failed service instead of the answer.
 */
function discardUnreadBody(incoming: IncomingMessage, outgoing: ServerResponse, closes: boolean): void {
  const { socket } = incoming;
  // Node calls it after an answer that closes the connection.
  if (closes) socket.destroySoon = () => socket.end();
  outgoing.once('finish', () => {
    if (incoming.readableEnded || incoming.destroyed) return;
    let discarded = 0;
    const cut = () => socket.destroy();
    if (closes) incoming.once('end', cut);
    const timer = setTimeout(cut, DISCARD_TIMEOUT_MS);
    timer.unref();
    incoming.on('data', (piece: Buffer) => {
      discarded += piece.length;
      if (discarded > MAX_DISCARDED_BYTES) cut();
    });
    incoming.once('close', () => clearTimeout(timer));
    incoming.resume();
  });
}
