import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { CLI_AUTHOR } from '../../../src/domain/management/activity.ts';
import { moveDatabase } from '../../../src/store/move.ts';
import { openAdmin, prepareStore } from '../../../src/store/open-admin.ts';
import { petRow, temporaryFolder } from '../../support/command-line.ts';
import { sharedPostgres } from '../support/shared-postgres.ts';

test('a pruned ledger moves to PostgreSQL unchanged, and continues there', async (t) => {
  const from = `sqlite:${join(temporaryFolder(t), 'petstore.db')}`;
  await prepareStore(from, [], () => ({ environment: 'production', pepperCheck: 'of this test' }));
  const source = await openAdmin(from);
  t.after(() => source.close());
  for (const atMs of [10, 20, 30]) {
    const rows = [1n, 2n, 3n].slice(atMs / 20).map((petId) => petRow(petId, { quantity: atMs }));
    await source.importPets(rows, 'cli', atMs);
  }
  const { start } = await source.pruneMovements(30, CLI_AUTHOR);
  const report = await source.verify();
  assert.deepEqual(report.faults, []);

  const { server } = await sharedPostgres();
  const to = await server.createDatabase();
  await moveDatabase({ from, to, acceptedUnsafe: [], checkIdentity: () => {} });
  const target = await openAdmin(to);
  t.after(() => target.close());
  assert.deepEqual(await target.verify([report.head]), report);
  assert.equal(report.prunes.length, 1);
  await target.importPets([petRow(1n, { quantity: 40 }), petRow(4n)], 'cli', 40);
  assert.deepEqual((await target.verify([report.head])).faults, []);
  const pruned = await target.pruneMovements(40, CLI_AUTHOR);
  assert.ok(pruned.start.sequence > start.sequence);
  assert.deepEqual((await target.verify()).faults, []);
});
