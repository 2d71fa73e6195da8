import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { CLI_AUTHOR } from '../../../server/src/domain/management/activity.ts';
import { startApp } from '../../../server/test/support/harness.ts';
import { petRow } from '../../../server/test/support/pet-rows.ts';
import { until } from '../../../server/test/support/until.ts';
import { SYSTEM_CLOCK } from '../../src/clock.ts';
import type { InventoryChange } from '../../src/index.ts';
import { clientOf, fetchOf } from '../support/client-of.ts';

const LARGE = 9007199254740993n;
const pets = [petRow(7n), petRow(8n), petRow(LARGE)];

test('keeps a local copy of the stock up to date', async (t) => {
  const app = await startApp(t, { pets });
  const client = clientOf(app);
  const stock = await client.watchInventory();
  t.after(() => stock.close());
  assert.equal(stock.items.size, 3);
  assert.equal(stock.get('9007199254740993')?.quantity, 5);
  assert.equal(stock.get(9), undefined);
  await client.updateInventory(LARGE, { quantity: 40 });
  await client.setInventoryStatus(7, { status: 'sold' });
  await until(() => stock.sequence === 5, 'both changes have arrived');
  assert.deepEqual([stock.get(LARGE)?.quantity, stock.get(7)?.status], [40, 'sold']);
});

test('a slow reader gets the newest change of each pet', async (t) => {
  const app = await startApp(t, { pets });
  const client = clientOf(app);
  const stock = await client.watchInventory();
  const changes = stock[Symbol.asyncIterator]();
  const first = changes.next();
  for (const quantity of [4, 3, 2]) await client.updateInventory(7, { quantity });
  await client.updateInventory(8, { quantity: 1 });
  await until(() => stock.sequence === 7, 'all changes have arrived');
  const seen = [(await first).value as InventoryChange];
  while (seen.at(-1)?.item.petId !== 8n) seen.push((await changes.next()).value as InventoryChange);
  assert.deepEqual([seen[0]?.before?.quantity, seen.at(-2)?.item.quantity], [5, 2]);
  for (const [i, { item, before }] of seen.slice(0, -1).entries()) {
    assert.equal(
      before?.quantity,
      i === 0 ? 5 : seen[i - 1]?.item.quantity,
      `before it was ${item.quantity}`,
    );
  }
  const last = changes.next();
  stock.close();
  assert.equal((await last).done, true);
});

test('a pet that is deleted leaves the copy, and comes back with its petId', async (t) => {
  const app = await startApp(t, { pets });
  const stock = await clientOf(app).watchInventory();
  t.after(() => stock.close());
  const changes = stock.changes();
  await app.admin.pets.delete(7n, CLI_AUTHOR);
  const { item, before, isDeleted, movement } = (await changes.next()).value as InventoryChange;
  assert.deepEqual([item.petId, item.quantity, isDeleted, movement?.revertedSequence], [7n, 0, true, 1]);
  assert.equal(before?.petId, 7n);
  assert.equal(stock.get(7), undefined);
  await app.admin.importPets([petRow(7n, 5)], 'cli');
  const again = (await changes.next()).value as InventoryChange;
  assert.deepEqual([again.isDeleted, again.before, stock.get(7)?.quantity], [false, undefined, 5]);
  await app.admin.importPets([petRow(7n, 0)], 'cli');
  const none = (await changes.next()).value as InventoryChange;
  assert.deepEqual([none.isDeleted, stock.get(7)?.quantity], [false, 0]);
});

test('loads the list again when the ledger was replaced', async (t) => {
  const [old, restored] = [
    await startApp(t, { pets }),
    await startApp(t, { pets: [petRow(7n, 1), petRow(9n)] }),
  ];
  let app = old;
  const fetch: typeof globalThis.fetch = (input, init) => fetchOf(app)(input, withKey(init, app.key));
  const client = clientOf(old, { fetch });
  await clientOf(old).updateInventory(8, { quantity: 2 });
  const stock = await client.watchInventory();
  t.after(() => stock.close());
  await clientOf(old).updateInventory(8, { quantity: 1 });
  await until(() => stock.get(8)?.quantity === 1, 'the stream is open');
  const changes = stock[Symbol.asyncIterator]();
  const first = changes.next();
  app = restored;
  old.app.startDraining();
  const seen = [(await first).value as InventoryChange];
  assert.equal(seen[0]?.movement, undefined);
  assert.deepEqual([...stock.items.keys()], [7n, 9n]);
  while (seen.length < 4) seen.push((await changes.next()).value as InventoryChange);
  assert.deepEqual(
    seen.map(({ item, isDeleted }) => [item.petId, item.quantity, isDeleted]),
    [
      [7n, 1, false],
      [9n, 5, false],
      [8n, 0, true],
      [LARGE, 0, true],
    ],
  );
});

