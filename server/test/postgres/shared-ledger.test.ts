import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import { startApps, type TestApp } from '../support/harness.ts';
import { SeededRandom } from '../support/limit-clients.ts';
import { listJson, petIdsOf, petRow, petRows } from '../support/pet-rows.ts';
import { recordedMovements } from '../support/recorded-movements.ts';
import { useEngine } from '../support/test-database.ts';
import { PostgresEngine } from './support/postgres-engine.ts';
import { assertLedger, setQuantity } from './support/shared-stores.ts';
import { isSkippedDaily } from '../support/long-test.ts';

useEngine(new PostgresEngine());

const SMALLEST = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;
const ENDS = [SMALLEST, SMALLEST + 1n, -(2n ** 53n) - 1n, 0n, 2n ** 53n + 1n, MAX_INT64 - 1n, MAX_INT64];
const config = { PETSTORE_LOG_LEVEL: 'silent' };

test('the ends of int64 go through import, list, pages, changes and look-ups, through any instance', async (t) => {
  const pets = ENDS.map((petId) => petRow(petId));
  const apps = await startApps(t, 2, { pets });
  const [one, other] = apps as [TestApp, TestApp];
  for (const [i, petId] of ENDS.entries()) {
    const { status, text } = await one.request('PATCH', `/v1/inventory/${petId}`, {
      body: `{"quantity":${Number.MAX_SAFE_INTEGER - i}}`,
    });
    pets[i] = petRow(petId, Number.MAX_SAFE_INTEGER - i);
    assert.deepEqual([status, `[${text}]`], [200, listJson([pets[i] as PetRow])]);
    assert.equal((await other.request('GET', '/v1/inventory')).text, listJson(pets));
    assert.match((await other.request('GET', `/v1/pets/${petId}`)).text, new RegExp(`^{"petId":${petId},`));
  }
  for (const limit of [1, 3, 7]) {
    const petIds: bigint[] = [];
    let target: string | undefined = `/v1/inventory?limit=${limit}`;
    while (target && petIds.length <= ENDS.length) {
      const { json, headers }: Awaited<ReturnType<TestApp['request']>> = await other.request('GET', target);
      petIds.push(...petIdsOf(json));
      const next: string | undefined = /(\/inventory\?[^>]+)>/.exec(headers.get('Link') ?? '')?.[1];
      target = next && `/v1${next}`;
    }
    assert.deepEqual(petIds, ENDS);
  }
  const afterAll = Buffer.from(String(MAX_INT64)).toString('base64url');
  const { status, text } = await other.request('GET', `/v1/inventory?cursor=${afterAll}`);
  assert.deepEqual([status, text], [200, '[]'], 'no pet follows the largest petId');
  await assertLedger(one.database);
});

test('many changes of one pet in one batch are all recorded, in the order of the requests', async (t) => {
  const [app] = (await startApps(t, 1, { pets: [petRow(1n, 5), petRow(2n, 5)], config })) as [TestApp];
  const quantities = Array.from({ length: 300 }, (_, i) => (i * 7) % 11);
  const answers = await Promise.all(
    quantities.flatMap((quantity) => [setQuantity(app.store, 1n, quantity), setQuantity(app.store, 2n, 9)]),
  );
  assert.deepEqual(
    answers.filter((item) => item?.petId === 1n).map((item) => item?.quantity),
    quantities,
  );
  const changes = (await recordedMovements(app)).filter(({ kind }) => kind === 'set');
  const ofOne = changes.filter(({ petId }) => petId === 1n);
  assert.deepEqual(
    ofOne.map(({ quantityAfter }) => quantityAfter),
    quantities,
  );
  assert.equal(changes.length - ofOne.length, 1, 'setting the current value records nothing');
  const versions = await app.database.rows('SELECT pet_id, version FROM inventory ORDER BY pet_id');
  assert.deepEqual(versions, [
    [1, 301],
    [2, 2],
  ]);
  await assertLedger(app.database);
});

test('a change of a missing pet fails alone, and leaves no trace', async (t) => {
  const [app] = (await startApps(t, 1, { pets: petRows(3), config })) as [TestApp];
  const petIds = [1n, 99n, 2n, MAX_INT64, 3n, SMALLEST, 1n];
  const answers = await Promise.all(petIds.map((petId, i) => setQuantity(app.store, petId, 1_000 + i)));
  assert.deepEqual(
    answers.map((item) => item?.quantity),
    petIds.map((petId, i) => (petId >= 1n && petId <= 3n ? 1_000 + i : undefined)),
  );
  assert.equal((await recordedMovements(app)).length, 3 + 4);
  const none = await Promise.all([setQuantity(app.store, 98n, 1), setQuantity(app.store, 99n, 1)]);
  assert.deepEqual(none, [undefined, undefined]);
  await setQuantity(app.store, 1n, 5);
  await assertLedger(app.database);
});

test('two instances and an import that write concurrently make one ledger without gaps, for any clocks', async (t) => {
  if (isSkippedDaily(t)) return;
  const pets = petRows(50);
  const apps = await startApps(t, 2, { pets, config });
  const [app] = apps as [TestApp];
  const random = new SeededRandom(5);
  const writers = apps.map(async ({ store }) => {
    for (let batch = 0; batch < 40; batch += 1) {
      await Promise.all(
        Array.from({ length: random.integer(1, 30) }, () =>
          // A second of this clock is now earlier and now later than the last one.
          setQuantity(
            store,
            BigInt(random.integer(1, 50)),
            random.integer(0, 3),
            app.clock.nowMs + random.integer(-5_000, 5_000),
          ),
        ),
      );
    }
  });
  const importer = (async () => {
    for (let file = 0; file < 10; file += 1) {
      const rows = pets.map(({ petId }) => petRow(petId, random.integer(0, 3)));
      await app.admin.importPets(
        [...rows, petRow(1_000n + BigInt(file))],
        'cli',
        app.clock.nowMs - file * 1_000,
      );
    }
  })();
  await Promise.all([...writers, importer]);
  await assertLedger(app.database);
});

test('an import that waits for the ledger still reads its file, and continues as soon as it can', async (t) => {
  if (isSkippedDaily(t)) return;
  const [app] = (await startApps(t, 1, { config })) as [TestApp];
  await app.database.run('BEGIN; SELECT pg_advisory_xact_lock(1885697139, 1)');
  let isRead = false;
  function* rows(): Generator<PetRow> {
    yield* petRows(25_000);
    isRead = true;
  }
  const importing = app.admin.importPets(rows(), 'cli', 0);
  while (!isRead) await new Promise((resolve) => setImmediate(resolve));
  assert.equal((await app.store.listInventory()).itemCount, 0);
  await app.database.run('COMMIT');
  assert.deepEqual(await importing, { created: 25_000, changed: 0, unchanged: 0 });
  assert.equal((await app.store.listInventory()).itemCount, 25_000);
});
