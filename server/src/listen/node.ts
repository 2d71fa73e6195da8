import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { MaybePromise } from '../domain/maybe-promise.ts';
import { afterReading } from './after-reading.ts';
import { awaitContinue } from './awaited-body.ts';
import { ConnectionLimit } from './connection-limit.ts';
import { type Answer, HOST } from './exchange.ts';
import { type Handler, type Listener, type ListenOptions, UNSENDABLE } from './listener.ts';
import { writeAnswer } from './node-answer.ts';
import { NodeRequest, originForm } from './node-request.ts';
import { ParserRefusals } from './parse-errors.ts';
import { Pipelines } from './pipelines.ts';
import { AMBIGUOUS_PATH, isAmbiguous } from './target.ts';
import { isProbe, TurnQueue } from './turn-queue.ts';

// A static import of `node:http` also loads `fetch`, in 40 ms of CPU.
const { createServer } = process.getBuiltinModule('node:http');

/** Interval of time-out checks: a time-out is late by this much at most. */
const TIMEOUT_CHECK_MS = 1_000;
/** Interval in which a closing server looks for idle connections. */
const IDLE_CHECK_MS = 50;
/**
 * Connections that may wait to be accepted; the kernel lowers it to its own limit. With Node's 511, clients that connect
 * while a turn is long try again after 1, 3, 7 and 15 seconds.
 */
const BACKLOG = 4_096;
const MAX_HEADERS_BYTES = 16 * 1024;
const FULL = 'The maximum of connections is open.';

/** Serves a handler on a port with Node's HTTP server. */
export async function listenOnNode(handler: Handler, options: ListenOptions): Promise<Listener> {
  const server = createServer({
    headersTimeout: options.headersTimeoutSeconds * 1_000,
    requestTimeout: options.requestTimeoutSeconds * 1_000,
    keepAliveTimeout: options.keepAliveTimeoutSeconds * 1_000,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    maxHeaderSize: MAX_HEADERS_BYTES,
    // The service refuses a request without Host with its own body.
    requireHostHeader: false,
  });
  const refusals = new ParserRefusals(handler, options.requestTimeoutSeconds * 1_000);
  const pipelines = new Pipelines();
  const start = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const send = (answer: Answer) => sendAnswer(incoming, outgoing, answer, handler);
    const answer = answerTo(incoming, outgoing, handler);
    if (answer instanceof Promise) void answer.then(send);
    else send(answer);
  };
  const turn = new TurnQueue(start);
  server.on('connection', () => turn.noteConnection());
  const limit = new ConnectionLimit(server, options.maxConnections);
  const take = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const previous = refusals.note(incoming, outgoing);
    if (limit.isBeyond(incoming.socket)) {
      outgoing.shouldKeepAlive = false;
      if (!isProbe(incoming)) {
        const answer = handler.refuseUnparsed('service_unavailable', FULL, incoming.socket);
        return sendAnswer(incoming, outgoing, answer, handler);
      }
    }
    // Node drops what came behind an upgrade in the same packet, so the connection must not go on (RFC 9110 section 7.8).
    if (incoming.headers.upgrade !== undefined) outgoing.shouldKeepAlive = false;
    // Node gives the socket to one response at a time.
    if (outgoing.socket || !previous) return turn.add(incoming, outgoing);
    pipelines.startAfter(previous, incoming, () => {
      // Without a socket the connection ended with an answer before this one.
      if (outgoing.socket) start(incoming, outgoing);
    });
  };
  server.on('request', take);
  // Without a listener Node asks for each body, also of a request that is refused.
  server.on('checkContinue', (incoming, outgoing) => {
    awaitContinue(incoming);
    take(incoming, outgoing);
  });
  // An unknown expectation may be ignored (RFC 9110 section 10.1.1).
  server.on('checkExpectation', take);
  server.on(
    'clientError',
    (error: NodeJS.ErrnoException, socket: Socket) => void refusals.refuse(error, socket),
  );
  server.on('connect', (_request, socket: Socket) => void refusals.refuseConnect(socket));
  // A client that ends its side still gets the answers to its complete requests.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Longer than any request may take to arrive.
  server.timeout = 2_000 * options.requestTimeoutSeconds;
  server.on('timeout', (socket: Socket) => void cutIfSilent(socket, server.timeout, refusals));
  keepUnsentAnswers(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: options.port, host: options.host, backlog: BACKLOG }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: (deadlineMs) => closeGracefully(server, deadlineMs),
  };
}

