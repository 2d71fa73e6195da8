import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { closedValidatorIn, DOCUMENT, messageSteps } from '../support/openapi-document.ts';

/** A message that a receiver got. */
export interface Received {
  readonly id: string;
  /** The part of the id that a restored backup repeats, such as `2.0`. */
  readonly place: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly atMs: number;
}

/** Responds to a message. */
export type Respond = (response: ServerResponse, message: Received) => void;

export const ok: Respond = (response) => response.writeHead(204).end();

/** A receiver of webhooks on this machine. */
export interface Receiver {
  readonly url: string;
  /** The messages to a path, in their order. */
  messages(path?: string): readonly Received[];
  close(): void;
}

/** @throws AssertionError for a message that the document does not allow. */
function requireDocumented({ body }: Received): void {
  const message = JSON.parse(body) as { readonly type?: string };
  // Tests of a delivery send what they like.
  if (message.type === undefined) return;
  const validate = closedValidatorIn(DOCUMENT, ...messageSteps(message.type));
  assert.ok(validate(message), `${message.type}: ${JSON.stringify(validate.errors)}`);
}

/** Starts a receiver for one test. */
export async function startReceiver(t: Pick<TestContext, 'after'>, respond: Respond = ok): Promise<Receiver> {
  const received: Received[] = [];
  const server: Server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.once('end', () => {
      const id = String(request.headers['webhook-id']);
      const message = {
        id,
        place: id.replace(/-.*/, ''),
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(pieces).toString(),
        atMs: performance.now(),
      };
      received.push(message);
      respond(response, message);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  t.after(close);
  // Each message of a test is as the document describes it, like each response.
  t.after(() => received.forEach(requireDocumented));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages: (path) => received.filter((message) => path === undefined || message.path === path),
    close,
  };
}
