import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_THRESHOLDS, type Thresholds } from '@petstore-inventory/shared/thresholds';
import { alertLevel } from '../../../src/domain/ledger/alerts.ts';
import type { Movement } from '../../../src/domain/ledger/ledger.ts';
import { CLI_AUTHOR } from '../../../src/domain/management/activity.ts';
import { setShopThresholds } from '../../../src/store/admin/shop-thresholds.ts';
import { openAdminEngine } from '../../../src/store/open-engine.ts';
import { startWriters } from '../../ledger/random-writers.ts';
import { commandLine, temporaryFolder } from '../../support/command-line.ts';
import { startApp, type TestApp } from '../../support/harness.ts';
import { petRow, petRows } from '../../support/pet-rows.ts';
import { plainInteger, testEngine } from '../../support/test-database.ts';
import { place } from './shop-orders.ts';
import { isSkippedDaily } from '../../support/long-test.ts';

/** Pets of several portions. */
const PETS = 2_600;
/** A pet that no random writer changes. */
const WATCHED = BigInt(PETS);

interface Levelled {
  readonly petId: number | bigint;
  readonly available: number;
  readonly level: string | null;
  readonly lowStockAt: number | null;
}

async function stockOf({ database }: TestApp): Promise<Levelled[]> {
  const rows = await database.rows(
    'SELECT pet_id, quantity - reserved, alert_level, low_stock_at FROM inventory ORDER BY pet_id',
  );
  return rows.map(([petId, available, level, low]) => ({
    petId: plainInteger(petId) as number | bigint,
    available: Number(available),
    level: level as string | null,
    lowStockAt: low === null ? null : Number(low),
  }));
}

/** Movements that thresholds caused. */
async function changesOf({ store }: TestApp): Promise<readonly Movement[]> {
  const found: Movement[] = [];
  for (let after: number | undefined = 0; after !== undefined;) {
    const page = await store.ledger.listMovements({
      filter: { kind: 'thresholds', after },
      order: 'asc',
      limit: 1_000,
    });
    found.push(...page.movements);
    after = page.next;
  }
  return found;
}

/** Changes the default on a connection of its own, and fails after the first portion of the pets. */
async function changeInterrupted({ config, admin }: TestApp, thresholds: Thresholds): Promise<void> {
  const engine = await openAdminEngine(config.database);
  let portions = 0;
  try {
    await setShopThresholds(engine, { thresholds, author: CLI_AUTHOR }, async (command) => {
      portions += 1;
      if (portions > 1) throw new Error('killed');
      return admin.write(command, CLI_AUTHOR);
    });
  } finally {
    await engine.close();
  }
}

test('new default thresholds give each pet without its own the level that it has under them', async (t) => {
  if (isSkippedDaily(t)) return;
  const app = await startApp(t, { pets: petRows(PETS) });
  const own = { lowStockAt: 2, restockAt: 4 };
  await app.admin.importPets([{ ...petRow(3n, 3), thresholds: own }], 'cli', app.clock.nowMs);
  await place(app, [[500n, 1]]);
  const { admin } = app;
  assert.deepEqual(await admin.defaultThresholds(), NO_THRESHOLDS);
  const before = await stockOf(app);
  const thresholds = { lowStockAt: 400, restockAt: 600 };
  const changed = await admin.setDefaultThresholds(thresholds, CLI_AUTHOR);
  assert.deepEqual(await admin.defaultThresholds(), thresholds);
  const after = await stockOf(app);
  for (const [i, { petId, available, level, lowStockAt }] of after.entries()) {
    const rule = lowStockAt === null ? thresholds : own;
    assert.equal(level, alertLevel(before[i]?.level as null, available, rule), `pet ${petId}`);
  }
  const different = after.filter(({ level }, i) => level !== before[i]?.level);
  assert.equal(changed, different.length);
  assert.ok(changed > 1_000 && changed < PETS);
  const movements = await changesOf(app);
  assert.deepEqual(
    movements.map(({ petId }) => plainInteger(petId)),
    different.map(({ petId }) => petId),
  );
  for (const { actor, alertBefore, alertAfter, quantityBefore, quantityAfter } of movements) {
    assert.deepEqual([actor, alertBefore, alertAfter], ['cli', null, 'low']);
    assert.equal(quantityBefore, quantityAfter);
  }
  assert.equal(await admin.setDefaultThresholds(thresholds, CLI_AUTHOR), 0, 'nothing is left to change');
  assert.equal(await admin.setDefaultThresholds(NO_THRESHOLDS, CLI_AUTHOR), changed, 'each level ends');
  assert.deepEqual(await admin.defaultThresholds(), NO_THRESHOLDS);
  assert.deepEqual(await stockOf(app), before);
  assert.deepEqual((await admin.verify()).faults, []);
});

