import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { UNEXPLAINED } from '../../../src/domain/ledger/ledger.ts';
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

test('the undo of a redo counts after a prune and a move', async (t) => {
  const from = `sqlite:${join(temporaryFolder(t), 'petstore.db')}`;
  await prepareStore(from, [], () => ({ environment: 'production', pepperCheck: 'of this test' }));
  const source = await openAdmin(from);
  t.after(() => source.close());
  await source.importPets([petRow(1n, { quantity: 4 }), petRow(2n)], 'cli');
  await source.reorders.update(1n, { ordered: 10, supplier: 'Zoo' }, CLI_AUTHOR);
  const adjust = (petId: bigint, delta: number, reason: 'received' | 'other') => {
    const explanation = { ...UNEXPLAINED, reason };
    const change = { kind: 'adjust', petId, delta, explanation } as const;
    return source.write({ kind: 'change', change }, CLI_AUTHOR);
  };
  const revert = async (store: Pick<typeof source, 'write'>, sequence: number) => {
    const result = await store.write({ kind: 'revert', sequence }, CLI_AUTHOR);
    assert.equal(result.kind === 'single' && result.code, 'done');
    return result.kind === 'single' ? (result.movement?.sequence ?? 0) : 0;
  };
  await adjust(1n, 6, 'received');
  const { head } = await source.verify();
  const redo = await revert(source, await revert(source, head.sequence));
  await adjust(2n, 1, 'other');
  await source.pruneMovements(Date.now() + 86_400_000, CLI_AUTHOR);
  const received = async (store: Pick<typeof source, 'reorders'>) =>
    (await store.reorders.find(1n)).open?.received;
  assert.equal(await received(source), 6);
  const { server } = await sharedPostgres();
  const to = await server.createDatabase();
  await moveDatabase({ from, to, acceptedUnsafe: [], checkIdentity: () => {} });
  const target = await openAdmin(to);
  t.after(() => target.close());
  assert.equal(await received(target), 6);
  const undone = await revert(target, redo);
  assert.equal(await received(target), 0);
  await revert(target, undone);
  assert.equal(await received(target), 6);
  assert.deepEqual((await target.verify()).faults, []);
});
