import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RUNTIMES } from '../../blackbox/service-process.ts';
import { requestSlots } from './request-slots.ts';
import { hostileFaults, keysOf, startHostile, warmUp } from './walk.ts';

for (const runtime of RUNTIMES) {
  test(`on ${runtime}, no part of any request in any shape costs more CPU time than its size explains`, async (t) => {
    const service = await startHostile(t, { runtime });
    const slots = requestSlots(await keysOf(service, 400));
    await warmUp(service, slots);
    assert.deepEqual(await hostileFaults(service, slots), []);
    assert.deepEqual((await service.cli('verify')).faults, []);
  });
}
