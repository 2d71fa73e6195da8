import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import { bytesOf, sequenceOf } from '../inventory/list-store.ts';
import { startApps, type TestApp } from '../support/harness.ts';
import { SeededRandom } from '../support/limit-clients.ts';
import { listJson, petRow, petRows } from '../support/pet-rows.ts';
import { useEngine } from '../support/test-database.ts';
import { PostgresEngine } from './support/postgres-engine.ts';
import { setQuantity } from './support/shared-stores.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const engine = new PostgresEngine();
useEngine(engine);

const MAX_INT64 = 2n ** 63n - 1n;
const config = { PETSTORE_LOG_LEVEL: 'silent' };

test('a list of many pages that ends with the largest petId is complete', async (t) => {
  const pets = [...petRows(2 * 64 * 256 - 1), petRow(MAX_INT64)];
  const [app] = (await startApps(t, 1, { pets, config })) as [TestApp];
  const list = await app.store.listInventory();
  assert.equal(list.itemCount, pets.length);
  assert.equal(bytesOf(list.json()).toString(), listJson(pets));
  await setQuantity(app.store, MAX_INT64, 7);
  pets[pets.length - 1] = petRow(MAX_INT64, 7);
  assert.equal(bytesOf((await app.store.listInventory()).json()).toString(), listJson(pets));
});

test('a list keeps only its own bytes, without the buffer that Node shares between small ones', async (t) => {
  const [app] = (await startApps(t, 1, { pets: petRows(3), config })) as [TestApp];
  const list = await app.store.listInventory();
  const parts = [...list.parts()];
  assert.equal(parts.length, 1);
  for (const part of parts) assert.equal(part.buffer.byteLength, part.byteLength);
});

test('lists through both instances hold each change and import the moment it is acknowledged', async (t) => {
  if (isSkippedDaily(t)) return;
  const pets = petRows(1_000);
  const apps = await startApps(t, 2, { pets, config });
  const [app] = apps as [TestApp];
  const stores = apps.map(({ store }) => store);
  const random = new SeededRandom(3);
  const model = new Map(pets.map((pet) => [pet.petId, pet]));
  const note = (rows: readonly PetRow[]) => {
    for (const row of rows) model.set(row.petId, row);
  };
  for (let round = 0; round < 150; round += 1) {
    const store = random.pick(stores);
    if (random.chance(0.3)) {
      const rows = Array.from({ length: random.integer(1, 300) }, (_, i) =>
        petRow(
          random.chance(0.5) ? random.pick([...model.keys()]) : BigInt(-round * 1_000 - i),
          random.integer(0, 9),
        ),
      );
      const distinct = [...new Map(rows.map((row) => [row.petId, row])).values()];
      await app.admin.importPets(distinct, 'cli', app.clock.nowMs);
      note(distinct);
    } else {
      const petIds = [
        ...new Set(Array.from({ length: random.integer(1, 20) }, () => random.pick([...model.keys()]))),
      ];
      const changed = petIds.map((petId) => ({
        ...(model.get(petId) as PetRow),
        quantity: random.integer(10, 999),
      }));
      await Promise.all(changed.map(({ petId, quantity }) => setQuantity(store, petId, quantity)));
      note(changed);
    }
    for (const reader of stores) {
      const list = await reader.listInventory();
      assert.equal(bytesOf(list.json()).toString(), listJson(model.values()), `round ${round}`);
      assert.equal(await reader.inventoryTag(), list.tag);
    }
  }
});

