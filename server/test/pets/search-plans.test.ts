import assert from 'node:assert/strict';
import { test } from 'node:test';
import { READ_PETS } from '../../src/store/pets/pet-sql.ts';
import { newAdminStore, petRow } from '../support/command-line.ts';

const WORDS = 'SEARCH pet_words USING PRIMARY KEY ((word,pet_id)>(?,?) AND word<?)';
const STOCK = 'SEARCH inventory USING INTEGER PRIMARY KEY (rowid=?)';

/** How SQLite enters the index of each page. */
const ENTRIES = {
  page: ['SEARCH pets USING INTEGER PRIMARY KEY (rowid>?)', STOCK],
  archivedPage: ['SEARCH pets USING INDEX pets_archived (pet_id>?)', STOCK],
  wordsFrom: [WORDS, STOCK],
  wordsAfter: [WORDS, STOCK],
  countWords: [WORDS],
} as const;

test('each page of pets on SQLite enters an index at its first row', async (t) => {
  const { store, database } = await newAdminStore(t);
  const rows = Array.from({ length: 2_000 }, (_, i) => petRow(i, { name: `common n${i}`, category: 'Dogs' }));
  await store.importPets(rows, 'cli');
  for (const statistics of ['', 'ANALYZE', 'UPDATE pets SET archived_at = 1 WHERE pet_id % 100 = 0']) {
    await database.run(statistics);
    for (const [name, entries] of Object.entries(ENTRIES)) {
      const sql = READ_PETS[name as keyof typeof ENTRIES];
      const steps = (await database.rows(`EXPLAIN QUERY PLAN ${sql}`)).map((row) => String(row[3]));
      for (const entry of entries) assert.ok(steps.includes(entry), `${name}:\n${steps.join('\n')}`);
    }
  }
});
