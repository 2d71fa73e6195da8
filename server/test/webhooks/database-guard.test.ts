import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperatorError } from '../../src/domain/errors.ts';
import { DatabaseGuard } from '../../src/webhooks/periodic-task.ts';
import { EventsReplaced } from '../../src/webhooks/queues/event-source.ts';

/** A guard on a clock of the test, which each wait moves by a second. */
function startGuard() {
  const fatal: unknown[] = [];
  let nowMs = 0;
  const guard = new DatabaseGuard({
    clocks: { wallMs: () => nowMs, elapsedMs: () => nowMs },
    wait: async () => {
      nowMs += 1_000;
    },
    onFatal: (error) => fatal.push(error),
  });
  const fail = (error: unknown) => guard.run(() => Promise.reject(error));
  return { guard, fatal, fail };
}

test('errors are fatal only if they last for five seconds without a success between them', async () => {
  const { guard, fatal, fail } = startGuard();
  for (let second = 0; second < 4; second += 1) await fail(new Error('lost'));
  await guard.run(() => Promise.resolve(true));
  for (let second = 0; second < 5; second += 1) await fail(new Error('lost'));
  assert.deepEqual(fatal, []);
  await fail(new Error('lost for long'));
  assert.deepEqual(fatal.map(String), ['Error: lost for long']);
});

test('a database that an import locks for minutes is waited for', async () => {
  const { fatal, fail } = startGuard();
  const locked = new OperatorError('The database is busy', { code: 'service_unavailable' });
  for (let second = 0; second < 300; second += 1) await fail(locked);
  await fail(new Error('lost'));
  assert.deepEqual(fatal, []);
});

test('a database with fewer events than before ends the sender immediately', async () => {
  const { fatal, fail } = startGuard();
  const replaced = new EventsReplaced('The database has fewer events than before.');
  await fail(replaced);
  assert.deepEqual(fatal, [replaced]);
});
