import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FIRST_HASH } from '../../src/domain/ledger/ledger.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { serviceAuthor } from '../../src/domain/orders/orders.ts';
import { petRow } from '../support/command-line.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const page = readFileSync(new URL('../../../docs/ledger.md', import.meta.url), 'utf8');

interface Point {
  readonly sequence: number;
  readonly hash: string;
}

interface Documented {
  readonly movementHash: (previousHash: string, movement: Point) => string;
  readonly chainHead: (movements: readonly Point[], prunes: readonly unknown[]) => Point;
}

const [, code = ''] = /```js\n([\s\S]*?)```/.exec(page) ?? [];
const { movementHash, chainHead } = new Function(
  'createHash',
  `${code}; return { movementHash, chainHead };`,
)(createHash) as Documented;

async function documented({ request }: TestApp) {
  const movements = (await request('GET', '/v1/movements')).json as unknown as (Point & {
    readonly kind: string;
    readonly actor: { readonly name: string };
  })[];
  const audit = (await request('GET', '/v1/ledger/audit')).json as unknown as {
    readonly head: Point;
    readonly prunes: readonly Record<string, unknown>[];
    readonly isIntact: boolean;
  };
  return { movements, audit };
}

test('the hash that docs/ledger.md gives equals the hash of every movement in the history', async (t) => {
  if (isSkippedDaily(t)) return;
  const app = await startApp(t);
  const { admin, store, clock, request } = app;
  await admin.importPets([petRow(1), petRow(2)], 'cli', 1);
  const explained = {
    reason: 'received',
    note: 'Grüße "quoted" \u0001',
    referenceDocumentUri: 'https://shop.example/deliveries/9',
    referenceId: 'delivery 9',
    occurredAt: '2026-02-28T23:59:59.5+01:00',
  };
  await request('POST', '/v1/inventory/1/adjustments', { body: JSON.stringify({ delta: 5, ...explained }) });
  await request('PUT', '/v1/inventory/2/status', { body: JSON.stringify({ status: 'pending' }) });
  await request('POST', '/v1/movements/3/revert');
  for (const petId of [1, 2]) {
    const lines = [{ petId, quantity: 1 }];
    await request('POST', '/v1/store/orders', { body: JSON.stringify({ lines, ...explained }) });
  }
  await request('POST', '/v1/store/orders/1/approve');
  await request('POST', '/v1/store/orders/1/deliver');
  await request('POST', '/v1/store/orders/1/return');
  await store.write({
    author: serviceAuthor(clock.nowMs),
    command: { kind: 'step', step: 'expire', orderId: 2, isForced: true },
  });
  const thresholds = { kind: 'thresholds', petId: 1n, lowStockAt: 5, restockAt: null } as const;
  await admin.write({ kind: 'change', change: thresholds }, CLI_AUTHOR);
  const { movements, audit } = await documented(app);
  assert.deepEqual(
    movements.map(({ kind, actor }) => `${kind} by ${actor.name}`),
    [
      'import by cli',
      'import by cli',
      'adjust by test',
      'status by test',
      'revert by test',
      'reserve by test',
      'reserve by test',
      'deliver by test',
      'return by test',
      'release by service',
      'thresholds by cli',
    ],
  );
  let hash = FIRST_HASH;
  for (const movement of movements) {
    hash = movementHash(hash, movement);
    assert.equal(movement.hash, hash);
  }
  assert.deepEqual(chainHead(movements, audit.prunes), audit.head);
});

test('with docs/ledger.md and HTTP alone the chain of a pruned ledger can be recomputed', async (t) => {
  const app = await startApp(t);
  for (const atMs of [10, 20, 30, 40]) {
    const rows = [1, 2, 3].slice(0, atMs / 10).map((petId) => petRow(petId, { quantity: atMs }));
    await app.admin.importPets(rows, 'cli', atMs);
    if (atMs > 10) await app.admin.pruneMovements(atMs, CLI_AUTHOR);
    const { movements, audit } = await documented(app);
    assert.equal(audit.isIntact, true);
    assert.deepEqual(chainHead(movements, audit.prunes), audit.head);
  }
  const { movements, audit } = await documented(app);
  assert.equal(audit.prunes.length, 3);
  const forged = audit.prunes.map((prune, i) => (i === 1 ? { ...prune, deleted: 0 } : prune));
  assert.throws(() => chainHead(movements, forged), /prune 2 is not as its hash says/);
  const changed = movements.map((movement, i) => (i === 0 ? { ...movement, note: 'forged' } : movement));
  assert.throws(() => chainHead(changed, audit.prunes), /what was retained|movement \d/);
});
