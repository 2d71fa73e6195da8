import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLI_AUTHOR } from '../../../src/domain/management/activity.ts';
import { moveDatabase, previewMove } from '../../../src/store/move.ts';
import { openAdmin } from '../../../src/store/open-admin.ts';
import { ImportShop, STAFF } from '../../imports/import-shop.ts';
import { petRow } from '../../support/command-line.ts';
import { sharedPostgres } from '../support/shared-postgres.ts';

const FILE = 'petId,quantity,supplier\n1,7,Reef\n2,8,Zoo\n3,9,\n';

test('a move takes the result of an import with its suppliers, and refuses work that is not done', async (t) => {
  const { server } = await sharedPostgres();
  const shop = await ImportShop.open(t);
  const { store, database } = shop;
  await shop.importRows([petRow(1, { quantity: 5 })]);
  const applied = await shop.planned(FILE);
  assert.equal((await shop.apply(applied.id)).state, 'applied');
  const accepted = await shop.planned(FILE.replaceAll('Zoo', 'Aqua'));
  await store.imports.apply(accepted.id, STAFF);

  const from = database.url;
  const to = await server.createDatabase();
  const options = { from, to, acceptedUnsafe: [], checkIdentity: () => {} };
  const refused = new RegExp(
    `^The import ${accepted.id} is being applied, .* imports cancel ${accepted.id}\\.`,
  );
  for (const run of [previewMove, moveDatabase]) await assert.rejects(run(options), { message: refused });
  await store.imports.cancel(accepted.id, CLI_AUTHOR);

  const petIds = [1n];
  const change = await store.bulkChanges.create({ petIds }, { status: 'sold' }, CLI_AUTHOR);
  await store.bulkJobs.runNext();
  await store.bulkChanges.apply(change.id, CLI_AUTHOR);
  await assert.rejects(moveDatabase(options), {
    message: new RegExp(`^The bulk change ${change.id} is being`),
  });
  while (await store.bulkJobs.runNext());
  await store.bulkChanges.undo(change.id, CLI_AUTHOR);
  await assert.rejects(previewMove(options), {
    message: new RegExp(`^The bulk change ${change.id} is being`),
  });
  while (await store.bulkJobs.runNext());

  // A plan changes nothing, and can be made again.
  await store.bulkChanges.create({ petIds }, { status: 'sold' }, CLI_AUTHOR);
  assert.equal((await moveDatabase(options)).reorders, 2);
  const target = await openAdmin(to);
  t.after(() => target.close());
  const suppliers = (await target.reorders.rows([1n, 2n, 3n])).map(({ supplier }) => supplier);
  assert.deepEqual(suppliers, ['Reef', 'Zoo', null]);
  assert.deepEqual((await target.verify()).faults, []);
  assert.deepEqual(await target.imports.list({ limit: 10 }), []);
});
