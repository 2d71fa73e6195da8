import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { MAX_INT64, MIN_INT64 } from '@petstore-inventory/shared/pet-id';
import { OperatorError } from '../../src/domain/errors.ts';
import { stockTag } from '../../src/domain/ledger/stock.ts';
import { type ActionAuthor, CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import type { NewPet } from '../../src/domain/management/pets.ts';
import { SqlPetStore } from '../../src/store/admin/pet-store.ts';
import { DEFAULT_RULES } from '../../src/store/open-admin.ts';
import { openAdminEngine } from '../../src/store/open-engine.ts';
import { newAdminStore, petRow } from '../support/command-line.ts';
import { testOnceIn } from '../support/test-database.ts';
import { allPets, assertIndexed, otherThread } from './indexed-pets.ts';

const once = testOnceIn();

const AUTHOR: ActionAuthor = { actor: 'key_ada', requestId: 'req-1' };

function newPet(petId: bigint, fields: Partial<NewPet> = {}): NewPet {
  const empty = { name: null, category: null, quantity: 0, lowStockAt: null, restockAt: null };
  return { petId, status: 'available', ...empty, ...fields };
}

async function petShop(t: TestContext) {
  const { store, database } = await newAdminStore(t);
  return {
    store,
    database,
    pets: store.pets,
    actions: async () => {
      const entries = await store.activity.list({ limit: 50 });
      return entries
        .map(({ action, target, details, actor }) => [action, target, details, actor])
        .toReversed();
    },
    assertIntact: async () => {
      await assertIndexed(database);
      assert.deepEqual((await store.verify()).faults, []);
    },
  };
}

async function assertRefused(work: Promise<unknown>, code: string, message?: RegExp): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof OperatorError, String(error));
    assert.equal(error.code, code);
    if (message) assert.match(error.message, message);
    return true;
  });
}

test('a new pet has its first movement, its words and a line in the activity log', async (t) => {
  const { pets, actions, database, assertIntact } = await petShop(t);
  const pet = await pets.create(
    newPet(7n, { name: ' Rex ', category: 'Dogs', quantity: 2, lowStockAt: 3, restockAt: 5 }),
    AUTHOR,
  );
  assert.equal(pet.name, 'Rex');
  assert.equal(pet.alertLevel, 'low');
  assert.deepEqual([pet.version, pet.lastSequence, pet.archivedAtMs], [1, 1, null]);
  assert.deepEqual(await pets.find(7n), pet);
  assert.deepEqual(await database.rows('SELECT kind, quantity_after, actor, request_id FROM movements'), [
    ['import', 2, 'key_ada', 'req-1'],
  ]);
  const details = {
    name: 'Rex',
    category: 'Dogs',
    quantity: 2,
    status: 'available',
    lowStockAt: 3,
    restockAt: 5,
  };
  assert.deepEqual(await actions(), [['pets.create', '7', { petId: 7, ...details }, 'key_ada']]);
  await assertRefused(pets.create(newPet(7n), AUTHOR), 'conflict', /already\.$/);
  assert.equal((await actions()).length, 1);
  await assertIntact();
});

once('an edit changes the tag, and removes what is null', async (t) => {
  const { pets, actions, assertIntact } = await petShop(t);
  const first = await pets.create(newPet(1n, { name: 'Rex', category: 'Dogs', quantity: 9 }), AUTHOR);
  const second = await pets.update(1n, { name: 'Max', lowStockAt: 10 }, AUTHOR);
  assert.deepEqual(
    [second.name, second.category, second.alertLevel, second.version],
    ['Max', 'Dogs', 'low', 2],
  );
  assert.notEqual(stockTag(second), stockTag(first));
  assert.deepEqual(await pets.update(1n, { name: 'Max' }, AUTHOR), second);
  const third = await pets.update(1n, { name: null, category: ' ', lowStockAt: null }, AUTHOR);
  assert.deepEqual(
    [third.name, third.category, third.lowStockAt, third.alertLevel],
    [null, null, null, null],
  );
  assert.deepEqual((await actions()).slice(1), [
    [
      'pets.update',
      '1',
      { name: 'Max', previousName: 'Rex', lowStockAt: 10, previousLowStockAt: null },
      'key_ada',
    ],
    [
      'pets.update',
      '1',
      {
        ...{ name: null, previousName: 'Max', category: null, previousCategory: 'Dogs' },
        ...{ lowStockAt: null, previousLowStockAt: 10 },
      },
      'key_ada',
    ],
  ]);
  assert.equal(third.quantity, 9);
  await assertIntact();
});