test('under load a list contains every change acknowledged before its request', async (t) => {
  const apps = await startApps(t, 2, { pets: petRows(600), config });
  const [app] = apps as [TestApp];
  const stores = apps.map(({ store }) => store);
  const random = new SeededRandom(4);
  /** The quantities of each pet only grow, so that an older list shows a smaller one. */
  const acknowledged = new Map<number, number>();
  let writing = 3;
  const write = async (writer: number) => {
    for (let i = 1; i <= 150; i += 1) {
      // Each writer has separate pets.
      const petId = 3 * random.integer(0, 199) + writer + 1;
      const quantity = 1_000 + i;
      await setQuantity(random.pick(stores), BigInt(petId), quantity);
      acknowledged.set(petId, quantity);
    }
    writing -= 1;
  };
  let lists = 0;
  const read = async ({ store, principal, clock }: TestApp) => {
    let last = 0;
    while (writing > 0) {
      const before = new Map(acknowledged);
      // The head of the ledger is read separately, or together with the limits.
      const head = random.chance(0.5) ? (await store.admit(principal, clock.nowMs)).head : undefined;
      const list = await store.listInventory(head);
      assert.ok(sequenceOf(list) >= last, 'the lists of an instance never get older');
      last = sequenceOf(list);
      const items = JSON.parse(bytesOf(list.json()).toString()) as { petId: number; quantity: number }[];
      const listed = new Map(items.map(({ petId, quantity }) => [petId, quantity]));
      for (const [petId, quantity] of before) {
        assert.ok(
          (listed.get(petId) ?? 0) >= quantity,
          `pet ${petId} of ${list.tag} is older than ${quantity}`,
        );
      }
      lists += 1;
    }
  };
  await Promise.all([0, 1, 2].map(write).concat(apps.flatMap((each) => [read(each), read(each)])));
  t.diagnostic(`${lists} lists`);
  assert.ok(lists >= 50);
  assert.deepEqual((await app.admin.verify()).faults, []);
});

test('after a loss of its connections an instance reads the whole list again, and recovers', async (t) => {
  const apps = await startApps(t, 2, { pets: petRows(700), config, losesConnections: true });
  const [app, other] = apps as [TestApp, TestApp];
  for (const { store } of apps) await store.admit(app.principal, app.clock.nowMs);
  const before = await app.store.listInventory();
  await setQuantity(app.store, 5n, 4_241);
  await setQuantity(other.store, 5n, 4_242);
  const server = await engine.server();
  const ended = await server.terminateBackends(new URL(app.database.url).pathname.slice(1));
  assert.ok(ended >= 8, `${ended} connections were ended`);
  const deadlineMs = performance.now() + 5_000;
  for (const { store } of apps) {
    for (;;) {
      const list = await Promise.resolve(store.listInventory()).catch(() => undefined);
      if (list) {
        assert.notEqual(list.tag, before.tag);
        assert.match(bytesOf(list.json()).toString(), /"petId":5,"quantity":4242,/);
        break;
      }
      assert.ok(performance.now() < deadlineMs, 'it does not recover within 5 s');
    }
    assert.equal((await setQuantity(store, 6n, 77))?.quantity, 77);
    const { failure } = await store.admit(app.principal, app.clock.nowMs);
    assert.equal(failure, undefined);
    await store.checkHealth();
  }
});

test('a list is not kept when the server that takes over lacks the newest movement', async (t) => {
  const apps = await startApps(t, 1, { pets: petRows(5), config, losesConnections: true });
  const [{ store, database }] = apps as [TestApp];
  const jsonOf = async () => bytesOf((await store.listInventory()).json()).toString();
  await setQuantity(store, 1n, 1_111);
  await setQuantity(store, 1n, 2_222);
  assert.match(await jsonOf(), /"petId":1,"quantity":2222,/);
  await database.unguard();
  await database.run(`UPDATE inventory SET quantity = 1111, version = version - 1, last_sequence = 6 WHERE pet_id = 1;
DELETE FROM movements WHERE sequence = 7`);
  const server = await engine.server();
  await server.terminateBackends(new URL(database.url).pathname.slice(1));
  const deadlineMs = performance.now() + 5_000;
  while (!/"petId":1,"quantity":1111,/.test(await jsonOf().catch(() => ''))) {
    assert.ok(performance.now() < deadlineMs, 'it still uses the list of the previous server');
  }
});
