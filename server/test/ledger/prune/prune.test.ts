import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { FIRST_HASH, type LedgerHead, UNEXPLAINED } from '../../../src/domain/ledger/ledger.ts';
import type { Ledger } from '../../../src/domain/ledger-store.ts';
import { CLI_AUTHOR } from '../../../src/domain/management/activity.ts';
import { auditLedger } from '../../../src/store/audit/audit.ts';
import type { AuditSource } from '../../../src/store/audit/audit-rows.ts';
import { openAdminEngine } from '../../../src/store/open-engine.ts';
import { PostgresAdminEngine } from '../../../src/store/postgres/admin/engine.ts';
import { NOTE_DELETION, placePrune, pruneLedger } from '../../../src/store/prune/prune.ts';
import { SqliteAuditSource } from '../../../src/store/sqlite/audit-source.ts';
import { databaseFile, openReader } from '../../../src/store/sqlite/open.ts';
import { newAdminStore, petRow } from '../../support/command-line.ts';
import { startApp } from '../../support/harness.ts';
import { petRows } from '../../support/pet-rows.ts';
import type { TestDatabase } from '../../support/test-database.ts';
import { filledShop } from './pruned-shop.ts';
import { startWriters } from '../random-writers.ts';
import { hashesOf } from '../tampering.ts';
import { isSkippedDaily } from '../../support/long-test.ts';
import { until } from '../../support/until.ts';

const NOTHING_WRONG = { firstBadSequence: null, faults: [] };

async function sequences(database: TestDatabase): Promise<number[]> {
  return (await database.rows('SELECT sequence FROM movements ORDER BY sequence')).map(([sequence]) =>
    Number(sequence),
  );
}

/** The head of a ledger with this number of movements. */
async function headAt(ledger: Ledger, sequence: number): Promise<LedgerHead> {
  let head = await ledger.head();
  await until(
    async () => {
      head = await ledger.head();
      return head.sequence >= sequence;
    },
    () => `${head.sequence} of ${sequence} movements`,
  );
  return head;
}

async function auditSource(t: TestContext, { url }: TestDatabase): Promise<AuditSource> {
  if (url.startsWith('sqlite:')) {
    const reader = openReader(databaseFile(url));
    t.after(() => reader.close());
    return new SqliteAuditSource(reader);
  }
  const engine = await PostgresAdminEngine.connect(url);
  t.after(() => engine.close());
  return engine;
}

/** Four pets. Movements 1 to 4 at 10 ms, 5 to 7 at 20 ms, 8 and 9 at 30 ms. */
async function shop(t: TestContext) {
  const { store, database } = await newAdminStore(t);
  const take = (quantities: Readonly<Record<number, number>>, atMs: number) =>
    store.importPets(
      Object.entries(quantities).map(([petId, quantity]) => petRow(BigInt(petId), { quantity })),
      'cli',
      atMs,
    );
  await take({ 1: 1, 2: 1, 3: 1, 4: 1 }, 10);
  await take({ 1: 2, 2: 2, 3: 2 }, 20);
  await take({ 1: 3, 2: 3 }, 30);
  const assertIntact = async (movements: number) => {
    const { faults, firstBadSequence, ...report } = await store.verify();
    assert.deepEqual({ faults, firstBadSequence }, NOTHING_WRONG);
    assert.equal(report.movements, movements);
  };
  return { store, database, take, assertIntact };
}

test('pruning leaves each pet its newest movement, and the ledger intact', async (t) => {
  const { store, database, assertIntact } = await shop(t);
  const [, , , , , , seventh] = await hashesOf(database);
  const start = { sequence: 7, recordedAtMs: 20 };
  const { prune, ...pruned } = await store.pruneMovements(30, CLI_AUTHOR);
  assert.deepEqual(pruned, { movements: 5, start });
  const { afterSequence, decidedSequence, retained, deleted } = prune!;
  assert.deepEqual([afterSequence, decidedSequence, retained, deleted], [9, 9, 2, 5]);
  assert.deepEqual(await sequences(database), [4, 7, 8, 9]);
  const [kept = []] = await database.rows('SELECT sequence, recorded_at, hash FROM ledger_start');
  assert.deepEqual(kept.slice(0, 2), [7, 20]);
  assert.equal(Buffer.from(kept[2] as Uint8Array).toString('hex'), seventh);
  await assertIntact(4);
  assert.deepEqual(await store.pruneMovements(30, CLI_AUTHOR), { movements: 0, start, prune: undefined });
  await assertIntact(4);
});

