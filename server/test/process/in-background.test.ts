import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inBackground } from '../../src/process/in-background.ts';

test('an error of work without a caller is reported, thrown or a rejection', async () => {
  const causes: unknown[] = [];
  const report = (cause: unknown) => causes.push(cause);
  inBackground(() => {
    throw 1;
  }, report);
  inBackground(() => Promise.reject(2), report);
  inBackground(async () => {}, report);
  inBackground(() => {}, report);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(causes, [1, 2]);
});
