import assert from 'node:assert/strict';
import { test } from 'node:test';
import { POSTGRES_COMMON_PAGE, POSTGRES_PAGE, SQLITE_PAGE } from '../../src/store/pets/catalog-sql.ts';
import { READ_PETS } from '../../src/store/pets/pet-sql.ts';
import { countOfSupplier, petsOfSupplier } from '../../src/store/pets/suppliers.ts';
import { openAdminEngine } from '../../src/store/open-engine.ts';
import type { SqlDialect } from '../../src/store/sql-client.ts';
import { newAdminStore, petRow } from '../support/command-line.ts';
import { checkOf, PORTION, type Read } from './bounded-reads.ts';
import { allPets } from './indexed-pets.ts';

/** PostgreSQL reads small tables whole, because it is faster. */
const PETS = 60_000;
const LAST = PETS - PORTION - 1;
/** Pets of a category that are many statements apart. */
const RARE: readonly number[] = [5, 35_000, 35_001, PETS - 1];
const PET_IDS = Array.from({ length: PORTION }, (_, i) => String((i * 7_919) % PETS));
const WORDS = 'SEARCH pet_words USING PRIMARY KEY ((word,pet_id)>(?,?) AND word<?)';
const PET = 'SEARCH pets USING INTEGER PRIMARY KEY (rowid=?)';
const ORDERED = 'SEARCH reorders USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN';
const OF_SUPPLIER = 'SEARCH reorders USING COVERING INDEX reorders_supplier (supplier=? AND pet_id>?)';
const STOCK = 'SEARCH inventory USING INTEGER PRIMARY KEY (rowid=?)';

const READS: Readonly<Record<string, Read>> = {
  page: [READ_PETS.page, [LAST, PORTION], ['SEARCH pets USING INTEGER PRIMARY KEY (rowid>?)']],
  archivedPage: [
    READ_PETS.archivedPage,
    [LAST, PORTION],
    ['SEARCH pets USING INDEX pets_archived (pet_id>?)'],
  ],
  wordsFrom: [READ_PETS.wordsFrom, ['common\u{10FFFF}', 'common', LAST, PORTION], [WORDS]],
  wordsAfter: [READ_PETS.wordsAfter, ['c\u{10FFFF}', 'common', LAST, PORTION], [WORDS]],
  ofCategory: [
    READ_PETS.ofCategory,
    [LAST - PORTION, LAST, 'Dogs', PORTION],
    ['SEARCH pets USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)'],
  ],
  ofSupplier: [
    READ_PETS.ofSupplier,
    [LAST - PORTION + 1, LAST, '', PORTION],
    ['SEARCH pets USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)', ORDERED],
  ],
  suppliers: [READ_PETS.suppliers(PORTION), PET_IDS, ['SEARCH reorders USING INTEGER PRIMARY KEY (rowid=?)']],
  countWords: [READ_PETS.countWords, ['c', 'c\u{10FFFF}', PORTION], [WORDS]],
  catalogPage: [SQLITE_PAGE, [LAST, PORTION], ['SEARCH pets USING INTEGER PRIMARY KEY (rowid>?)', STOCK]],
  texts: [READ_PETS.texts(PORTION), PET_IDS, [PET]],
  pets: [READ_PETS.pets(PORTION), PET_IDS, [STOCK]],
};

/** The pets of a supplier: of one with few pets, of one whose pets were all before, and of one that has most. */
function readsOfSuppliers(dialect: SqlDialect): Readonly<Record<string, Read>> {
  return {
    ofRare: [petsOfSupplier(dialect), ['Rare', 0, PORTION], [OF_SUPPLIER]],
    afterAllOfSupplier: [petsOfSupplier(dialect), ['Early', PETS / 2, PORTION], [OF_SUPPLIER]],
    pageOfSupplier: [petsOfSupplier(dialect), ['Zoo', LAST, PORTION], [OF_SUPPLIER]],
    countOfSupplier: [countOfSupplier(dialect), ['Zoo', PETS / 2, PORTION], [OF_SUPPLIER]],
  };
}

test('each page of pets reads a bounded number of rows, with statistics and without', async (t) => {
  const { store, database } = await newAdminStore(t);
  const isSqlite = database.url.startsWith('sqlite:');
  const check = checkOf(database);
  const engine = await openAdminEngine(database.url);
  const all = { ...READS, ...readsOfSuppliers(engine.dialect) };
  await engine.close();
  const reads = isSqlite
    ? all
    : {
        ...all,
        catalogPage: [POSTGRES_PAGE, [LAST, PORTION], []] as Read,
        commonCatalogPage: [POSTGRES_COMMON_PAGE, [LAST], []] as Read,
      };
  const rows = Array.from({ length: PETS }, (_, i) =>
    petRow(i, { name: `common n${i}`, category: RARE.includes(i) ? 'Rare' : 'Dogs', quantity: 0 }),
  );
  await store.importPets(rows, 'cli');
  await database.run(
    `INSERT INTO reorders (pet_id, supplier) SELECT pet_id, CASE WHEN pet_id IN (${RARE}) THEN 'Rare' WHEN pet_id < ${PETS / 2} THEN 'Early' ELSE 'Zoo' END FROM pets`,
  );
  for (const change of ['', 'UPDATE pets SET archived_at = 1 WHERE pet_id % 100 = 0', 'ANALYZE']) {
    await database.run(change);
    for (const [name, read] of Object.entries(reads)) await check(read, `${name} ${change}`);
  }
  const list = (category: string, limit: number) =>
    allPets(store.pets, { archived: 'include', category, limit });
  for (const limit of [1, 3, 10]) assert.deepEqual(await list('Rare', limit), RARE.map(BigInt));
  assert.deepEqual(await list('None', 10), []);
});