test('a pet between the thresholds keeps its level, and a write decides by the new ones immediately', async (t) => {
  const pets = [petRow(1n, 5), petRow(2n, 8), petRow(3n, 0), petRow(4n, 20)];
  const app = await startApp(t, { pets });
  const levels = async () => (await stockOf(app)).map(({ level }) => level);
  const set = (lowStockAt: number | null, restockAt: number | null) =>
    app.admin.setDefaultThresholds({ lowStockAt, restockAt }, CLI_AUTHOR);
  assert.equal(await set(5, 10), 1);
  assert.deepEqual(await levels(), ['low', null, 'out', null]);
  assert.equal(await set(4, 9), 0, 'pet 1 is not restocked');
  assert.equal(await set(4, 5), 1, 'now it is');
  assert.deepEqual(await levels(), [null, null, 'out', null]);
  assert.equal(await set(8, null), 2);
  await place(app, [[4n, 12]]);
  assert.deepEqual(await levels(), ['low', 'low', 'out', 'low']);
  const item = await app.store.findItem(4n, app.clock.nowMs);
  assert.deepEqual([item?.lowStockAt, item?.restockAt], [null, null], 'a default is not its own');
});

test('an interrupted change of the default is completed by the same call', async (t) => {
  const app = await startApp(t, { pets: petRows(PETS) });
  const before = await stockOf(app);
  const thresholds: Thresholds = { lowStockAt: 400, restockAt: null };
  await assert.rejects(changeInterrupted(app, thresholds), { message: 'killed' });
  assert.deepEqual(await app.admin.defaultThresholds(), thresholds);
  const first = await changesOf(app);
  assert.ok(first.length > 0);
  const rest = await app.admin.setDefaultThresholds(thresholds, CLI_AUTHOR);
  assert.ok(rest > 0);
  const expected = before.map(({ available }) => alertLevel(null, available, thresholds));
  assert.deepEqual(
    (await stockOf(app)).map(({ level }) => level),
    expected,
  );
  const petIds = (await changesOf(app)).map(({ petId }) => petId);
  assert.equal(new Set(petIds).size, petIds.length, 'no level was changed twice');
  assert.equal(petIds.length, first.length + rest);
  assert.deepEqual((await app.admin.verify()).faults, []);
});

test('while a service writes, all levels follow the newest default, and the service is not refused', async (t) => {
  const app = await startApp(t, { pets: [...petRows(PETS - 1), petRow(WATCHED, 100_000)] });
  const writers = await startWriters(app, PETS - 1, 12);
  // In processes of their own, because a SQLite connection blocks its thread while it waits for another one.
  const env = { ...testEngine().variables, PETSTORE_DATABASE: app.database.url };
  const operator = commandLine(temporaryFolder(t), { runtime: 'node', env });
  let isOver = false;
  let slowestMs = 0;
  const watch = (async () => {
    while (!isOver) {
      const beganAtMs = performance.now();
      await place(app, [[WATCHED, 1]]);
      slowestMs = Math.max(slowestMs, performance.now() - beganAtMs);
    }
  })();
  await Promise.all(
    [0, 1].map(async (i) => {
      for (let round = 1; round <= 3; round += 1) {
        const words = ['--default', '--low', String(10 * round + i), '--accept-clock'];
        const { code, stderr } = await operator('pets', 'thresholds', ...words);
        assert.equal(code, 0, stderr);
      }
    }),
  );
  isOver = true;
  await watch;
  const writes = await writers.stop();
  t.diagnostic(`${writes} writes, the slowest order took ${slowestMs.toFixed()} ms`);
  const thresholds = await app.admin.defaultThresholds();
  assert.ok(thresholds.lowStockAt === 30 || thresholds.lowStockAt === 31);
  for (const { petId, available, level } of await stockOf(app)) {
    assert.equal(level, alertLevel(null, available, thresholds), `pet ${petId} with ${available}`);
  }
  assert.deepEqual((await app.admin.verify()).faults, []);
});

test('writes get their turn between the portions of a change of the default', async (t) => {
  const pets = 20_000;
  const rows = petRows(pets).map((row) => ({ ...row, quantity: 5 }));
  const app = await startApp(t, { pets: [...rows, petRow(BigInt(pets + 1), 1_000_000)] });
  const env = { ...testEngine().variables, PETSTORE_DATABASE: app.database.url };
  const operator = commandLine(temporaryFolder(t), { runtime: 'node', env });
  let isOver = false;
  const changing = operator('pets', 'thresholds', '--default', '--low', '5', '--accept-clock').finally(() => {
    isOver = true;
  });
  while (!isOver) await place(app, [[BigInt(pets + 1), 1]]);
  assert.equal((await changing).code, 0);
  const sequences = (await changesOf(app)).map(({ sequence }) => sequence);
  assert.equal(sequences.length, pets);
  let [run, longest] = [0, 0];
  for (const [i, sequence] of sequences.entries()) {
    run = sequence - (sequences[i - 1] ?? 0) === 1 ? run + 1 : 1;
    longest = Math.max(longest, run);
  }
  assert.ok(longest <= 5_000, `${longest} pets without a write between them`);
});
