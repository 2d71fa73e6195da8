import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../server/test/support/harness.ts';
import { petRow } from '../../../server/test/support/pet-rows.ts';
import { petstoreOf } from './support/petstore.ts';

const LARGE = 9007199254740993n;
const pets = [petRow(7n, 5), petRow(LARGE, 9)];

interface ShownOrder {
  readonly orderId: number;
  readonly status: string;
  readonly lines: readonly Readonly<Record<'petId' | 'delivered' | 'returned', unknown>>[];
  readonly expiresAt: string | null;
  readonly etag: string;
}

test('places an order and takes each of its steps', async (t) => {
  const petstore = petstoreOf(t, await startApp(t, { pets }));
  const placed = await petstore.json<ShownOrder>(
    `orders place 7=2 ${LARGE}=3 --reference web-1 --never-expires`,
  );
  assert.deepEqual([placed.status, placed.expiresAt, placed.lines[1]?.petId], ['placed', null, LARGE]);
  const { orderId } = placed;
  assert.match(await petstore.text(`orders approve ${orderId}`), /^Order 1 is approved\.\n/);
  const part = await petstore.json<ShownOrder>(`orders deliver ${orderId} 7=1`);
  assert.deepEqual([part.status, part.lines[0]?.delivered, part.lines[1]?.delivered], ['approved', 1, 0]);
  assert.equal((await petstore.json<ShownOrder>(`orders deliver ${orderId}`)).status, 'delivered');
  const returned = await petstore.json<ShownOrder>(`orders return ${orderId} ${LARGE} --reason returned`);
  assert.deepEqual([returned.lines[0]?.returned, returned.lines[1]?.returned], [0, 3]);
  assert.match(
    await petstore.text(`orders show ${orderId}`),
    / {2}reference +web-1\n[\s\S]*\n *PET +ORDERED +DELIVERED +RETURNED +RESERVED\n[\s\S]*9007199254740993 +3 +3 +3 +0\n/,
  );
});

test('cancels an order, and lists orders by filters', async (t) => {
  const petstore = petstoreOf(t, await startApp(t, { pets }));
  await petstore.text('orders place 7=1');
  await petstore.text(`orders place ${LARGE}=1 --reference web-2`);
  const { etag } = await petstore.json<ShownOrder>('orders show 1');
  const cancelled = await petstore.run(['orders', 'cancel', '1', '--if-match', etag, '--note', 'called']);
  assert.match(cancelled.stdout, /^Order 1 is cancelled\.\n/);
  const idsOf = async (line: string) => (await petstore.list<ShownOrder>(line)).map(({ orderId }) => orderId);
  assert.deepEqual(await idsOf('orders list'), [2, 1]);
  assert.deepEqual(await idsOf('orders list --oldest-first --limit 1'), [1]);
  assert.deepEqual(await idsOf('orders list --status cancelled --all'), [1]);
  assert.deepEqual(await idsOf(`orders list --pet ${LARGE} --reference web-2`), [2]);
  assert.equal(await petstore.text('orders list --status expired'), 'No orders match.\n');
  const refused = await petstore.run('orders approve 1 --json');
  assert.equal(refused.code, 3);
  assert.equal((JSON.parse(refused.stderr) as { code: string }).code, 'invalid_transition');
});
