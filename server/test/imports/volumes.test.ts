import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ImportCheck } from '../../src/management/jobs/import-check.ts';
import { SqlImportJobs } from '../../src/store/imports/import-jobs.ts';
import { SqliteAdminEngine } from '../../src/store/sqlite/admin/engine.ts';
import { databaseFile } from '../../src/store/sqlite/open.ts';
import { ImportShop, STAFF } from './import-shop.ts';

const LIMIT = 3;
/** Around a limit, and beyond a second portion. */
const VOLUMES = [LIMIT - 1, LIMIT, LIMIT + 1, 2 * LIMIT, 2 * LIMIT + 1];
const lines = (count: number) => Array.from({ length: count }, (_, i) => `${i},1\n`).join('');

test('the rows of an earlier check are deleted whole, whatever their number', async (t) => {
  const shop = await ImportShop.open(t);
  const engine = SqliteAdminEngine.open(databaseFile(shop.database.url));
  t.after(() => engine.close());
  for (const count of VOLUMES) {
    const { id } = await shop.planned(`petId,quantity\n${lines(count)}`);
    await shop.store.imports.plan(id, STAFF);
    const task = await shop.store.importJobs.claim();
    assert.equal(task?.id, id);
    assert.equal((await shop.rows(id)).length, count);
    assert.equal(await new SqlImportJobs(engine, LIMIT).clearRows(task), true);
    assert.equal((await shop.rows(id)).length, 0, `${count} rows`);
    await shop.store.imports.delete(id, STAFF);
  }
});

test('a deleted import goes with all of its rows, whatever their number', async (t) => {
  const shop = await ImportShop.open(t);
  const engine = SqliteAdminEngine.open(databaseFile(shop.database.url));
  t.after(() => engine.close());
  for (const count of VOLUMES) {
    const { id } = await shop.planned(`petId,quantity\n${lines(count)}`);
    await shop.store.imports.delete(id, STAFF);
    const jobs = new SqlImportJobs(engine, LIMIT);
    while (await jobs.purge());
    const left = await shop.database.rows(
      'SELECT (SELECT count(*) FROM import_rows), (SELECT count(*) FROM imports)',
    );
    assert.deepEqual(left, [[0, 0]], `${count} rows`);
  }
});

test('a check takes all rows of a file in pieces, whatever their number', () => {
  const task = {
    id: 'imp_1',
    state: 'checking',
    format: 'csv',
    mode: 'set',
    changes: 0,
    owner: 'test',
  } as const;
  for (const count of VOLUMES) {
    const check = new ImportCheck(task, 9, LIMIT);
    const taken: number[] = [];
    const takeAll = (isLast: boolean) => {
      for (let piece = check.take(isLast); piece.length > 0; piece = check.take(isLast))
        taken.push(...piece.map(({ line }) => line));
    };
    for (const line of `petId,quantity\n${lines(count)}`.split(/(?<=\n)/)) {
      check.read(Buffer.from(line));
      takeAll(false);
    }
    for (const _ of check.finish()) takeAll(false);
    takeAll(true);
    assert.deepEqual(
      taken,
      Array.from({ length: count }, (_, i) => i + 2),
      `${count} rows`,
    );
  }
});
