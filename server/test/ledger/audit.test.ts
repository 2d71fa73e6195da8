import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceUnavailable } from '../../src/domain/errors.ts';
import { Audits } from '../../src/management/audits.ts';
import { startApp } from '../support/harness.ts';
import { petRow, petRows } from '../support/pet-rows.ts';
import { testOnceIn } from '../support/test-database.ts';
import { startWriters } from './random-writers.ts';
import { bytesLiteral, hashesOf, rehash } from './tampering.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const once = testOnceIn();

/** Several slices of movements and of stock. */
const PETS = 1_700;
const AUDIT_DURATION_MS = 1_500;
/** A busy machine needs longer for so many. */
const MIN_WRITES = 100;

test('an audit during random writes finds no fault, and ends at the head of its start or later', async (t) => {
  if (isSkippedDaily(t)) return;
  const app = await startApp(t, { pets: petRows(PETS) });
  const { ledger } = app.store;
  const writers = await startWriters(app, PETS, 4);
  const deadlineMs = performance.now() + AUDIT_DURATION_MS;
  let audits = 0;
  try {
    do {
      const { sequence } = await ledger.head();
      const { faults, head, pets } = await app.audits.next();
      assert.deepEqual(faults, []);
      assert.ok(head.sequence >= sequence, `${head.sequence} after ${sequence}`);
      assert.ok(pets >= PETS);
      audits += 1;
    } while (performance.now() < deadlineMs || writers.writes <= MIN_WRITES);
  } finally {
    const writes = await writers.stop();
    t.diagnostic(`${audits} audits during ${writes} writes`);
    assert.ok(writes > MIN_WRITES);
  }
  const { firstBadSequence, ...report } = await app.audits.next();
  assert.equal(firstBadSequence, null);
  const { sequence } = await ledger.head();
  assert.equal(report.head.sequence, sequence);
  assert.equal(report.head.hash, (await hashesOf(app.database)).at(-1));
  assert.equal(report.movements, sequence);
  assert.deepEqual(await app.admin.verify(), { ...report, firstBadSequence });
});

once('requests during an audit share the next one, which includes every change before them', async (t) => {
  if (isSkippedDaily(t)) return;
  const app = await startApp(t, { pets: petRows(PETS) });
  const first = app.audits.next();
  // By then it has begun, and it reads for some turns more.
  for (let turn = 0; turn < 6; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  await app.admin.importPets([petRow(-1n)], 'cli', app.clock.nowMs);
  await app.database.run('UPDATE inventory SET quantity = 77 WHERE pet_id = -1');
  const later = await Promise.all(Array.from({ length: 50 }, () => app.audits.next()));
  assert.equal(new Set(later).size, 1);
  assert.notEqual(await first, later[0]);
  assert.deepEqual(later[0]?.faults, ['Pet -1 has quantity 77, but the ledger says 5.']);
  assert.equal(later[0]?.firstBadSequence, PETS + 1);
});

once('other requests are served during an audit', async (t) => {
  if (isSkippedDaily(t)) return;
  const app = await startApp(t, { pets: petRows(PETS) });
  let isOver = false;
  const audit = app.audits.next().then((report) => {
    isOver = true;
    return report;
  });
  let served = 0;
  while (!isOver) {
    await app.store.ledger.head();
    await new Promise((resolve) => setImmediate(resolve));
    served += 1;
  }
  assert.deepEqual((await audit).faults, []);
  assert.ok(served >= 5, `${served}`);
});

test('audits pause for the duration of the last one, at most a minute', async () => {
  let nowMs = 0;
  let tookMs = 400;
  const rests: number[] = [];
  const fail = async () => {
    nowMs += tookMs;
    throw serviceUnavailable('The ledger is unavailable.');
  };
  const audits = new Audits(fail, {
    elapsedMs: () => nowMs,
    rest: async (ms) => {
      rests.push(ms);
      nowMs += ms;
    },
  });
  const audit = () => assert.rejects(audits.next(), { code: 'service_unavailable' });
  await audit();
  await Promise.all([audit(), audit()]);
  nowMs += 150;
  tookMs = 90_000;
  await audit();
  await audit();
  nowMs += 60_000;
  await audit();
  assert.deepEqual(rests, [400, 250, 60_000]);
});

once('HEAD describes an audit without running one', async (t) => {
  const app = await startApp(t, { pets: petRows(2) });
  app.audits.next = () => assert.fail('an audit ran');
  const { status, headers } = await app.request('HEAD', '/v1/ledger/audit');
  assert.deepEqual([status, headers.get('Content-Type')], [200, 'application/json']);
});

once('an empty ledger is intact', async (t) => {
  const app = await startApp(t);
  assert.deepEqual(await app.audits.next(), {
    pets: 0,
    movements: 0,
    hashesChecked: 0,
    retentionStart: { sequence: 0, recordedAtMs: 0 },
    prunes: [],
    head: { sequence: 0, hash: '0'.repeat(64) },
    firstBadSequence: null,
    faults: [],
    findings: [],
  });
});

test('an audit and verify name the same first bad movement, wherever a ledger is tampered with', async (t) => {
  const app = await startApp(t, { pets: petRows(PETS) });
  await app.admin.importPets([petRow(3n, 55)], 'cli', app.clock.nowMs);
  await app.database.unguard();
  const hash = (await hashesOf(app.database))[899];
  const tamper: readonly [sql: string, firstBad: number, forged?: number][] = [
    [`UPDATE movements SET hash = ${bytesLiteral(app.database, hash)} WHERE sequence = 1500`, 1500],
    ['UPDATE inventory SET quantity = 99 WHERE pet_id = 1234', 1234],
    ["UPDATE movements SET actor = 'nobody' WHERE sequence = 600", 601, 600],
    ['UPDATE movements SET occurred_at = 1 WHERE sequence = 500', 500],
    ['DELETE FROM movements WHERE sequence = 499', 499],
  ];
  for (const [sql, firstBad, forged] of tamper) {
    await app.database.run(sql);
    if (forged !== undefined) await rehash(app.database, forged);
    const report = await app.audits.next();
    assert.equal(report.firstBadSequence, firstBad, sql);
    assert.deepEqual(await app.admin.verify(), report);
  }
});