test('the beginning of the ledger never moves back, nor beyond the requested point', async (t) => {
  const { store, database, assertIntact } = await shop(t);
  const begins = async (beforeMs: number) => (await store.pruneMovements(beforeMs, CLI_AUTHOR)).start;
  assert.deepEqual(await begins(10), { sequence: 0, recordedAtMs: 0 });
  assert.deepEqual(await begins(11), { sequence: 4, recordedAtMs: 10 });
  assert.deepEqual(await begins(20), { sequence: 4, recordedAtMs: 10 });
  assert.deepEqual(await sequences(database), [4, 5, 6, 7, 8, 9]);
  assert.deepEqual(await begins(21), { sequence: 7, recordedAtMs: 20 });
  assert.deepEqual(await begins(11), { sequence: 7, recordedAtMs: 20 });
  await assertIntact(4);
});

test('the newest movement of the ledger always stays', async (t) => {
  const { store, database, take, assertIntact } = await shop(t);
  assert.deepEqual((await store.pruneMovements(1_000, CLI_AUTHOR)).start, { sequence: 8, recordedAtMs: 30 });
  assert.deepEqual(await sequences(database), [4, 7, 8, 9]);
  await take({ 1: 5, 5: 1 }, 40);
  await assertIntact(6);
  assert.deepEqual((await store.pruneMovements(1_000, CLI_AUTHOR)).start, { sequence: 10, recordedAtMs: 40 });
  assert.deepEqual(await sequences(database), [4, 7, 9, 10, 11]);
  await assertIntact(5);
});

test('a ledger without movements does not change', async (t) => {
  const { store } = await newAdminStore(t);
  const start = { sequence: 0, recordedAtMs: 0 };
  assert.deepEqual(await store.pruneMovements(1_000, CLI_AUTHOR), { movements: 0, start, prune: undefined });
});

test('a pruned ledger that keeps a revert of a deleted movement continues without a fault', async (t) => {
  const app = await startApp(t, { pets: petRows(3) });
  const { store, admin, clock } = app;
  const author = () => {
    clock.nowMs += 1_000;
    return { actor: 'key', actorName: 'a key', requestId: null, atMs: clock.nowMs };
  };
  const revert = (sequence: number) =>
    store.write({ author: author(), command: { kind: 'revert', sequence } });
  const set = (petId: bigint, quantity: number) =>
    store.write({
      author: author(),
      command: { kind: 'change', change: { kind: 'set', petId, quantity, explanation: UNEXPLAINED } },
    });
  await set(1n, 500);
  await set(2n, 600);
  await set(3n, 700);
  await revert(4);
  const revertedAtMs = clock.nowMs;
  await set(1n, 800);
  const { start } = await admin.pruneMovements(revertedAtMs, CLI_AUTHOR);
  assert.equal(start.sequence, 6);
  assert.deepEqual(await sequences(app.database), [5, 6, 7, 8]);
  await revert(8);
  await set(2n, 601);
  assert.deepEqual((await app.audits.next()).faults, []);
  assert.deepEqual({ ...(await store.ledger.retentionStart()) }, start);
});

test('tampering after a prune is named', async (t) => {
  const { store, database } = await shop(t);
  await store.pruneMovements(30, CLI_AUTHOR);
  await database.unguard();
  const tamper: readonly [sql: string, fault: RegExp, firstBad: number][] = [
    ['UPDATE movements SET quantity_after = 9 WHERE sequence = 7', /Pet 3 has quantity 2, .* says 9/, 7],
    ["UPDATE movements SET actor = 'x' WHERE sequence = 8", /Movement 8 does not match its hash/, 7],
    ["UPDATE movements SET status_after = 'sold' WHERE sequence = 4", /Pet 4 has status available/, 4],
    ['DELETE FROM movements WHERE sequence = 4', /Pet 4 has stock, but no movement/, 7],
    ['DELETE FROM movements WHERE sequence = 8', /The ledger has no movement 8/, 7],
  ];
  for (const [sql, fault, firstBad] of tamper) {
    await database.run(sql);
    const { faults, firstBadSequence } = await store.verify();
    assert.ok(
      faults.some((text) => fault.test(text)),
      `${fault} in\n${faults.join('\n')}`,
    );
    assert.equal(firstBadSequence, firstBad, sql);
  }
});

