import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RUNTIMES } from '../../blackbox/service-process.ts';
import { distinctSlots, requestSlots } from './request-slots.ts';
import { hostileFaults, startHostile, warmUp } from './walk.ts';

/** Each reader of a text gets a part of the shapes here, and all of them in the long test. */
const EVERY = { node: 16, bun: 32 } as const;

for (const runtime of RUNTIMES) {
  test(`on ${runtime}, no part of a request costs more CPU time than its size explains`, async (t) => {
    const service = await startHostile(t, { runtime });
    const slots = distinctSlots(requestSlots(service.key));
    assert.ok(slots.length > 80, `${slots.length} slots`);
    await warmUp(service, slots);
    assert.deepEqual(await hostileFaults(service, slots, EVERY[runtime]), []);
    assert.deepEqual((await service.cli('verify')).faults, []);
  });
}
