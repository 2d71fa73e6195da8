import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RUNTIMES } from '../../blackbox/service-process.ts';
import { distinctSlots, requestSlots } from './request-slots.ts';
import { hostileFaults, keysOf, startHostile, warmUp } from './walk.ts';

/** Each reader of a text gets all shapes; then each slot, with bodies of their full size, one of so many. */
const EVERY = 16;

for (const runtime of RUNTIMES) {
  test(`on ${runtime}, no part of any request costs more CPU time than its size explains`, async (t) => {
    const service = await startHostile(t, { runtime });
    const slots = requestSlots(await keysOf(service, 400));
    await warmUp(service, slots);
    assert.deepEqual(await hostileFaults(service, distinctSlots(slots)), []);
    assert.deepEqual(await hostileFaults(service, slots, EVERY), []);
    assert.deepEqual((await service.cli('verify')).faults, []);
  });
}