function answerTo(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  handler: Handler,
): MaybePromise<Answer> {
  const fault = framingFault(incoming);
  if (fault) return handler.refuseUnparsed('malformed_request', fault, incoming.socket);
  if (incoming.method === 'OPTIONS' && incoming.url === '*') return handler.describe(incoming.socket);
  const target = originForm(incoming.url as string);
  if (target === undefined) {
    return handler.refuseUnparsed('malformed_request', 'The request target is malformed.', incoming.socket);
  }
  return handler.answer(new NodeRequest(incoming, outgoing, target));
}

/** Sends an answer. One that Node refuses to send, such as for the characters of a header, becomes a 500. */
function sendAnswer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: Answer,
  handler: Handler,
): void {
  const onBroken = (cause: unknown) => handler.noteUnsent(cause);
  try {
    writeAnswer(incoming, outgoing, answer, onBroken);
  } catch (cause) {
    onBroken(cause);
    if (outgoing.headersSent) outgoing.destroy();
    else writeAnswer(incoming, outgoing, handler.refuseUnparsed(...UNSENDABLE, incoming.socket), onBroken);
  }
}

/** What makes a parsed request ambiguous or not HTTP/1.1 (RFC 9112 sections 2.3, 3.2 and 6.1). */
function framingFault(incoming: IncomingMessage): string | undefined {
  if (incoming.httpVersionMajor !== 1) return 'Speak HTTP/1.1.';
  if (incoming.headers.host === undefined && incoming.httpVersion === '1.1') return 'Send a Host header.';
  if (isAmbiguous(incoming.url ?? '')) return AMBIGUOUS_PATH;
  const coding = incoming.headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return 'Send no transfer coding but chunked.';
  const { host } = incoming.headers;
  if (host !== undefined && !HOST.test(host)) return 'Send one valid Host header.';
  const { rawHeaders } = incoming;
  let seen = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    const bit = singleHeaderBit(name);
    if ((seen & bit) !== 0) return `Send the ${name} header once.`;
    seen |= bit;
  }
  return undefined;
}

/** A bit for each header of which the parser would let the first of several win; 0 for all others. */
function singleHeaderBit(name: string): number {
  switch (name.length) {
    case 4:
      return name === 'Host' || name.toLowerCase() === 'host' ? 1 : 0;
    case 12:
      return name.toLowerCase() === 'content-type' ? 2 : 0;
    case 13:
      return name === 'Authorization' || name.toLowerCase() === 'authorization' ? 4 : 0;
    case 14:
      return name.toLowerCase() === 'content-length' ? 8 : 0;
    default:
      return 0;
  }
}

/** Cuts a connection whose client has sent nothing for a whole time limit. Node calls it only if the client has taken nothing either. */
async function cutIfSilent(socket: Socket, timeoutMs: number, refusals: ParserRefusals): Promise<void> {
  const { bytesRead } = socket;
  await afterReading();
  const isSilent = socket.bytesRead === bytesRead && !refusals.isAnswering(socket);
  if (isSilent) socket.destroy();
  else socket.setTimeout(socket.timeout ?? timeoutMs);
}

/**
 * Node counts a connection as idle as soon as its answer is written, and cuts unsent bytes when the server closes. While
 * any connection has unsent bytes, no idle connection is closed; the server waits for that connection anyway.
 */
function keepUnsentAnswers(server: Server): void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const closeIdleConnections = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    for (const { writableLength } of sockets) if (writableLength > 0) return;
    closeIdleConnections();
  };
}

/** Closes a server after its requests are answered, or at the deadline. */
async function closeGracefully(server: Server, deadlineMs: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // A connection becomes idle only after its last answer is sent.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs);
  await closed;
  clearInterval(idle);
  clearTimeout(deadline);
}
