import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PetstoreError, verifyWebhook, type WebhookEvent } from '../../src/index.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandFailure } from '../failure.ts';

const MAX_BYTES = 1_000_000;
const MAX_KNOWN_IDS = 10_000;
const MAX_CLOSE_MS = 1_000;
/** A kept connection would delay the end. */
const CLOSING = { Connection: 'close' };

/** A message with a right signature. */
export interface Delivery {
  readonly event: WebhookEvent;
  /** The body as it was sent. */
  readonly body: string;
  /** Whether it was delivered before. */
  readonly isRepeated: boolean;
}

interface ReceiverOptions {
  readonly host: string;
  readonly port: number;
  /** The secret, as soon as it is known. */
  readonly secret: () => string | undefined;
  /** Resolves with whether the message was taken. The service sends one again that was not. */
  readonly onDelivery: (delivery: Delivery) => Promise<boolean>;
  /** Called with the reason for each message that is refused. */
  readonly onRefused: (reason: string) => void;
}

export interface Receiver {
  readonly address: string;
  close(): Promise<void>;
}

/** Receives webhooks on this machine. Resolves when it listens. */
export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const known = new Set<string>();
  const server = createServer((request, response) => {
    receive(request, response, options, known).catch((error: Error) => {
      options.onRefused(error.message);
      response.destroy();
    });
  });
  server.listen(options.port, options.host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailure(
      `Port ${options.port} of ${options.host} cannot be used (${error.message}). Choose another --port or --host.`,
      EXIT.failed,
      error,
    );
  });
  const { address, family, port } = server.address() as AddressInfo;
  const host = family === 'IPv6' ? `[${address}]` : address;
  return { address: `http://${host}:${port}`, close: () => closed(server) };
}

/** Ends after the responses that are under way. */
async function closed(server: Server): Promise<void> {
  const end = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), MAX_CLOSE_MS);
  await end;
  clearTimeout(timer);
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  { secret, onDelivery, onRefused }: ReceiverOptions,
  known: Set<string>,
): Promise<void> {
  const refuse = (status: number, reason: string) => {
    onRefused(reason);
    response.writeHead(status, CLOSING).end();
  };
  if (request.method !== 'POST') return refuse(405, `a ${request.method} request, and no message`);
  const body = await bodyOf(request);
  if (body === undefined) return refuse(413, 'a message is larger than 1 MB');
  const current = secret();
  // The service repeats a message that came before its secret was known here.
  if (current === undefined) return refuse(503, 'a message came before its secret');
  let event: WebhookEvent;
  try {
    event = await verifyWebhook({ body, headers: request.headers, secret: current });
  } catch (error) {
    if (!(error instanceof PetstoreError)) throw error;
    return refuse(401, error.message);
  }
  const isRepeated = known.has(event.id);
  known.add(event.id);
  if (known.size > MAX_KNOWN_IDS) known.delete(known.values().next().value as string);
  const isTaken = await onDelivery({ event, body: body.toString('utf8'), isRepeated });
  response.writeHead(isTaken ? 204 : 503, CLOSING).end();
}

/** The body; `undefined` if it is too long. It is read to its end, because only then does the sender read the response. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes <= MAX_BYTES) pieces.push(piece);
  }
  return bytes > MAX_BYTES ? undefined : Buffer.concat(pieces);
}
