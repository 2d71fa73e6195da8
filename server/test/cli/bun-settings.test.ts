import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../blackbox/service.ts';

test('a start on Bun names each setting that has no effect there', async (t) => {
  const env = { PETSTORE_MAX_CONNECTIONS: '500' };
  const onBun = await startService(t, { runtime: 'bun', env });
  assert.match(onBun.logs(), /"PETSTORE_MAX_CONNECTIONS has no effect on Bun"/);
  assert.doesNotMatch(onBun.logs(), /PETSTORE_REQUEST_TIMEOUT has no effect/);
});