test('loads the list again when another ledger has grown past it, also without a movement since', async (t) => {
  const others = [petRow(7n, 1), petRow(9n), petRow(10n), petRow(11n)];
  const [old, restored] = [await startApp(t, { pets }), await startApp(t, { pets: others })];
  let app = old;
  let hasRead = false;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await fetchOf(app)(input, withKey(init, app.key));
    hasRead ||= String(input).endsWith('/movements/3');
    return response;
  };
  const stock = await clientOf(old, { fetch }).watchInventory();
  t.after(() => stock.close());
  await until(() => hasRead, 'the client knows the place in the ledger');
  app = restored;
  old.app.startDraining();
  await until(() => stock.get(9) !== undefined, 'the list was loaded again');
  assert.deepEqual([...stock.items.keys()], [7n, 9n, 10n, 11n]);
});

test('waits for a service that goes away between the list and the stream', async (t) => {
  const app = await startApp(t, { pets });
  let failures = 0;
  const fetch: typeof globalThis.fetch = (input, init) => {
    const isDown = String(input).includes('/stream') && failures < 20;
    if (!isDown) return fetchOf(app)(input, init);
    failures += 1;
    return Promise.reject(new TypeError('fetch failed'));
  };
  const client = clientOf(app, { fetch, clock: { ...SYSTEM_CLOCK, random: () => 0 } });
  const stock = await client.watchInventory();
  t.after(() => stock.close());
  await client.updateInventory(7, { quantity: 40 });
  await until(() => stock.get(7)?.quantity === 40, 'the change has arrived');
  assert.equal(failures, 20);
});

test('loads the list again when an older backup is restored between the list and the stream', async (t) => {
  const [old, restored] = [await startApp(t, { pets }), await startApp(t, { pets: [petRow(7n, 1)] })];
  let app = old;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await fetchOf(app)(input, withKey(init, app.key));
    if (String(input).includes('/inventory')) app = restored;
    return response;
  };
  const stock = await clientOf(old, { fetch }).watchInventory();
  t.after(() => stock.close());
  await until(() => stock.items.size === 1, 'the list was loaded again');
  assert.equal(stock.get(7)?.quantity, 1);
});

test('never shows an old copy after its end', async (t) => {
  const app = await startApp(t, { pets });
  const { key, principal } = await app.makeKey();
  const stock = await clientOf({ ...app, key }).watchInventory();
  t.after(() => stock.close());
  const next = stock[Symbol.asyncIterator]().next();
  await app.admin.keys.revoke(principal.key.id, app.clock.nowMs, CLI_AUTHOR);
  app.app.startDraining();
  await assert.rejects(next, { code: 'revoked_api_key' });
  assert.throws(() => stock.get(7), { code: 'revoked_api_key' });
});

test('a signal ends the copy, and nothing listens to it after an end', async (t) => {
  const app = await startApp(t, { pets });
  const controller = new AbortController();
  const { signal } = controller;
  const listeners = () => getEventListeners(signal, 'abort').length;
  (await clientOf(app).watchInventory({ signal })).close();
  await until(() => listeners() === 0, 'the closed copy listens no more');
  await assert.rejects(clientOf({ ...app, key: 'psk_test_unknown' }).watchInventory({ signal }), {
    code: 'invalid_api_key',
  });
  assert.equal(listeners(), 0);
  const stock = await clientOf(app).watchInventory({ signal });
  const next = stock.changes().next();
  controller.abort(new Error('enough'));
  await assert.rejects(next, { message: 'enough' });
  assert.throws(() => stock.get(7), { message: 'enough' });
});

function withKey(init: RequestInit | undefined, key: string): RequestInit {
  const headers = new Headers(init?.headers);
  headers.set('Authorization', `Bearer ${key}`);
  return { ...init, headers };
}
