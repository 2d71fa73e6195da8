import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminShop } from '../support/admin-shop.ts';
import { petRow } from '../support/pet-rows.ts';

const NONE = { approvedAt: null, actor: null };

test('an approval is found after later steps, with its author', async (t) => {
  const { app, principal, send: request } = await adminShop(t, 'staff', { pets: [petRow(1n, 50)] });
  const send = (method: string, path: string, body?: string) =>
    request(method, `/admin/v1/store/orders${path}`, body);
  const approval = async (orderId: number) => (await send('GET', `/${orderId}/approval`)).json;
  for (let orderId = 1; orderId <= 12; orderId += 1) {
    await send('POST', '', '{"lines":[{"petId":1,"quantity":2}],"expiresAt":null}');
  }
  assert.deepEqual(await approval(1), NONE);
  await send('POST', '/1/approve');
  const author = { keyId: principal.key.id, name: principal.key.name };
  const approved = await approval(1);
  assert.partialDeepStrictEqual(approved, { actor: author });
  app.clock.nowMs += 60_000;
  for (const step of ['deliver', 'return']) assert.equal((await send('POST', `/1/${step}`)).status, 200);
  assert.deepEqual(await approval(1), approved, 'later steps do not hide it');
  await app.request('POST', '/v1/store/orders/12/approve');
  assert.partialDeepStrictEqual(await approval(12), { actor: { keyId: app.principal.key.id } });
  await send('POST', '/2/cancel');
  assert.deepEqual(await approval(2), NONE);
  assert.equal((await send('GET', '/13/approval')).code, 'not_found');
});
