import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { AdminStore } from '../../../src/domain/admin-store.ts';
import { UNEXPLAINED } from '../../../src/domain/ledger/ledger.ts';
import { CLI_AUTHOR } from '../../../src/domain/management/activity.ts';
import type { WriteCommand } from '../../../src/domain/write-command.ts';
import { openAdmin } from '../../../src/store/open-admin.ts';
import { commandLine, json, petRow, temporaryFolder } from '../../support/command-line.ts';
import { sharedPostgres } from '../support/shared-postgres.ts';
import { isSkippedDaily } from '../../support/long-test.ts';

const { server: postgres } = await sharedPostgres();

function placed(...lines: readonly (readonly [petId: bigint, quantity: number])[]): WriteCommand {
  return {
    kind: 'place',
    lines: lines.map(([petId, quantity]) => ({ petId, quantity })),
    explanation: { ...UNEXPLAINED, referenceId: 'cart "1"', note: 'two\nlines' },
  };
}

/** Three orders: one stays placed, one is cancelled, one is delivered. */
async function takeOrders(admin: AdminStore): Promise<void> {
  for (const command of [
    placed([1n, 3], [2n, 4]),
    placed([1n, 2]),
    { kind: 'step', step: 'cancel', orderId: 2 },
    placed([1n, 5]),
    { kind: 'step', step: 'approve', orderId: 3 },
    { kind: 'step', step: 'deliver', orderId: 3 },
  ] as const) {
    assert.equal((await admin.write(command, CLI_AUTHOR)).code, 'done');
  }
}

test('move takes orders, reservations, thresholds and sales along as they are', async (t) => {
  if (isSkippedDaily(t)) return;
  const folder = temporaryFolder(t);
  const file = join(folder, 'petstore.db');
  const from = `sqlite:${file}`;
  const cli = commandLine(folder);
  await json(cli, 'migrate');
  const source = await openAdmin(from);
  await source.importPets(
    [1, 2, 3].map((petId) => petRow(petId, { quantity: 20 })),
    'cli',
  );
  await takeOrders(source);
  await source.importPets([petRow(9, { quantity: 4 })], 'cli');
  await source.pets.delete(9n, CLI_AUTHOR);
  await source.close();
  await json(cli, 'pets', 'thresholds', '1', '--low', '100', '--restock', '200');
  await json(cli, 'pets', 'thresholds', '--default', '--low', '50');
  const lines = ['orders list', 'pets thresholds', 'pets thresholds 1 2 3', 'verify'].map((line) =>
    line.split(' '),
  );
  const before = await Promise.all(lines.map((words) => json(cli, ...words)));
  const to = await postgres.createDatabase();
  const moved = await json(cli, 'move', '--from', from, '--to', to);
  assert.deepEqual([moved.pets, moved.movements, moved.orders], [3, 14, 3]);

  const pepper = readFileSync(`${file}.pepper`, 'utf8').trim();
  const destination = commandLine(folder, { env: { PETSTORE_DATABASE: to, PETSTORE_PEPPER: pepper } });
  for (const [i, words] of lines.entries()) {
    assert.deepEqual(await json(destination, ...words), before[i], words.join(' '));
  }
  const [sale] = await postgres.query('SELECT pet_id, units FROM sales', new URL(to).pathname.slice(1));
  assert.deepEqual({ ...sale }, { pet_id: '1', units: '5' });

  const target = await openAdmin(to);
  t.after(() => target.close());
  assert.equal((await target.write({ kind: 'step', step: 'return', orderId: 3 }, CLI_AUTHOR)).code, 'done');
  assert.equal((await target.write({ kind: 'step', step: 'approve', orderId: 1 }, CLI_AUTHOR)).code, 'done');
  const next = await target.write(placed([1n, 1]), CLI_AUTHOR);
  assert.ok(next.kind === 'order' && next.order?.orderId === 4, 'the numbers of orders continue');
  await target.importPets([petRow(9, { quantity: 1 })], 'cli');
  assert.equal((await target.pets.find(9n)).version, 3, 'the pet that was deleted there');
  assert.deepEqual((await json(destination, 'verify')).faults, []);
});
