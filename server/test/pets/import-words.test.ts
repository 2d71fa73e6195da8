import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { ImportedWords } from '../../src/store/imports/import-words.ts';
import { DEFAULT_RULES, openAdmin } from '../../src/store/open-admin.ts';
import { newAdminStore, petRow } from '../support/command-line.ts';
import { assertIndexed, otherThread } from './indexed-pets.ts';
import { isSkippedDaily } from '../support/long-test.ts';

async function importer(t: TestContext) {
  const { store, database } = await newAdminStore(t);
  return {
    store,
    database,
    importRows: async (...rows: ReturnType<typeof petRow>[]) => {
      await store.importPets(rows, 'cli');
      await assertIndexed(database);
    },
  };
}

test('an import adds the words of new pets, and replaces those of pets with another name or category', async (t) => {
  const { database, importRows } = await importer(t);
  await importRows(
    petRow(1, { name: 'Rex the dog', category: 'Dogs' }),
    petRow(2),
    petRow(3, { category: 'Çats & “more”' }),
    petRow(-(2n ** 63n), { name: 'least' }),
    petRow(2n ** 63n - 1n, { name: 'greatest 🐶', category: 'Dogs' }),
  );
  assert.equal((await database.rows('SELECT word FROM pet_words')).length, 9);
  await importRows(petRow(1, { name: 'Max' }), petRow(2, { name: 'Rex' }), petRow(3, { quantity: 9 }));
  assert.deepEqual(await database.rows('SELECT word FROM pet_words WHERE pet_id = 1 ORDER BY word'), [
    ['dogs'],
    ['max'],
  ]);
  await importRows(petRow(1, { name: 'MAX' }), petRow(3, { category: 'cats more' }));
});

test('a pet that is renamed after an import has split its words, and before it writes, has the words of both', async (t) => {
  const { store, database, importRows } = await importer(t);
  await importRows(
    petRow(1, { name: 'Rex', category: 'Dogs' }),
    petRow(2, { name: 'Max', category: 'Dogs' }),
  );
  const other = await openAdmin(database.url, { rules: DEFAULT_RULES, pepper: () => new Uint8Array(32) });
  t.after(() => other.close());
  const { prepare } = ImportedWords.prototype;
  const prepared = t.mock.method(ImportedWords.prototype, 'prepare', async function (this: ImportedWords) {
    await prepare.call(this);
    await other.pets.update(1n, { name: 'Luna' }, CLI_AUTHOR);
  });
  await store.importPets(
    [1, 2].map((petId) => petRow(petId, { category: 'Hounds' })),
    'cli',
  );
  assert.equal(prepared.mock.callCount(), 1);
  assert.deepEqual(await database.rows('SELECT word FROM pet_words WHERE pet_id = 1 ORDER BY word'), [
    ['hounds'],
    ['luna'],
  ]);
  await assertIndexed(database);
});

test('imports and edits at the same time leave the words of the last names', async (t) => {
  if (isSkippedDaily(t)) return;
  const { store, database } = await importer(t);
  const other = otherThread(t, database);
  const names = ['Rex', 'Max Rex', 'Luna', 'Bella Luna'];
  const rows = (turn: number) =>
    Array.from({ length: 60 }, (_, i) => {
      const name = names[(i + turn) % names.length] as string;
      return turn % 3 === 0 ? petRow(i, { name }) : petRow(i, { category: `${name} kind`, quantity: turn });
    });
  await store.importPets(rows(0), 'cli');
  for (let turn = 1; turn < 10; turn += 1) {
    const edits = Array.from({ length: 40 }, (_, i) =>
      other.pets.update(BigInt(i), { name: `edit ${turn} ${i}` }, CLI_AUTHOR),
    );
    await Promise.all([...edits, store.importPets(rows(turn), 'cli')]);
    await assertIndexed(database);
  }
});
