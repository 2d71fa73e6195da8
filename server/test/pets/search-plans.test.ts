import assert from 'node:assert/strict';
import { test } from 'node:test';
import { POSTGRES_COMMON_PAGE, POSTGRES_PAGE, SQLITE_PAGE } from '../../src/store/pets/catalog-sql.ts';
import { READ_PETS } from '../../src/store/pets/pet-sql.ts';
import { countOfSupplier, petsOfSupplier } from '../../src/store/pets/suppliers.ts';
import { openAdminEngine } from '../../src/store/open-engine.ts';
import type { SqlDialect } from '../../src/store/sql-client.ts';
import { newAdminStore, petRow } from '../support/command-line.ts';
import { allPets } from './indexed-pets.ts';
import type { TestDatabase } from '../support/test-database.ts';

/** As many pets as a part of an export. */
const PORTION = 1_000;
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

/** A statement, its values in the last page, because PostgreSQL plans for values, and how SQLite enters each table. */
type Read = readonly [sql: string, values: readonly (string | number)[], entries: readonly string[]];
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

/** A node of an executed plan of PostgreSQL, with `FORMAT JSON`. */
interface ExecutedNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly ExecutedNode[];
}

function rowsRead(node: ExecutedNode): number {
  const own = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  const below = (node.Plans ?? []).map(rowsRead);
  return below.reduce((sum, rows) => sum + rows, node['Relation Name'] === undefined ? 0 : own);
}

async function checkOnPostgres(database: TestDatabase, [sql, values]: Read, title: string): Promise<void> {
  const literal = (_place: string, number: string) => `'${values[Number(number) - 1]}'`;
  const [row] = await database.rows(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql.replaceAll(/\$(\d+)/g, literal)}`);
  assert.ok(row);
  const [{ Plan }] = row[0] as unknown as [{ Plan: ExecutedNode }];
  const count = rowsRead(Plan);
  assert.ok(count <= 2 * PORTION, `${title} read ${count} rows: ${JSON.stringify(Plan)}`);
}

async function checkOnSqlite(database: TestDatabase, [sql, , entries]: Read, title: string): Promise<void> {
  const steps = (await database.rows(`EXPLAIN QUERY PLAN ${sql}`)).map((row) => String(row[3]));
  for (const entry of entries) assert.ok(steps.includes(entry), `${title}:\n${steps.join('\n')}`);
  assert.ok(!steps.some((step) => /^SCAN (?:pets|inventory|pet_words)/.test(step)), steps.join('\n'));
}

test('each page of pets reads a bounded number of rows, with statistics and without', async (t) => {
  const { store, database } = await newAdminStore(t);
  const isSqlite = database.url.startsWith('sqlite:');
  const check = isSqlite ? checkOnSqlite : checkOnPostgres;
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
    for (const [name, read] of Object.entries(reads)) await check(database, read, `${name} ${change}`);
  }
  const list = (category: string, limit: number) =>
    allPets(store.pets, { archived: 'include', category, limit });
  for (const limit of [1, 3, 10]) assert.deepEqual(await list('Rare', limit), RARE.map(BigInt));
  assert.deepEqual(await list('None', 10), []);
});
