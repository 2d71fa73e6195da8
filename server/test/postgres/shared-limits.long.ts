import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Principal } from '../../src/domain/access/principal.ts';
import { retryAfterSeconds } from '../../src/domain/access/rate-limit.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import type { Store } from '../../src/domain/store.ts';
import { openStore } from '../../src/store/open.ts';
import { newAdminStore } from '../support/command-line.ts';
import { principalOf } from '../support/principals.ts';
import { Progress } from '../support/progress.ts';
import { useEngine } from '../support/test-database.ts';
import { PostgresEngine } from './support/postgres-engine.ts';

useEngine(new PostgresEngine());

const STORES = 4;
const CLIENTS = 6;
const LIMITS = { perMinute: 60, perDay: 1_000_000 };
/** Long enough to see the minute turn three times, by the database's own clock. */
const LASTS_MS = 200_000;

async function startStores(t: TestContext) {
  const stores: Store[] = [];
  // Close this before the next line drops the database at the end.
  t.after(() => Promise.all(stores.map((store) => store.close())));
  const { store: admin, database } = await newAdminStore(t);
  await admin.accounts.create(
    { id: 'acc', name: 'acc', plan: 'enterprise', limits: LIMITS, createdAtMs: 0 },
    CLI_AUTHOR,
  );
  for (let i = 0; i < STORES; i += 1) {
    const store = await openStore({
      database: database.url,
      environment: 'production',
      rules: { statusPolicy: 'unchanged', maxQuantity: Number.MAX_SAFE_INTEGER, orderHoldMs: null },
      onCommit: () => undefined,
      onListRebuild: () => undefined,
      onError: (message, cause) => assert.fail(`${message} ${String(cause)}`),
    });
    stores.push(store);
  }
  return stores;
}

/** The numbers of remaining requests that were handed out in each minute, by the minute's end. */
type HandedOut = Map<number, number[]>;

/** Obeys Retry-After to the millisecond, and uses another store each time. */
async function waitForRetryAfter(
  stores: readonly Store[],
  principal: Principal,
  handedOut: HandedOut,
  endsAtMs: number,
): Promise<number> {
  const refusedIn = new Set<number>();
  for (let request = 0; performance.now() < endsAtMs; request += 1) {
    const store = stores[request % stores.length] as Store;
    const { refusal, failure, windows, atMs } = await store.admit(principal, Date.now());
    assert.equal(failure, undefined);
    const [minute] = windows;
    if (!minute) return assert.fail('an admission has windows');
    if (refusal) {
      assert.equal(refusal.code, 'rate_limit_exceeded');
      assert.ok(!refusedIn.has(minute.resetAtMs), `refused twice until ${minute.resetAtMs}`);
      refusedIn.add(minute.resetAtMs);
      await delay(retryAfterSeconds(refusal.retryAtMs, atMs) * 1_000);
    } else {
      handedOut.set(minute.resetAtMs, [...(handedOut.get(minute.resetAtMs) ?? []), minute.remaining]);
      await delay(20);
    }
  }
  return refusedIn.size;
}

test('by the clock of the database, a client that obeys Retry-After is refused at most once per minute, and each minute admits 60', async (t) => {
  const stores = await startStores(t);
  const handedOut: HandedOut = new Map();
  const endsAtMs = performance.now() + LASTS_MS;
  const progress = new Progress('seconds', LASTS_MS / 1_000);
  const timer = setInterval(() => progress.step(), 1_000);
  t.after(() => clearInterval(timer));
  const refusals = await Promise.all(
    Array.from({ length: CLIENTS }, (_, i) =>
      waitForRetryAfter(stores, principalOf(`key ${i}`, 'acc', LIMITS), handedOut, endsAtMs),
    ),
  );
  t.diagnostic(
    `refusals: ${refusals.join()}; minutes: ${[...handedOut.values()].map(({ length }) => length)}`,
  );
  assert.ok(handedOut.size >= 3);
  assert.ok(refusals.every((count) => count >= 2));
  // Each minute but the last one was used up.
  for (const remaining of [...handedOut.values()].slice(0, -1)) {
    assert.deepEqual(
      remaining.toSorted((a, b) => b - a),
      Array.from({ length: LIMITS.perMinute }, (_, i) => LIMITS.perMinute - 1 - i),
    );
  }
});
