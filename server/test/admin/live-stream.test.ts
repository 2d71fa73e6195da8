import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { openStream } from '../live/app-stream.ts';
import { adminShop } from '../support/admin-shop.ts';
import { petRow } from '../support/pet-rows.ts';

test('a live stream of a management key has every movement, and ends after its revocation', async (t) => {
  const { app, key, principal } = await adminShop(t, 'viewer', { pets: [petRow(1n, 5)] });
  const stream = await openStream(t, { app: app.app, key, base: '/admin/v1' });
  await app.request('PATCH', '/v1/inventory/1', { body: '{"quantity":4}' });
  const [first] = (await stream.takeEvents(1)).filter(({ type }) => type === 'movement');
  assert.equal((JSON.parse(first?.data ?? '{}') as { quantityAfter?: number }).quantityAfter, 4);
  await app.admin.keys.revoke(principal.key.id, app.clock.nowMs, CLI_AUTHOR);
  const end = (await stream.takeAll()).find(({ type }) => type === 'end');
  assert.equal((JSON.parse(end?.data ?? '{}') as { code?: string }).code, 'revoked_api_key');
});
