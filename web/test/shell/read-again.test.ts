import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QueryClient, QueryObserver } from '@tanstack/query-core';
import { until } from '../../../server/test/support/until.ts';
import { readAgain } from '../../src/live/read-again.ts';

/** A query that is shown, each of whose readings ends when the test says so. */
function shown(t: { after(end: () => void): void }) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const readings: PromiseWithResolvers<string>[] = [];
  const queryFn = () => {
    readings.push(Promise.withResolvers());
    return (readings.at(-1) as PromiseWithResolvers<string>).promise;
  };
  const observer = new QueryObserver(queries, { queryKey: ['pet', 1], queryFn });
  t.after(observer.subscribe(() => {}));
  t.after(() => queries.clear());
  return { queries, readings, observer, value: () => observer.getCurrentResult().data };
}

test('a change during the first reading is read by another one, once', async (t) => {
  const { queries, readings, value } = shown(t);
  for (let change = 0; change < 3; change += 1) void readAgain(queries, ['pet']);
  assert.equal(readings.length, 1);
  readings[0]?.resolve('old');
  await until(() => readings.length === 2, 'the second reading');
  assert.equal(value(), 'old');
  readings[1]?.resolve('new');
  await until(() => value() === 'new', 'the new value');
  assert.equal(readings.length, 2);
});

test('who waits for a change during the first reading waits for the new value', async (t) => {
  const { queries, readings, value } = shown(t);
  const waiting = [readAgain(queries, ['pet']), readAgain(queries, ['pet'])];
  const seen = waiting.map((one) => one.then(value));
  readings[0]?.resolve('old');
  await until(() => readings.length === 2, 'the second reading');
  readings[1]?.resolve('new');
  assert.deepEqual(await Promise.all(seen), ['new', 'new']);
});

test('a later change ends a reading that is under way', async (t) => {
  const { queries, readings, value } = shown(t);
  readings[0]?.resolve('first');
  await until(() => value() === 'first', 'the first value');
  void readAgain(queries, ['pet']);
  void readAgain(queries, ['pet']);
  assert.equal(readings.length, 3);
  readings[1]?.resolve('old');
  readings[2]?.resolve('new');
  await until(() => value() === 'new', 'the new value');
});

test('a first reading that fails, or is not needed any more, leaves nothing behind', async (t) => {
  const { queries, readings, value } = shown(t);
  void readAgain(queries, ['pet']).catch(() => undefined);
  readings[0]?.reject(new Error('a lost connection'));
  await until(() => readings.length === 2, 'another reading');
  void readAgain(queries, ['pet']).catch(() => undefined);
  queries.clear();
  assert.equal(queries.getQueryCache().hasListeners(), false);
  readings[1]?.resolve('too late');
  assert.equal(value(), undefined);
});
