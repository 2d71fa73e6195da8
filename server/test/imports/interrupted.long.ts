import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { DEFAULT_RULES } from '../../src/store/open-admin.ts';
import { ImportShop, STAFF } from './import-shop.ts';

const WORKER = new URL('../../src/management/jobs/jobs-worker.ts', import.meta.url);
const RUNNER = fileURLToPath(new URL('./run-jobs.ts', import.meta.url));
const PETS = 30_000;
const SUPPLIERS = 7;
/** A pet gets fewer units than these, and each of so many gets none. */
const UNITS = 7;
const FILE = `petId,quantity,name,supplier\n${Array.from({ length: PETS }, (_, i) => `${i},${i % UNITS},Pet ${i},Supplier ${i % SUPPLIERS}\n`).join('')}`;

/** Starts a runner on a database; the result ends it without notice. */
type StartRunner = (url: string) => () => Promise<unknown>;

const startThread: StartRunner = (url) => {
  const workerData = { url, rules: DEFAULT_RULES, pepper: new Uint8Array(32) };
  const worker = new Worker(WORKER, { workerData });
  return () => worker.terminate();
};

const startProcess: StartRunner = (url) => {
  const child = spawn(process.execPath, [RUNNER, url], { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  return () => {
    child.kill('SIGKILL');
    return ended;
  };
};

/** Interrupts runners at random points until an import has left a state. Returns the interruptions. */
async function interrupted(shop: ImportShop, id: string, state: string, start: StartRunner): Promise<number> {
  for (let count = 0; ; count += 1) {
    const kill = start(shop.database.url);
    // Fewer than the attempts after which an import has failed; the last ones end the work.
    const deadline = performance.now() + (count < 7 ? 150 + Math.random() * 900 : 60_000);
    while (performance.now() < deadline && (await shop.find(id)).state === state) await delay(10);
    await kill();
    if ((await shop.find(id)).state !== state) return count;
    await shop.endLeases();
  }
}

async function interruptAll(t: TestContext, start: StartRunner): Promise<void> {
  const shop = await ImportShop.open(t);
  const id = await shop.upload(FILE);
  const checks = await interrupted(shop, id, 'checking', start);
  const planned = await shop.find(id);
  assert.deepEqual([planned.state, planned.counts.new], ['planned', PETS]);
  await shop.store.imports.apply(id, STAFF);
  const applies = await interrupted(shop, id, 'applying', start);
  assert.equal((await shop.find(id)).state, 'applied');
  t.diagnostic(`${checks} interruptions of the check, ${applies} of the apply`);
  const [sums] = await shop.database.rows('SELECT count(*), count(DISTINCT pet_id) FROM movements');
  assert.deepEqual(sums, [PETS, PETS]);
  const wrong = await shop.database.rows(
    `SELECT count(*), count(CASE WHEN supplier = 'Supplier ' || CAST(pet_id % ${SUPPLIERS} AS text) THEN 1 END) FROM reorders`,
  );
  assert.deepEqual(wrong, [[PETS, PETS]], 'each pet has the supplier of its row');
  await undoInterrupted(t, shop, id, start);
  assert.deepEqual((await shop.store.verify()).faults, []);
}

/** The undo takes the units of all pets that got some, once. */
async function undoInterrupted(
  t: TestContext,
  shop: ImportShop,
  importId: string,
  start: StartRunner,
): Promise<void> {
  const { id } = await shop.store.imports.undo(importId, STAFF);
  const checks = await interrupted(shop, id, 'checking', start);
  const planned = await shop.find(id);
  const changed = PETS - Math.ceil(PETS / UNITS);
  assert.deepEqual([planned.state, planned.counts.changed], ['planned', changed]);
  await shop.store.imports.apply(id, STAFF);
  const applies = await interrupted(shop, id, 'applying', start);
  assert.equal((await shop.find(id)).state, 'applied');
  assert.equal((await shop.find(importId)).undoneBy, id);
  t.diagnostic(`${checks} interruptions of the plan of the undo, ${applies} of its apply`);
  const found = await shop.database.rows(
    'SELECT count(*), (SELECT max(quantity) FROM inventory) FROM movements',
  );
  assert.deepEqual(found, [[PETS + changed, 0]]);
}

test('an import whose thread is ended at random points is applied exactly once', (t) =>
  interruptAll(t, startThread));

test('an import whose process is killed at random points is applied exactly once', (t) =>
  interruptAll(t, startProcess));
