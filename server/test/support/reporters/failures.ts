import type { TestEvent } from 'node:test/reporters';
import { styleText } from 'node:util';

/** An assertion may hold two long bodies and their difference. */
const MAX_ERROR_CHARACTERS = 4_000;
/** An error may be its own cause. */
const MAX_CAUSES = 5;

/** Reports each failed test with its file and error, errors after a test, the stderr of tests, and the counts of the run. */
export default async function* reportFailures(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type === 'test:stderr') yield data.message;
    // An error after the end of its test fails the process of the test without a failed test.
    else if (type === 'test:diagnostic' && data.message.startsWith('Error: ')) {
      yield `${styleText('red', `✖ ${data.message}`)} (${data.file ?? ''})\n\n`;
    } else if (type === 'test:fail' && !isOfSubtests(data.details.error)) {
      const place = `${data.file ?? ''}:${data.line ?? ''}`;
      yield `${styleText('red', `✖ ${data.name}`)} (${place})\n${shortened(data.details.error)}\n\n`;
    } else if (type === 'test:summary' && data.file === undefined) {
      const { tests, passed, failed, cancelled, skipped } = data.counts as Record<string, number>;
      const seconds = Math.round(data.duration_ms / 1_000);
      yield `${tests} tests, ${passed} passed, ${failed} failed, ${cancelled} cancelled, ${skipped} skipped in ${seconds} s\n`;
    }
  }
}

/** A test around others that failed adds nothing to them. */
function isOfSubtests(error: Error & { readonly failureType?: unknown }): boolean {
  return error.failureType === 'subtestsFailed';
}

function shortened(error: Error): string {
  const cause: unknown = error.cause ?? error;
  const text = cause instanceof Error ? withCauses(cause) : processEnd(error, String(cause));
  const left = text.length - MAX_ERROR_CHARACTERS;
  return left > 0 ? `${text.slice(0, MAX_ERROR_CHARACTERS)}\n… and ${left} more characters` : text;
}

function withCauses(error: Error): string {
  const texts: string[] = [];
  for (let one: unknown = error; one instanceof Error && texts.length < MAX_CAUSES; one = one.cause) {
    texts.push(one.stack ?? one.message);
  }
  return texts.join('\nCaused by ');
}

/** A file fails with this when its process does. */
function processEnd(
  error: Error & { readonly exitCode?: unknown; readonly signal?: unknown },
  text: string,
): string {
  const { exitCode, signal } = error;
  return exitCode === undefined ? text : `${text}: its process ended with code ${exitCode}, signal ${signal}`;
}
