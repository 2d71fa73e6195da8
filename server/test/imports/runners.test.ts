import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImportTask } from '../../src/domain/import-jobs.ts';
import { MAX_IMPORT_FAULTS } from '../../src/domain/management/imports.ts';
import { IMPORT_WORK } from '../../src/store/imports/import-jobs.ts';
import { ALL, AUTHOR, bulkShop } from '../pets/bulk-shop.ts';
import { ImportShop, STAFF } from './import-shop.ts';

const FILE = 'petId,quantity\n1,5\n';

async function claimed({ store }: ImportShop): Promise<ImportTask> {
  return (await store.importJobs.claim()) ?? assert.fail('There is no work.');
}

test('attempts to check a file are none to apply it', async (t) => {
  const shop = await ImportShop.open(t);
  const id = await shop.upload(FILE);
  await shop.database.run('UPDATE imports SET attempts = 9');
  await shop.runJobs();
  assert.equal((await shop.find(id)).state, 'planned');
  assert.equal((await shop.apply(id)).state, 'applied');
});

test('a runner that lost its import releases it for nobody else', async (t) => {
  const shop = await ImportShop.open(t);
  await shop.upload(FILE);
  const lost = await claimed(shop);
  await shop.endLeases();
  const held = await claimed(shop);
  assert.deepEqual([held.id, held.owner !== lost.owner], [lost.id, true]);
  await shop.store.importJobs.release(lost, 0);
  assert.equal(await shop.store.importJobs.claim(), undefined);
  await shop.store.importJobs.release(held, 0);
  assert.equal((await claimed(shop)).id, held.id);
});

test('an import that was applied has not failed, whatever its runner met afterwards', async (t) => {
  const shop = await ImportShop.open(t);
  const { id } = await shop.planned(FILE);
  await shop.store.imports.apply(id, STAFF);
  const task = await claimed(shop);
  await shop.store.importJobs.apply(task);
  await shop.store.importJobs.fail(task, 'disk_full');
  assert.equal((await shop.find(id)).state, 'applied');
});

test('a stale plan counts all rows whose stock changed, and keeps a hundred of them', async (t) => {
  const shop = await ImportShop.open(t);
  const rows = MAX_IMPORT_FAULTS + 1;
  const fileOf = (quantity: number) =>
    `petId,quantity\n${Array.from({ length: rows }, (_, petId) => `${petId},${quantity}\n`).join('')}`;
  const stale = await shop.planned(fileOf(1));
  await shop.apply((await shop.planned(fileOf(2))).id);
  const { state, faultCount, faults } = await shop.apply(stale.id);
  assert.deepEqual([state, faultCount, faults.length], ['stale', rows, MAX_IMPORT_FAULTS]);
});

test('a bulk change has work for a runner while it is planned, applied and undone, and not between these', async (t) => {
  const { database, bulkChanges, run } = await bulkShop(t);
  const hasWork = async () => (await database.rows(IMPORT_WORK.replaceAll('$1', '0'))).length > 0;
  const { id } = await bulkChanges.create({ filter: ALL }, { category: 'Pets' }, AUTHOR);
  const found = [await hasWork()];
  await run();
  found.push(await hasWork());
  for (const verb of ['apply', 'undo'] as const) {
    await bulkChanges[verb](id, AUTHOR);
    found.push(await hasWork());
    await run();
    found.push(await hasWork());
  }
  assert.deepEqual(found, [true, false, true, false, true, false]);
});
