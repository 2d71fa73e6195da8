import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Command } from 'commander';
import { buildProgram } from '../../../src/cli/program.ts';
import { openAdmin } from '../../../src/store/open-admin.ts';
import { startPostgres } from '../../postgres/support/postgres-server.ts';
import {
  accountCommands,
  orderCommands,
  petCommands,
  stocktakeCommands,
  webhookCommands,
} from './command-rounds.ts';
import { bounds, commandsDone, Examination, progress } from './examination.ts';
import { LargeShop, MOVEMENTS, ORDERS, PETS, petIdsOf, placeOrders, writePets } from './large-shop.ts';

/** All pets are imported so many times. */
const GENERATIONS = (MOVEMENTS - ORDERS) / PETS;

/** The words of all commands that do something. */
function commandsOf(command: Command, words: readonly string[] = []): string[] {
  if (command.commands.length === 0) return [words.join(' ')];
  // Such as `backup`, which has `backup check` too.
  const itself = command.registeredArguments.length > 0 ? [words.join(' ')] : [];
  return [...itself, ...command.commands.flatMap((child) => commandsOf(child, [...words, child.name()]))];
}

const folder = await mkdtemp(join(tmpdir(), 'petstore-large-'));
after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
const closing: (() => Promise<unknown> | undefined)[] = [];
const whole = { after: (close: () => Promise<unknown> | undefined) => void closing.push(close) };
after(async () => {
  for (const close of closing.toReversed()) await close();
});
const sqlite = new Examination(
  new LargeShop(whole, folder, `sqlite:${join(folder, 'petstore.db')}`),
  'SQLite',
);

async function examine(of: Examination): Promise<void> {
  await of.command('verify');
  await of.command('doctor');
  await of.serve();
  await of.operations();
  await of.importWhileServing();
  await of.shop.stop();
  await of.start();
  await orderCommands(of);
  await petCommands(of);
  await stocktakeCommands(of);
  await webhookCommands(of);
  await of.command('verify');
}

test(`${PETS} pets, ${ORDERS} orders and ${MOVEMENTS} movements on SQLite`, async () => {
  await sqlite.command('migrate');
  await accountCommands(sqlite);
  const file = sqlite.shop.file('pets.csv');
  await writePets(file, 0);
  await sqlite.command('pets import', [file]);
  await placeOrders(sqlite.shop.database);
  progress(`${ORDERS} orders`);
  const admin = await openAdmin(sqlite.shop.database);
  for (let generation = 1; generation < GENERATIONS; generation += 1) {
    await admin.importPets(petIdsOf(generation), 'cli');
    progress(`${ORDERS + (generation + 1) * PETS} movements`);
  }
  await admin.close();
  await sqlite.command('backup', [sqlite.shop.file('first-backup.db')]);
  await examine(sqlite);
  assert.deepEqual(sqlite.excesses, []);
});

test(`${PETS} pets and more than ${MOVEMENTS} movements on PostgreSQL`, async () => {
  const server = await startPostgres(whole);
  const url = await server.createDatabase();
  // From the copy, whose ledger ends with the last of the movements that questions are about.
  const from = `sqlite:${sqlite.shop.file('first-backup.db')}`;
  const postgres = new Examination(sqlite.shop.movedTo(whole, url), 'PostgreSQL');
  await postgres.command('move', ['--from', from, '--to', url]);
  await postgres.command('migrate');
  await accountCommands(postgres);
  await examine(postgres);
  // PostgreSQL's own tool makes its backups, as the output of the command says.
  await postgres.command('backup', [postgres.shop.file('refused.db')], 1);
  await postgres.command('movements prune', ['--yes', '--before', new Date().toISOString()]);
  await postgres.command('verify');
  assert.deepEqual(postgres.excesses, []);
});

test(`the rest of ${MOVEMENTS} movements on SQLite after a prune`, async () => {
  await sqlite.command('openapi', ['--output', sqlite.shop.file('openapi.json')]);
  await sqlite.text('completion', ['bash']);
  await sqlite.text('help', ['keys', 'create']);
  const backup = sqlite.shop.file('second-backup.db');
  await sqlite.command('backup', [backup]);
  await sqlite.command('backup check', [backup]);
  await sqlite.command('movements prune', ['--yes', '--before', new Date().toISOString()]);
  await sqlite.command('verify');
  await sqlite.command('restore', [backup, '--replace']);
  assert.deepEqual(sqlite.excesses, []);
  const all = commandsOf(buildProgram());
  assert.deepEqual([...commandsDone].toSorted(), all.toSorted(), 'every command was run');
  for (const engine of ['SQLite', 'PostgreSQL'] as const) {
    assert.deepEqual(bounds.unused(engine), [], `each bound of ${engine} was measured against`);
  }
});
