import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from '../domain/errors.ts';
import { machineTimeMs } from '../domain/timestamps.ts';
import { afterReading } from './after-reading.ts';
import type { Answer } from './exchange.ts';
import type { Handler } from './listener.ts';
import { isReadingLongBody } from './long-bodies.ts';
import { Pipelines } from './pipelines.ts';

// A static import of `node:http` also loads `fetch`, in 40 ms of CPU.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** Error code and message per parser error. Any other is a malformed request. */
const MEANING: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The request line and headers are too large together.'],
  // As `fetch` sends `patch`, the one method that it does not correct, and as TLS begins.
  HPE_INVALID_METHOD: [
    'malformed_request',
    'The request does not begin with a method in capital letters, such as PATCH.',
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['body_too_large', 'The chunk extensions are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time.'],
};
const MALFORMED = ['malformed_request', 'The request is not valid HTTP/1.1.'] as const;

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** The answer before this one on the connection. */
  readonly previous: ServerResponse | undefined;
}

/** Where a socket keeps its last parsed request. A weak map costs more per request. */
const lastExchange = Symbol('lastExchange');
type NotedSocket = Socket & { [lastExchange]?: Exchange };

/**
 * Answers bytes that the HTTP parser refuses with our body and headers. The danger here is a second answer to one
 * request, which would put every later answer on the connection in the wrong place.
 */
export class ParserRefusals {
  readonly #handler: Handler;
  readonly #requestTimeoutMs: number;
  readonly #refused = new WeakSet<Socket>();

  constructor(handler: Handler, requestTimeoutMs: number) {
    this.#handler = handler;
    this.#requestTimeoutMs = requestTimeoutMs;
  }

  /** Records a request, and returns the previous answer on its connection. */
  note(incoming: IncomingMessage, outgoing: ServerResponse): ServerResponse | undefined {
    const socket: NotedSocket = incoming.socket;
    const previous = socket[lastExchange]?.outgoing;
    socket[lastExchange] = { incoming, outgoing, previous };
    return previous;
  }

  /** Whether a socket is silent because of the service, and not because of its client. */
  isAnswering(socket: NotedSocket): boolean {
    if (isUnread(socket)) return true;
    const last = socket[lastExchange];
    return Boolean(last?.incoming.complete) && !last?.outgoing.writableEnded && socket.writableLength === 0;
  }

  async refuse(error: NodeJS.ErrnoException, socket: NotedSocket): Promise<void> {
    if (this.#refused.has(socket)) return;
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
      // The rest of the request is late because the service does not read it.
      if (isUnread(socket)) return this.#refuseIfStillLate(error, socket);
      if (isReadingLongBody(socket)) return;
      const before = lastOf(socket);
      await afterReading();
      if (hasArrived(before, socket)) return this.#watchBody(error, socket);
      // The parser may have refused what arrived.
      if (this.#refused.has(socket)) return;
    }
    this.#refused.add(socket);
    const last = socket[lastExchange];
    if (!socket.writable || error.code === 'ECONNRESET' || error.code === 'EPIPE')
      return void socket.destroy();
    if (last) {
      // The bytes belong to the body of a request whose answer is sent or being sent.
      if (!last.incoming.complete && last.outgoing.headersSent) return void socket.destroySoon();
      // Earlier requests are answered first, in their order.
      await answered(last.incoming.complete ? last.outgoing : last.previous);
    }
    const [code, message] = MEANING[error.code ?? ''] ?? MALFORMED;
    await this.#write(socket, this.#handler.refuseUnparsed(code, message, socket));
  }

  /**
   * Refuses a request that is still not complete a whole time-out after its socket is read again. Node reports a late
   * request once.
   */
  #refuseIfStillLate(error: Error, socket: NotedSocket, wasUnread = true): void {
    const before = lastOf(socket);
    const timer = setTimeout(() => {
      if (socket.destroyed) return;
      if (hasArrived(before, socket)) return this.#watchBody(error, socket);
      const isStillUnread = isUnread(socket);
      if (isStillUnread || wasUnread) this.#refuseIfStillLate(error, socket, isStillUnread);
      else void this.refuse(error, socket);
    }, this.#requestTimeoutMs);
    timer.unref();
  }

  /** Gives the body of a request whose head was late a time-out of its own: Node reports a late request once. */
  #watchBody(error: Error, socket: NotedSocket): void {
    if (lastOf(socket).isInBody) this.#refuseIfStillLate(error, socket, false);
  }

  async refuseConnect(socket: NotedSocket): Promise<void> {
    this.#refused.add(socket);
    await answered(socket[lastExchange]?.outgoing);
    await this.#write(
      socket,
      this.#handler.refuseUnparsed('malformed_request', 'CONNECT is not served here.', socket),
    );
  }

  async #write(socket: Socket, { status, headers, body }: Answer): Promise<void> {
    const text = String(body);
    if (!socket.writable) return void socket.destroy();
    const lines = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `Date: ${new Date(machineTimeMs()).toUTCString()}`,
    ];
    for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
    lines.push(`content-length: ${Buffer.byteLength(text)}`, '', text);
    socket.end(lines.join('\r\n'), () => socket.destroy());
  }
}

/** Whether the service does not read a socket: its pipeline is paused, or a busy service has not begun to read the body. */
function isUnread(socket: NotedSocket): boolean {
  if (Pipelines.isPaused(socket)) return true;
  const last = socket[lastExchange];
  return (
    last !== undefined &&
    !last.incoming.complete &&
    last.incoming.readableFlowing === null &&
    !last.outgoing.headersSent
  );
}

interface LastRequest {
  readonly exchange: Exchange | undefined;
  /** Whether the body of the request had not arrived. */
  readonly isInBody: boolean;
}

function lastOf(socket: NotedSocket): LastRequest {
  const exchange = socket[lastExchange];
  return { exchange, isInBody: exchange !== undefined && !exchange.incoming.complete };
}

/** Whether a head that was late has become the next request since then, or a body that was late has arrived. */
function hasArrived({ exchange, isInBody }: LastRequest, socket: NotedSocket): boolean {
  return socket[lastExchange] !== exchange || (isInBody && exchange?.incoming.complete === true);
}

async function answered(outgoing: ServerResponse | undefined): Promise<void> {
  if (!outgoing || outgoing.writableFinished || outgoing.destroyed) return;
  await new Promise((resolve) => outgoing.once('close', resolve));
}
