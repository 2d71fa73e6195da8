import type { TestContext } from 'node:test';
import type { Answer } from '../../src/listen/exchange.ts';
import type { Handler, ListenOptions } from '../../src/listen/listener.ts';
import { listenOnBun } from '../../src/listen/bun.ts';
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
  /** Why answers were not sent. */
  readonly noted: readonly unknown[];
  close(deadlineMs: number): Promise<void>;
}

/** An answer of a test's service. */
export function answerOf(body: string | null, status = 200, headers: Record<string, string> = {}): Answer {
  return { status, headers, body };
}

/** Listens in this process with the server of its runtime, and stops with the test. */
export async function listen(
  t: TestContext,
  answer: Handler['answer'],
  options: Partial<ListenOptions> = {},
): Promise<Listening> {
  const noted: unknown[] = [];
  const handler: Handler = {
    answer,
    describe: () => answerOf(null, 204),
    noteUnsent: (cause) => noted.push(cause),
    refuseUnparsed: (code) => answerOf(code, 400, { Connection: 'close' }),
  };
  const serve = process.versions.bun === undefined ? listenOnNode : listenOnBun;
  const listener = await serve(handler, { ...OPTIONS, ...options });
  t.after(() => listener.close(0));
  return { ...listener, noted };
}
