import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../server/test/support/harness.ts';
import { petRow } from '../../server/test/support/pet-rows.ts';
import type { PetstoreError } from '../src/index.ts';
import { clientOf } from './support/client-of.ts';
import { isSkippedDaily } from '../../server/test/support/long-test.ts';

const LARGE = 9007199254740993n;
const pets = [petRow(7n), petRow(8n, 3), petRow(LARGE), petRow(-(2n ** 63n))];

test('lists, reads and changes stock with exact petIds', async (t) => {
  if (isSkippedDaily(t)) return;
  const client = clientOf(await startApp(t, { pets }));
  const list = await client.listInventory();
  assert.deepEqual(
    list.map(({ petId }) => petId),
    [-(2n ** 63n), 7n, 8n, LARGE],
  );
  assert.deepEqual(await client.updateInventory(LARGE, { quantity: 40 }), {
    petId: LARGE,
    quantity: 40,
    status: 'available',
  });
  const movement = await client.adjustInventory('9007199254740993', { delta: -1, reason: 'sold' });
  assert.deepEqual([movement.petId, movement.quantityAfter], [LARGE, 39]);
  assert.equal((await client.getInventoryItem(7)).petId, 7n);
  assert.equal((await client.setInventoryStatus(8n, { status: 'sold' })).status, 'sold');
  assert.deepEqual(await client.listInventory({ petId: [8, LARGE] }).then(quantities), [3, 39]);
  assert.equal((await client.revertMovement(movement.sequence)).revertedSequence, movement.sequence);
  assert.equal((await client.getMovement(movement.sequence)).petId, LARGE);
  const { rows } = await client.batchInventory({ changes: [{ petId: LARGE, quantity: 2 }] });
  assert.equal(rows[0]?.petId, LARGE);
  assert.equal((await client.auditLedger()).isIntact, true);
  const { sold } = await client.getStoreInventory();
  assert.equal(sold, 3n);
  const quantityOf = (quantity: bigint) => ({ quantity: quantity as unknown as number });
  assert.equal((await client.updateInventory(8n, quantityOf(sold + 1n))).quantity, 4, 'a bigint is a number');
  await assert.rejects(client.updateInventory(8n, quantityOf(2n ** 53n)), { code: 'validation_failed' });
});

test('places an order and carries out its steps', async (t) => {
  const client = clientOf(await startApp(t, { pets }));
  // As null, it would never expire.
  const invalid = { lines: [{ petId: LARGE, quantity: 2 }], expiresAt: new Date('soon') };
  await assert.rejects(async () => client.placeOrder(invalid), /expiresAt must be a valid Date/);
  const { orderId } = await client.placeOrder({
    lines: [{ petId: LARGE, quantity: 2 }],
    expiresAt: new Date(Date.UTC(2027, 0, 1)),
  });
  assert.equal((await client.approveOrder(orderId)).status, 'approved');
  assert.equal((await client.deliverOrder(orderId)).status, 'delivered');
  const { lines } = await client.returnOrder(orderId, { lines: [{ petId: LARGE, quantity: 1 }] });
  assert.deepEqual([lines[0]?.petId, lines[0]?.returned], [LARGE, 1]);
  assert.equal((await client.listOrders({ petId: LARGE })).length, 1);
  const other = await client.placeOrder({ lines: [{ petId: 7, quantity: 1 }] });
  assert.equal((await client.cancelOrder(other.orderId, { note: 'changed my mind' })).status, 'cancelled');
});

test('reads the items of all pages, also when they are unchanged and come from the cache', async (t) => {
  const client = clientOf(await startApp(t, { pets }));
  for (let round = 0; round < 2; round += 1) {
    const petIds: bigint[] = [];
    for await (const { petId } of client.listInventory({ limit: 3 })) petIds.push(petId);
    assert.deepEqual(petIds, [-(2n ** 63n), 7n, 8n, LARGE]);
    const sizes: number[] = [];
    for await (const page of client.listMovements({ limit: 3 }).pages()) sizes.push(page.length);
    assert.deepEqual(sizes, [3, 1]);
  }
});

test('refuses arguments that cannot be sent', async (t) => {
  const app = await startApp(t, { pets });
  const invalid = { code: 'invalid_argument' };
  for (const userAgent of ['till\r\nX-Evil: 1', 'Kasse ✓']) {
    assert.throws(() => clientOf(app, { userAgent }), invalid);
  }
  const client = clientOf(app);
  await assert.rejects(client.listInventory({ asOf: new Date(Number.NaN) }), invalid);
  await assert.rejects(client.listOrders({ referenceId: '\ud800' }), invalid);
  await assert.rejects(client.listInventory({}, { ifMatch: '"a"\r\nX-Evil: 1' }), invalid);
  const numberOf = (value: bigint) => value as unknown as number;
  await assert.rejects(client.getMovement(numberOf(-1n)), invalid);
  await assert.rejects(client.getMovement(numberOf(99n)), { code: 'not_found' });
  await assert.rejects(client.getOrder(numberOf(99n)), { code: 'not_found' });
});

test('an error has the code, the request and the present state', async (t) => {
  const client = clientOf(await startApp(t, { pets }));
  await assert.rejects(
    client.adjustInventory(8, { delta: -4, reason: 'sold' }),
    ({ code, status, requestId, details, mayHaveChanged, idempotencyKey }: PetstoreError) => {
      assert.deepEqual(
        [code, status, details.quantity, mayHaveChanged],
        ['insufficient_stock', 409, 3, false],
      );
      assert.match(String(requestId), /^[A-Za-z0-9_-]{8,64}$/);
      assert.match(String(details.etag), /^"/);
      assert.match(String(idempotencyKey), /^[0-9a-f]{32}$/);
      return true;
    },
  );
});

function quantities(items: readonly { readonly quantity: number }[]): number[] {
  return items.map(({ quantity }) => quantity);
}
