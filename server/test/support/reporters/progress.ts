import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import reportFailures from './failures.ts';

/** Reports each file as it starts, each test as it ends, and all that `reportFailures` reports. */
export default async function* reportProgress(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    const { type, data } = event;
    if (type === 'test:dequeue' && data.nesting === 0 && data.name.endsWith('.ts')) {
      yield `▶ ${relative(process.cwd(), data.name)}\n`;
    } else if (type === 'test:pass' && data.nesting === 0 && !data.name.endsWith('.ts')) {
      yield `✔ ${data.name} (${Math.round(data.details.duration_ms / 1_000)} s)\n`;
    } else if (type === 'test:diagnostic' && data.nesting > 0) yield `  ${data.message}\n`;
    yield* reportFailures(only(event));
  }
}

async function* only(event: TestEvent): AsyncGenerator<TestEvent> {
  yield event;
}