test('pruning progresses in steps during writes and audits, and no request is refused', async (t) => {
  if (isSkippedDaily(t)) return;
  const pets = 1_500;
  const app = await startApp(t, { pets: petRows(pets) });
  const { ledger } = app.store;
  const begunMs = app.clock.nowMs;
  const more = petRows(pets).map((row) => ({ ...row, quantity: row.quantity + 1 }));
  await app.admin.importPets(more, 'cli', begunMs + 1);
  const writers = await startWriters(app, pets, 7);
  let isPruning = true;
  let audits = 0;
  const auditing = (async () => {
    while (isPruning) {
      assert.deepEqual((await app.audits.next()).faults, []);
      audits += 1;
    }
  })();
  let movements = 0;
  try {
    // An audit restarts at most four times.
    for (let round = 1; round <= 4; round += 1) {
      const { recordedAtMs } = await headAt(ledger, pets * 2 + round * 50);
      const pruned = await app.admin.pruneMovements(recordedAtMs, CLI_AUTHOR);
      movements += pruned.movements;
      assert.ok(pruned.start.recordedAtMs < recordedAtMs);
    }
  } finally {
    isPruning = false;
    await auditing;
    t.diagnostic(`${movements} movements pruned during ${await writers.stop()} writes and ${audits} audits`);
  }
  const { sequence } = await ledger.head();
  const report = await app.admin.verify();
  assert.deepEqual(report.faults, []);
  assert.equal(report.head.sequence, sequence);
  assert.equal(report.movements, sequence - movements);
  assert.ok(movements > 1_000, `${movements}`);
});

test('an audit that pruning overtakes restarts', async (t) => {
  const { store, database } = await shop(t);
  const source = await auditSource(t, database);
  let isPruned = false;
  const read: AuditSource['read'] = async (statement, values) => {
    const rows = await source.read(statement, values);
    if (statement.name === 'auditHead' && !isPruned) {
      isPruned = true;
      assert.equal((await store.pruneMovements(30, CLI_AUTHOR)).movements, 5);
    }
    return rows as never;
  };
  const report = await auditLedger({ read, damageOf: source.damageOf });
  assert.deepEqual([report.faults, report.movements, report.head.sequence], [[], 4, 9]);
});

test('a prune that starts during another one continues after the deleted movements', async (t) => {
  const { store, database } = await shop(t);
  const source = await auditSource(t, database);
  let isFirst = true;
  const read: AuditSource['read'] = async (statement, values) => {
    if (isFirst && statement.name === 'recordedAt') {
      isFirst = false;
      await store.pruneMovements(30, CLI_AUTHOR);
    }
    return source.read(statement, values);
  };
  const { start, movements } = await pruneLedger({ read, record: unwanted, deleteBatch: unwanted }, 20);
  assert.deepEqual([start.sequence, movements, isFirst], [7, 0, false]);
});

async function unwanted(): Promise<never> {
  assert.fail('another prune has done it already');
}

test('a prune has no earlier time than the newest movement', () => {
  const start = { sequence: 8, recordedAtMs: 20, hash: FIRST_HASH };
  const counts = { decidedSequence: 10, retained: 3, retainedDigest: FIRST_HASH, deleted: 5 };
  const plan = { number: 1, start, ...counts, actor: 'cli', previousPruneHash: FIRST_HASH };
  const head = { sequence: 10, recordedAtMs: 30, hash: FIRST_HASH };
  assert.equal(placePrune(plan, head, 25).recordedAtMs, 30);
  assert.equal(placePrune(plan, head, 35).recordedAtMs, 35);
});

test('a batch that a faster process has deleted is not recorded again', async (t) => {
  const { store, database } = await filledShop(t);
  assert.equal((await store.pruneMovements(30, CLI_AUTHOR)).start.sequence, 8);
  const engine = await openAdminEngine(database.url);
  t.after(() => engine.close());
  const deleted = () => database.rows('SELECT sequence, deleted_sequence FROM ledger_start');
  assert.deepEqual(await deleted(), [[8, 8]]);
  assert.equal(await engine.run(NOTE_DELETION, [8, 4, 6, new Uint8Array(32)]), 0);
  assert.deepEqual(await deleted(), [[8, 8]]);
});
