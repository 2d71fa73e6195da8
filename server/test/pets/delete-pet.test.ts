import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { UNEXPLAINED } from '../../src/domain/ledger/ledger.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { type Answer, type AppOptions, startApps } from '../support/harness.ts';
import { petRow } from '../support/command-line.ts';
import { testEngine, testOnceIn } from '../support/test-database.ts';

const once = testOnceIn();

const EAN = '4006381333931';
const LATER = 9_000_000_000_000;

/** A service whose list is read before the first change, so that its cache must follow, and on PostgreSQL a second one. */
async function deletingShop(t: TestContext, options: AppOptions = {}) {
  const isShared = testEngine().noticeTimeoutMs > 0;
  const pets = [1, 2, 3].map((petId) => petRow(petId, { name: `Pet ${petId}`, quantity: petId }));
  const apps = await startApps(t, isShared ? 2 : 1, { pets, ...options });
  const [app] = apps;
  const other = apps.at(-1);
  assert.ok(app && other);
  const { key } = await app.makeAdminKey('staff');
  const send = (method: string, path: string, body?: object) =>
    app.request(method, `/admin/v1${path}`, { key, ...(body && { body: JSON.stringify(body) }) });
  const list = async (query = '', instance = app) =>
    (await instance.request('GET', `/v1/inventory${query}`)).text;
  await Promise.all(apps.map((instance) => list('', instance)));
  return {
    app,
    other,
    send,
    list,
    head: async () => Number((await app.request('GET', '/v1/inventory')).headers.get('Inventory-Sequence')),
    add: (petId: number, fields: object = {}) => send('POST', '/pets', { petId, ...fields }),
    assertIntact: async () => assert.deepEqual((await app.admin.verify()).faults, []),
  };
}

