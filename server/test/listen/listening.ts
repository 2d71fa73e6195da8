import type { TestContext } from 'node:test';
import type { Handler, ListenOptions } from '../../src/listen/listener.ts';
import { listenOnNode } from '../../src/listen/node.ts';

const OPTIONS: ListenOptions = {
  host: '127.0.0.1',
  port: 0,
  headersTimeoutSeconds: 5,
  requestTimeoutSeconds: 15,
  keepAliveTimeoutSeconds: 72,
  maxConnections: 1_000,
};

export interface Listening {
  readonly port: number;
  close(deadlineMs: number): Promise<void>;
}

/** Listens in this process with Node's server, and stops with the test. */
export async function listen(
  t: TestContext,
  answer: Handler['fetch'],
  options: Partial<ListenOptions> = {},
): Promise<Listening> {
  const handler: Handler = {
    fetch: answer,
    describe: () => new Response(null, { status: 204 }),
    refuseUnparsed: (code) => new Response(code, { status: 400, headers: { Connection: 'close' } }),
  };
  const listener = await listenOnNode(handler, { ...OPTIONS, ...options });
  t.after(() => listener.close(0));
  return listener;
}
