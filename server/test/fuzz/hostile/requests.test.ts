import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distinctSlots, requestSlots } from './request-slots.ts';
import { hostileFaults, keysOf, startHostile, warmUp } from './walk.ts';
import { isSkippedDaily, isSkippedOnBun } from '../../support/long-test.ts';

/** Each reader of a text gets a part of the shapes here. The long test sends all of them, also on Bun. */
const EVERY = 32;

test('no part of a request costs more CPU time than its size explains', async (t) => {
  if (isSkippedOnBun(t, 'TypeScript reads its pipes by Node')) return;
  if (isSkippedDaily(t)) return;
  const service = await startHostile(t, { runtime: 'node' });
  const slots = distinctSlots(requestSlots(await keysOf(service, 40)));
  assert.ok(slots.length > 80, `${slots.length} slots`);
  await warmUp(service, slots);
  assert.deepEqual(await hostileFaults(service, slots, EVERY), []);
  assert.deepEqual((await service.cli('verify')).faults, []);
});