test('a pet without another movement is deleted: lists, search and codes forget it, past lists do not', async (t) => {
  const { app, other, send, list, head, add, assertIntact } = await deletingShop(t);
  await add(4, { name: 'Typo', category: 'Cats', quantity: 5, sku: 'T-4', barcodes: [EAN] });
  const created = await head();
  const before = await app.request('GET', '/v1/inventory');
  assert.match(await list('', other), /"petId":4,"quantity":5/);
  const deleted = await send('DELETE', '/pets/4');
  assert.deepEqual([deleted.status, deleted.text], [204, '']);

  for (const instance of [app, other]) {
    const now = await instance.request('GET', '/v1/inventory');
    assert.doesNotMatch(now.text, /"petId":4/);
    assert.notEqual(now.headers.get('ETag'), before.headers.get('ETag'));
    assert.equal((await instance.request('GET', '/v1/inventory/4')).code, 'not_found');
    assert.equal(
      (await instance.request('PATCH', '/v1/inventory/4', { body: '{"quantity":1}' })).code,
      'not_found',
    );
  }
  assert.equal((await send('GET', '/pets/4')).code, 'not_found');
  for (const query of ['q=typo', 'sku=T-4', `barcode=${EAN}`]) {
    assert.equal((await send('GET', `/pets?${query}`)).text, '[]', query);
  }
  assert.equal((await app.request('GET', '/v1/catalog?q=cats')).text, '[]');
  assert.equal((await send('DELETE', '/pets/4')).code, 'not_found');

  // Who created it and who deleted it.
  for (const instance of [app, other]) {
    for (const path of ['/movements?petId=4&', '/inventory/4/movements?', '/movements?petId=4&order=desc&']) {
      const sequencesOf = async (filter: string) =>
        JSON.parse((await instance.request('GET', `/v1${path}${filter}`)).text).map(
          ({ sequence }: { sequence: number }) => sequence,
        );
      const both = path.includes('desc') ? [created + 1, created] : [created, created + 1];
      assert.deepEqual(await sequencesOf('limit=100'), both, path);
      assert.deepEqual(await sequencesOf('limit=1'), both.slice(0, 1), path);
      assert.deepEqual(await sequencesOf('kind=set'), [], path);
    }
    assert.equal((await instance.request('GET', '/v1/inventory/5/movements')).code, 'not_found');
  }

  // What there was, on each page of the past list.
  const past = `?atSequence=${created}`;
  assert.equal(await list(past), before.text);
  assert.match(await list(`${past}&petId=4`), /^\[\{"petId":4,"quantity":5/);
  const pages: string[] = [];
  for (let next: string | undefined = `${past}&limit=1`; next !== undefined;) {
    const page: Answer = await app.request('GET', `/v1/inventory${next}`);
    pages.push(page.text.slice(1, -1));
    next = /<[^>?]*([^>]*)>; rel="next"/.exec(page.headers.get('Link') ?? '')?.[1];
  }
  assert.equal(`[${pages.filter((page) => page !== '').join()}]`, before.text);
  assert.doesNotMatch(await list(`?atSequence=${created + 1}`), /"petId":4/);
  assert.doesNotMatch(await list(`?atSequence=${created - 1}`), /"petId":4/);
  const movements = JSON.parse((await app.request('GET', `/v1/movements?after=${created - 1}`)).text);
  assert.deepEqual(
    movements.map(({ kind, version, quantityAfter, alert, revertedSequence }: Record<string, unknown>) => [
      kind,
      version,
      quantityAfter,
      alert,
      revertedSequence,
    ]),
    [
      ['import', 1, 5, null, null],
      ['import', 2, 0, null, created],
    ],
  );
  assert.equal(await app.admin.pets.count(), 3);
  const [line] = await app.admin.activity.list({ target: '4', limit: 1 });
  assert.deepEqual(
    [line?.action, line?.details],
    [
      'pets.delete',
      { name: 'Typo', category: 'Cats', quantity: 5, status: 'available', sku: 'T-4', barcodes: [EAN] },
    ],
  );
  await assertIntact();
});

once('a pet with another movement is not deleted, whatever it was', async (t) => {
  const { app, send, add, assertIntact } = await deletingShop(t);
  const order = (petId: bigint) => ({
    kind: 'place' as const,
    lines: [{ petId, quantity: 1 }],
    expiresAtMs: null,
    explanation: UNEXPLAINED,
  });
  const changes: readonly (() => Promise<unknown>)[] = [
    async () => app.request('PATCH', '/v1/inventory/10', { body: '{"quantity":7}' }),
    async () => send('PATCH', '/pets/11', { name: 'Rex' }),
    async () => send('PATCH', '/pets/12', { sku: 'X' }),
    async () => app.admin.write(order(13n), CLI_AUTHOR),
    async () => {
      await app.admin.write(order(14n), CLI_AUTHOR);
      await app.admin.write({ kind: 'step', step: 'cancel', orderId: 2 }, CLI_AUTHOR);
    },
    // A count that confirms is a movement too.
    async () => app.request('PATCH', '/v1/inventory/15', { body: '{"quantity":3,"reason":"cycle_count"}' }),
    async () =>
      app.admin.write({ kind: 'change', change: { kind: 'status', petId: 16n, status: 'sold' } }, CLI_AUTHOR),
  ];
  for (const [i, change] of changes.entries()) {
    const petId = 10 + i;
    await add(petId, { quantity: 3 });
    await change();
    const { status, code, text } = await send('DELETE', `/pets/${petId}`);
    assert.deepEqual([status, code], [409, 'conflict'], `pet ${petId}`);
    assert.match(text, /was changed after its creation.*Archive it instead/);
    assert.equal((await send('GET', `/pets/${petId}`)).status, 200);
  }
  const viewer = await app.makeAdminKey('viewer');
  assert.equal((await app.request('DELETE', '/admin/v1/pets/1', { key: viewer.key })).status, 403);
  await assertIntact();
});

test('a petId and codes that a deletion made free are used again, as another pet', async (t) => {
  const { app, send, list, head, add, assertIntact } = await deletingShop(t);
  const first = await add(4, { quantity: 5, sku: 'T', barcodes: [EAN] });
  const created = await head();
  await send('DELETE', '/pets/4');
  const again = await add(4, { name: 'Other', quantity: 9, sku: 'T', barcodes: [EAN] });
  assert.equal(again.status, 201);
  assert.notEqual(again.headers.get('ETag'), first.headers.get('ETag'));
  const { text } = await app.request('GET', '/v1/inventory/4');
  assert.match(text, /"quantity":9.*"version":3/);
  assert.match(await list(), /"petId":4,"quantity":9/);
  assert.match(await list(`?atSequence=${created}`), /"petId":4,"quantity":5/);
  assert.doesNotMatch(await list(`?atSequence=${created + 1}`), /"petId":4/);
  // Neither the first pet nor its deletion is taken back.
  for (const sequence of [created, created + 1]) {
    const { status } = await app.request('POST', `/v1/movements/${sequence}/revert`, { body: '{}' });
    assert.equal(status, 409, `movement ${sequence}`);
  }
  await assertIntact();

  // The new pet has one movement too; then a file makes it again.
  await send('DELETE', '/pets/4');
  const result = await app.admin.importPets([petRow(4, { quantity: 2 }), petRow(1, { quantity: 8 })], 'cli');
  assert.deepEqual(result, { created: 1, changed: 1, unchanged: 0 });
  assert.match((await app.request('GET', '/v1/inventory/4')).text, /"quantity":2.*"version":5/);
  assert.match(await list(`?atSequence=${created}`), /"petId":4,"quantity":5/);
  assert.deepEqual(await app.database.rows('SELECT count(*) FROM deleted_pets'), [[0]]);
  assert.equal(JSON.parse((await app.request('GET', '/v1/inventory/4/movements')).text).length, 5);
  await assertIntact();
});

test('a change and a deletion at the same time: one of them is refused', async (t) => {
  const { other, send, add, assertIntact } = await deletingShop(t);
  const petIds = Array.from({ length: 20 }, (_, i) => 100 + i);
  for (const petId of petIds) await add(petId, { quantity: 5 });
  const results = await Promise.all(
    petIds.map((petId) =>
      Promise.all([
        send('DELETE', `/pets/${petId}`),
        other.request('PATCH', `/v1/inventory/${petId}`, { body: '{"quantity":4}' }),
      ]),
    ),
  );
  for (const [i, [deleted, changed]] of results.entries()) {
    const both = [deleted.status, changed.status];
    assert.ok(both.join() === '204,404' || both.join() === '409,200', `pet ${petIds[i]}: ${both.join()}`);
  }
  await assertIntact();
});

test('a prune, a stream and an import plan know of a deletion', async (t) => {
  const { app, send, list, add, assertIntact } = await deletingShop(t, { nowMs: 'now' });
  const stream = await app.request('GET', '/v1/inventory');
  const after = Number(stream.headers.get('Inventory-Sequence'));
  await add(4, { quantity: 5 });
  const planned = await app.admin.bulkChanges.create({ petIds: [4n] }, { status: 'sold' }, CLI_AUTHOR);
  while (await app.admin.bulkJobs.runNext());
  await send('DELETE', '/pets/4');
  await app.admin.bulkChanges.apply(planned.id, CLI_AUTHOR);
  while (await app.admin.bulkJobs.runNext());
  assert.equal((await app.admin.bulkChanges.find(planned.id)).counts.stale, 1);
  const events = JSON.parse((await app.request('GET', `/v1/movements?after=${after}`)).text) as {
    revertedSequence: number | null;
  }[];
  assert.deepEqual(
    events.map(({ revertedSequence }) => revertedSequence),
    [null, after + 1],
  );

  await app.admin.pruneMovements(LATER, CLI_AUTHOR);
  await assertIntact();
  const head = after + 2;
  assert.doesNotMatch(await list(`?atSequence=${head}`), /"petId":4/);
  assert.equal((await add(4, { quantity: 1 })).status, 201);
  await assertIntact();
  assert.match((await app.request('GET', '/v1/inventory/4')).text, /"version":3/);
});

test('verify finds a deleted pet that has stock again, and a deletion without its record', async (t) => {
  const { app, send, add } = await deletingShop(t);
  await add(4, { quantity: 5 });
  const copy = await app.database.rows('SELECT version, last_sequence FROM inventory WHERE pet_id = 4');
  await send('DELETE', '/pets/4');
  const [[version, last] = []] = copy;
  await app.database.run(
    `INSERT INTO inventory (pet_id, quantity, status, version, last_sequence, updated_at, reserved, created_at) VALUES (4, 5, 'available', ${version}, ${last}, 1, 0, 1)`,
  );
  await app.database.run('INSERT INTO pets (pet_id) VALUES (4)');
  const faultsOf = async () => (await app.admin.verify()).faults.join('\n');
  assert.match(await faultsOf(), /Pet 4 has stock, but movement \d+ deleted it/);
  await app.database.run('DELETE FROM inventory WHERE pet_id = 4');
  await app.database.run('DELETE FROM pets WHERE pet_id = 4');
  await app.database.run('UPDATE deleted_pets SET version = 7');
  assert.match(await faultsOf(), /Pet 4 is recorded as deleted by movement \d+ with version 7/);
  await app.database.run('DELETE FROM deleted_pets');
  assert.match(await faultsOf(), /Pet 4 was deleted, but has no record of that/);
});
