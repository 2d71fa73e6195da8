import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { StockStore } from '../../src/domain/ledger-store.ts';
import { petRow, petRows } from '../support/pet-rows.ts';
import { useEngine } from '../support/test-database.ts';
import { PostgresEngine } from './support/postgres-engine.ts';
import { openStores, type SharedStores, setQuantity } from './support/shared-stores.ts';

const engine = new PostgresEngine();
useEngine(engine);

type Store = SharedStores['stores'][number];

const ROUNDS = 25;
/** All waits after changes. The regular poll also wakes listeners, once per second: it alone would take twice as long. */
const NOTIFIED_TIMEOUT_MS = 6_000;
const DEADLINE_MS = 30_000;

/** Listens until the test looks: how often a store has woken its listener. */
function listen(store: Pick<StockStore, 'onMovements'>): {
  readonly wakes: number;
  readonly next: () => Promise<void>;
  end(): void;
} {
  let wakes = 0;
  let resolveNext = () => {};
  const end = store.onMovements(() => {
    wakes += 1;
    resolveNext();
  });
  const next = () =>
    new Promise<void>((resolve) => {
      resolveNext = resolve;
    });
  return {
    get wakes() {
      return wakes;
    },
    next,
    end,
  };
}

async function within<T>(ms: number, what: string, promise: Promise<T>): Promise<T> {
  const tooLate = delay(ms, undefined, { ref: false }).then(() => assert.fail(`${what} within ${ms} ms`));
  return Promise.race([promise, tooLate]);
}

/** Requires that changes wake a listener sooner than the regular poll does, however long the changes take. */
async function assertNotified(
  listener: ReturnType<typeof listen>,
  changing: (round: number) => Promise<unknown>,
): Promise<void> {
  let waitedMs = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    let changedAtMs = Number.POSITIVE_INFINITY;
    const woken = listener.next().then(() => performance.now());
    const changed = changing(round).then(() => {
      changedAtMs = performance.now();
    });
    const [wokenAtMs] = await Promise.all([within(DEADLINE_MS, 'the listener is woken', woken), changed]);
    waitedMs += Math.max(0, wokenAtMs - changedAtMs);
  }
  assert.ok(waitedMs < NOTIFIED_TIMEOUT_MS, `${ROUNDS} changes were reported after ${waitedMs} ms`);
}

test('listeners of any instance are notified of the changes of every instance, immediately', async (t) => {
  const { stores } = await openStores(t, 3, { pets: petRows(3) });
  const [writer, ...others] = stores as [Store, ...Store[]];
  for (const listened of [writer, ...others]) {
    const listener = listen(listened);
    await assertNotified(listener, (round) => setQuantity(writer, 1n, 1_000 + round));
    listener.end();
    const { wakes } = listener;
    await setQuantity(writer, 2n, 5_000 + wakes);
    await setQuantity(listened, 2n, 6_000 + wakes);
    assert.equal(listener.wakes, wakes, 'a removed listener is not called');
    await setQuantity(writer, 1n, 0);
  }
});

test('an import wakes them too, and they are woken again after all connections were lost', async (t) => {
  const { stores, admin, database } = await openStores(t, 2, { pets: petRows(3) });
  const [writer, other] = stores as [Store, Store];
  const listener = listen(other);
  let count = 0;
  const change = () => {
    count += 1;
    return setQuantity(writer, 1n, 10_000 + count);
  };
  await assertNotified(listener, () => {
    count += 1;
    return admin.importPets([petRow(1n, 10_000 + count)], 'cli', 0);
  });

  const server = await engine.server();
  const ended = await server.terminateBackends(new URL(database.url).pathname.slice(1));
  assert.ok(ended >= 8, `${ended} connections were ended`);
  const deadlineMs = performance.now() + DEADLINE_MS;
  while (
    !(await change().catch(() => undefined)) ||
    !(await other.findItem(1n, Date.now()).catch(() => undefined))
  ) {
    assert.ok(performance.now() < deadlineMs, 'both serve again');
    await delay(50);
  }
  await assertNotified(listener, change);
});
