import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseClock } from '../../src/store/postgres/database-clock.ts';

const DATABASE_MS = Date.UTC(2026, 6, 1);
const ROUND_TRIP_MS = 40;

test('the bounds of the clock are as far apart as the round trip was long, and the true time is between them', () => {
  const clock = new DatabaseClock();
  // The answer was given some time between the question, 40 ms ago, and now.
  const arrivedAtMs = performance.now();
  clock.note(DATABASE_MS, arrivedAtMs - ROUND_TRIP_MS);
  const [earliestMs, latestMs] = [clock.earliestMs(), clock.latestMs()];
  const elapsedMs = performance.now() - arrivedAtMs;
  assert.ok(earliestMs <= DATABASE_MS + elapsedMs, 'if it was given just now');
  assert.ok(latestMs >= DATABASE_MS + ROUND_TRIP_MS, 'if it was given immediately after the question');
  assert.ok(earliestMs >= DATABASE_MS - elapsedMs - 1);
  assert.ok(latestMs <= DATABASE_MS + ROUND_TRIP_MS + elapsedMs + 2);
});
