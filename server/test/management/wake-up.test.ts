import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WakeUp } from '../../src/management/jobs/wake-up.ts';

const LONG_MS = 60_000;

test('a call ends the wait', async () => {
  const wakeUp = new WakeUp();
  const waiting = wakeUp.within(LONG_MS);
  wakeUp.call();
  assert.equal(await waiting, true);
});

test('a call during the work before ends the wait too', async () => {
  const wakeUp = new WakeUp();
  wakeUp.call();
  assert.equal(await wakeUp.within(LONG_MS), true);
});

test('a call before the last reset does not end the wait', async () => {
  const wakeUp = new WakeUp();
  wakeUp.call();
  wakeUp.reset();
  assert.equal(await wakeUp.within(1), false);
});
