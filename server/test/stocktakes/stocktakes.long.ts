import assert from 'node:assert/strict';
import { test } from 'node:test';
import { petRow } from '../support/command-line.ts';
import type { Change } from '../../src/domain/ledger/stock.ts';
import { ADA, assertRefused, stocktakeShop } from './stocktake-shop.ts';

const PETS = 100_000;
const BATCH = 1_000;
const MEGABYTE = 1_048_576;
/** What a step may add to the process, with the garbage that it leaves. */
const MOST_MEGABYTES = 250;

test('100,000 counted pets are reported, closed, undone and cancelled in bounded time and memory', async (t) => {
  const { store, database, stocktakes, stock } = await stocktakeShop(t);
  const costs = new Map<string, number>();
  const measured = async <T>(step: string, work: () => Promise<T>): Promise<T> => {
    const [cpu, begin, before] = [process.cpuUsage(), performance.now(), process.memoryUsage.rss()];
    let most = before;
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss());
    }, 20);
    const result = await work();
    clearInterval(timer);
    const ms = performance.now() - begin;
    const { user, system } = process.cpuUsage(cpu);
    const added = (Math.max(most, process.memoryUsage.rss()) - before) / MEGABYTE;
    costs.set(step, ms);
    t.diagnostic(
      `${step}: ${ms.toFixed(0)} ms, CPU ${((user + system) / 1_000).toFixed(0)} ms, ${added.toFixed(0)} MB`,
    );
    if (step !== 'import') assert.ok(added < MOST_MEGABYTES, `${step} added ${added.toFixed(0)} MB`);
    return result;
  };
  const rows = Array.from({ length: PETS }, (_, i) => petRow(1_000 + i, { name: `Pet ${i}`, quantity: 5 }));
  await measured('import', () => store.importPets(rows, 'cli'));
  const { id } = await stocktakes.start({ name: 'All', scope: {}, posting: 'at_close' }, ADA);
  const explanation = {
    reason: 'cycle_count',
    note: null,
    referenceDocumentUri: null,
    referenceId: id,
    occurredAtMs: null,
  } as const;
  const changeAll = async (changeOf: (petId: bigint) => Change) => {
    for (let i = 0; i < PETS; i += BATCH) {
      const changes = rows.slice(i, i + BATCH).map(({ petId }) => changeOf(petId));
      await store.write({ kind: 'batch', changes, errorPolicy: 'reject_everything', isDryRun: false }, ADA);
    }
  };
  const adjustAll = (delta: number) => changeAll((petId) => ({ kind: 'adjust', petId, delta }));
  const refused = (work: Promise<unknown>, ended: string, more: number) =>
    assertRefused(
      work,
      'insufficient_stock',
      new RegExp(`^The stock-take was not ${ended}: pet \\d+ has .*; and ${more} more\\. `),
    );
  await changeAll((petId) => ({ kind: 'set', petId, quantity: 5, explanation }));
  // As each count by itself writes it.
  await database.run(
    `INSERT INTO stocktake_counts SELECT sequence, 4 + 2 * (sequence % 2) FROM movements WHERE reference_id = '${id}'`,
  );
  const totals = await measured('totals', () => stocktakes.totals(id));
  assert.deepEqual(
    [totals.counted, totals.uncounted, totals.unposted, Number(totals.surplus + totals.shortage)],
    [PETS, 5, PETS, PETS],
  );
  const page = await measured('a page', () => stocktakes.lines(id, { limit: 100, after: 50_000n }));
  assert.equal(page.lines.length, 100);
  await measured('a page of pets that are left', () => stocktakes.uncounted(id, { limit: 100 }));
  await adjustAll(-5);
  await measured('refused close', () => refused(stocktakes.close(id, ADA), 'closed', PETS / 2 - 20));
  await adjustAll(5);
  await measured('close', () => stocktakes.close(id, ADA));
  assert.ok([4, 6].includes(await stock(1_000)));
  assert.equal((await stocktakes.totals(id)).unposted, 0);
  await measured('undo', () => stocktakes.undo(id, ADA));
  assert.equal(await stock(1_000), 5);
  const mistake = await stocktakes.start({ name: 'Mistake', scope: {}, posting: 'at_count' }, ADA);
  const counted = { ...explanation, referenceId: mistake.id };
  await changeAll((petId) => ({ kind: 'set', petId, quantity: 8, explanation: counted }));
  await adjustAll(-6);
  await measured('refused cancel', () => refused(stocktakes.cancel(mistake.id, ADA), 'cancelled', PETS - 20));
  await adjustAll(6);
  await measured('cancel', () => stocktakes.cancel(mistake.id, ADA));
  assert.equal(await stock(1_000), 5);
  await measured('prune', () => store.pruneMovements(Number.MAX_SAFE_INTEGER, ADA));
  assert.equal((await stocktakes.totals(id)).unposted, PETS);
  assert.deepEqual((await store.verify()).faults, []);
  const ratio = (step: string) => (costs.get(step) ?? 0) / (costs.get('import') ?? 1);
  assert.ok(ratio('totals') < 2, `totals: ${ratio('totals')}`);
  for (const step of ['refused close', 'close', 'undo', 'refused cancel', 'cancel']) {
    assert.ok(ratio(step) < 8, `${step}: ${ratio(step)}`);
  }
});
