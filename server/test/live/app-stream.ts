import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { EventStream, type StreamEvent } from '../support/event-stream.ts';
import type { TestApp } from '../support/harness.ts';
import { fetchFrom } from '../support/web-exchange.ts';

/** A stream of an app in this process, read piece by piece. */
export interface AppStream {
  readonly response: Response;
  readonly parser: EventStream;
  /** Reads pieces until a total number of events has arrived, or the stream has ended. */
  takeEvents(count: number): Promise<readonly StreamEvent[]>;
  /** Reads all available pieces until the stream ends. */
  takeAll(): Promise<readonly StreamEvent[]>;
  cancel(): Promise<void>;
}

/** Opens a stream that must be answered 200, and leaves it with the test. */
export async function openStream(
  t: Pick<TestContext, 'after'>,
  { app, key, base = '/v1' }: Pick<TestApp, 'app'> & { readonly key: string | null; readonly base?: string },
  { query = '', ...headers }: { query?: string; [header: string]: string } = {},
): Promise<AppStream> {
  const request = new Request(`http://localhost${base}/movements/stream${query}`, {
    headers: { ...(key !== null && { Authorization: `Bearer ${key}` }), ...headers },
  });
  const response = await fetchFrom(app, request);
  assert.equal(response.status, 200);
  assert.ok(response.body);
  const reader = response.body.getReader();
  t.after(() => reader.cancel());
  const parser = new EventStream();
  const events: StreamEvent[] = [];
  const take = async () => {
    const { done, value } = await reader.read();
    if (value) events.push(...parser.push(value));
    return !done;
  };
  return {
    response,
    parser,
    takeEvents: async (count) => {
      while (events.length < count && (await take()));
      return events;
    },
    takeAll: async () => {
      while (await take());
      return events;
    },
    cancel: () => reader.cancel(),
  };
}