once('an edit checks its conditions and its values', async (t) => {
  const { pets, store } = await petShop(t);
  await pets.create(newPet(1n, { quantity: 1 }), AUTHOR);
  const tag = stockTag(await pets.find(1n));
  await store.importPets([petRow(1, { quantity: 2 })], 'cli');
  await assertRefused(pets.update(1n, { name: 'A' }, AUTHOR, { ifMatch: [tag] }), 'precondition_failed');
  const now = stockTag(await pets.find(1n));
  await pets.update(1n, { name: 'A' }, AUTHOR, { ifMatch: ['other', now] });
  await assertRefused(pets.update(2n, { name: 'A' }, AUTHOR), 'not_found');
  await assertRefused(pets.find(2n), 'not_found');
  for (const name of ['x'.repeat(201), 'a\u0000b', 'line\nbreak', '\uD83D', 'y'.repeat(10_000)]) {
    await assertRefused(pets.update(1n, { name }, AUTHOR), 'validation_failed', /^The name has /);
    await assertRefused(
      pets.create(newPet(9n, { category: name }), AUTHOR),
      'validation_failed',
      /^The category has /,
    );
  }
  const widest = '🐶'.repeat(200);
  assert.equal((await pets.update(1n, { name: widest }, AUTHOR)).name, widest);
  await assertRefused(pets.update(1n, { restockAt: 5 }, AUTHOR), 'validation_failed', /restockAt/);
  await assertRefused(pets.update(1n, { lowStockAt: 5, restockAt: 5 }, AUTHOR), 'validation_failed');
  await pets.update(1n, { lowStockAt: 5, restockAt: 6 }, AUTHOR);
  await assertRefused(pets.update(1n, { lowStockAt: 6 }, AUTHOR), 'validation_failed');
  const { lowStockAt, restockAt } = await pets.update(1n, { lowStockAt: null }, AUTHOR);
  assert.deepEqual(
    [lowStockAt, restockAt],
    [null, null],
    'without a low level there is nothing to come back from',
  );
});

test('a new pet has at most the largest quantity of the shop', async (t) => {
  const { database } = await petShop(t);
  const engine = await openAdminEngine(database.url);
  t.after(() => engine.close());
  const pets = new SqlPetStore(engine, { ...DEFAULT_RULES, maxQuantity: 5 });
  await assertRefused(
    pets.create(newPet(1n, { quantity: 6 }), AUTHOR),
    'validation_failed',
    /^quantity: 6 is more than 5/,
  );
  assert.equal((await pets.create(newPet(1n, { quantity: 5 }), AUTHOR)).quantity, 5);
});

test('only a pet without stock and reservations is archived, and it is hidden until it is restored', async (t) => {
  const { pets, actions, database, assertIntact } = await petShop(t);
  await pets.create(newPet(1n, { name: 'Rex', quantity: 1 }), AUTHOR);
  await pets.create(newPet(2n, { name: 'Rex' }), AUTHOR);
  await assertRefused(pets.archive(1n, AUTHOR), 'conflict', /quantity 1 and 0 reserved/);
  await database.run('UPDATE inventory SET reserved = 1 WHERE pet_id = 2');
  await assertRefused(pets.archive(2n, AUTHOR), 'conflict', /1 reserved/);
  await database.run('UPDATE inventory SET reserved = 0 WHERE pet_id = 2');
  const archived = await pets.archive(2n, AUTHOR);
  assert.ok(archived.archivedAtMs !== null);
  assert.deepEqual(await pets.archive(2n, AUTHOR), archived);
  assert.deepEqual(await pets.find(2n), archived);
  for (const query of [{}, { query: 'rex' }]) {
    assert.deepEqual(await allPets(pets, { archived: 'exclude', ...query }), [1n]);
    assert.deepEqual(await allPets(pets, { archived: 'only', ...query }), [2n]);
    assert.deepEqual(await allPets(pets, { archived: 'include', ...query }), [1n, 2n]);
  }
  assert.deepEqual(await allPets(pets, { archived: 'exclude', query: '2' }), []);
  assert.deepEqual(await allPets(pets, { archived: 'only', query: '2' }), [2n]);
  await assertRefused(pets.create(newPet(2n), AUTHOR), 'conflict', /archived/);
  assert.equal((await pets.restore(2n, AUTHOR)).archivedAtMs, null);
  await pets.restore(2n, AUTHOR);
  assert.deepEqual(await allPets(pets, { archived: 'exclude' }), [1n, 2n]);
  assert.deepEqual((await actions()).slice(2), [
    ['pets.archive', '2', {}, 'key_ada'],
    ['pets.restore', '2', {}, 'key_ada'],
  ]);
  await assertRefused(pets.archive(3n, AUTHOR), 'not_found');
  await assertRefused(pets.restore(3n, AUTHOR), 'not_found');
  await assertIntact();
});

