import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/harness.ts';

test('responses have the date of the clock that decides where that of the machine is another', async (t) => {
  const { clock, request } = await startApp(t);
  for (const target of ['/v1/inventory', '/v1/nothing', '/admin/v1/system']) {
    const { headers } = await request('GET', target);
    assert.equal(headers.get('Date'), new Date(clock.nowMs).toUTCString(), target);
  }
});