test('pets at both ends of int64 are created, found, listed and edited', async (t) => {
  const { pets, assertIntact } = await petShop(t);
  const ends = [MIN_INT64, -1n, 0n, 2n ** 53n + 1n, MAX_INT64];
  for (const petId of ends) await pets.create(newPet(petId, { name: 'edge' }), AUTHOR);
  for (const limit of [1, 2, 5]) {
    assert.deepEqual(await allPets(pets, { archived: 'exclude', limit }), ends);
    assert.deepEqual(await allPets(pets, { archived: 'exclude', query: 'edge', limit }), ends);
  }
  for (const petId of ends) {
    assert.deepEqual(await allPets(pets, { archived: 'exclude', query: String(petId) }), [petId]);
    assert.equal((await pets.update(petId, { name: 'end' }, AUTHOR)).petId, petId);
    await pets.archive(petId, AUTHOR);
  }
  assert.deepEqual(await allPets(pets, { archived: 'only', limit: 2 }), ends);
  const found = await pets.findAll([MAX_INT64, 5n, MIN_INT64]);
  assert.deepEqual(
    found.map(({ petId }) => petId),
    [MAX_INT64, MIN_INT64],
  );
  assert.equal(await pets.count(), 5);
  await assertIntact();
});

once('a cursor of another query is refused', async (t) => {
  const { pets } = await petShop(t);
  const list = (query: object) => pets.list({ archived: 'exclude', limit: 1, ...query });
  await assertRefused(list({ query: 'rex', after: { petId: 1n } }), 'invalid_parameter');
  await assertRefused(list({ query: 'rex', after: { petId: 1n, word: 'max' } }), 'invalid_parameter');
  await assertRefused(list({ after: { petId: 1n, word: 'max' } }), 'invalid_parameter');
});

test('edits, imports and changes of stock at the same time keep ledger and index right', async (t) => {
  const { store, pets, database, assertIntact } = await petShop(t);
  const other = otherThread(t, database);
  await pets.create(newPet(1n, { name: 'Rex' }), AUTHOR);
  await pets.create(newPet(2n, { name: 'Luna' }), AUTHOR);
  const work: Promise<unknown>[] = [];
  for (let turn = 0; turn < 10; turn += 1) {
    work.push(
      pets.update(1n, { name: `edit ${turn}` }, AUTHOR),
      other.pets.update(1n, { category: `kind ${turn}` }, AUTHOR),
      store.importPets(
        [petRow(1, { name: `import ${turn}`, quantity: turn }), petRow(2, { category: 'Cats' })],
        'cli',
      ),
      store.write({ kind: 'change', change: { kind: 'adjust', petId: 1n, delta: 1 } }, CLI_AUTHOR),
      other.pets.archive(2n, AUTHOR).catch(() => undefined),
      pets.restore(2n, AUTHOR),
    );
  }
  await Promise.all(work);
  await assertIntact();
  // One of two edits that expect the same state wins.
  const ifMatch = [stockTag(await pets.find(1n))];
  const edits = await Promise.allSettled(
    [store, other].map((one, i) => one.pets.update(1n, { name: `winner ${i}` }, AUTHOR, { ifMatch })),
  );
  assert.deepEqual(edits.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  await assertIntact();
});

test('an action that fails leaves nothing', async (t) => {
  const { pets, database, assertIntact, actions } = await petShop(t);
  await pets.create(newPet(1n, { name: 'Rex' }), AUTHOR);
  await database.run('DROP TABLE activity');
  await assert.rejects(pets.update(1n, { name: 'Max' }, AUTHOR));
  await assert.rejects(pets.create(newPet(2n), AUTHOR));
  await assert.rejects(pets.archive(1n, AUTHOR));
  assert.equal((await pets.find(1n)).name, 'Rex');
  assert.equal((await pets.find(1n)).archivedAtMs, null);
  assert.equal(await pets.count(), 1);
  await assert.rejects(actions());
  await assertIntact();
});
