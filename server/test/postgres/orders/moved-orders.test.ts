import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { Client } from 'pg';
import { UNEXPLAINED } from '../../../src/domain/ledger/ledger.ts';
import { CLI_AUTHOR } from '../../../src/domain/management/activity.ts';
import { moveDatabase } from '../../../src/store/move.ts';
import { openAdmin } from '../../../src/store/open-admin.ts';
import { place, step, write } from '../../store/orders/shop-orders.ts';
import { temporaryFolder } from '../../support/command-line.ts';
import { startApp, type TestApp } from '../../support/harness.ts';
import { petRow } from '../../support/pet-rows.ts';
import { sharedPostgres } from '../support/shared-postgres.ts';

const LARGE_PET = 9_007_199_254_740_993n;
const DAY_MS = 86_400_000;
const THRESHOLDS = { lowStockAt: 40, restockAt: 60 };

/** What orders, sales and thresholds are in both engines, in the order of their keys. */
const TABLES = {
  orders:
    'SELECT id, status, version, reference_id, note, expires_at, created_at, updated_at, actor FROM orders ORDER BY id',
  order_lines: 'SELECT id, order_id, pet_id, quantity, delivered, returned FROM order_lines ORDER BY id',
  sales: 'SELECT pet_id, day, units FROM sales ORDER BY pet_id, day',
  metadata: "SELECT name, value FROM metadata WHERE name IN ('low_stock_at', 'restock_at') ORDER BY name",
  inventory: `SELECT pet_id, quantity, status, version, last_sequence, updated_at, reserved, alert_level, low_stock_at, restock_at, created_at
FROM inventory ORDER BY pet_id`,
  movements: `SELECT sequence, order_id, kind, reserved_before, reserved_after, alert_before, alert_after FROM movements ORDER BY sequence`,
} as const;

/** Orders in every status, with texts and times, and sales of several days. */
async function fill(app: TestApp): Promise<void> {
  const explanation = { referenceId: `"cart" 'é' \\ 1`, note: 'two\nlines, ☂' };
  const tomorrowMs = app.clock.nowMs + DAY_MS;
  await place(
    app,
    [
      [1n, 3],
      [LARGE_PET, 4],
    ],
    { expiresAtMs: tomorrowMs, explanation },
  );
  for (let day = 0; day < 3; day += 1) {
    app.clock.nowMs += DAY_MS / 2;
    const { orderId } = await place(app, [
      [1n, 5],
      [2n, 5],
    ]);
    await step(app, orderId, 'approve');
    await step(app, orderId, 'deliver', [{ petId: 1n, quantity: 2 + day }]);
    const change = {
      kind: 'adjust',
      petId: LARGE_PET,
      delta: -2,
      explanation: { ...UNEXPLAINED, reason: 'sold' },
    } as const;
    await write(app, { kind: 'change', change });
  }
  await step(app, 3, 'deliver');
  await step(app, 3, 'return', [{ petId: 2n, quantity: 4 }]);
  await step(app, 4, 'cancel');
  await step(app, (await place(app, [[2n, 1]])).orderId, 'expire');
  await app.admin.importPets(
    [{ ...petRow(2n, 9), thresholds: { lowStockAt: 9, restockAt: null } }],
    'cli',
    app.clock.nowMs,
  );
  await app.admin.setDefaultThresholds(THRESHOLDS, CLI_AUTHOR);
}

/** The values of each table as text. */
function sqliteRows(file: string): Record<string, unknown[][]> {
  const database = new DatabaseSync(file, { readOnly: true, readBigInts: true });
  try {
    const read = (sql: string) =>
      database
        .prepare(sql)
        .all()
        .map((row) => Object.values(row).map(asText));
    return Object.fromEntries(Object.entries(TABLES).map(([name, sql]) => [name, read(sql)]));
  } finally {
    database.close();
  }
}

async function postgresRows(t: TestContext, url: string): Promise<Record<string, unknown[][]>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  t.after(() => client.end());
  const rows: Record<string, unknown[][]> = {};
  for (const [name, sql] of Object.entries(TABLES)) {
    const found = await client.query<unknown[]>({ text: sql, rowMode: 'array' });
    rows[name] = found.rows.map((row) => row.map(asText));
  }
  return rows;
}

function asText(value: unknown): string | null {
  return value === null ? null : String(value);
}

test('orders, sales and thresholds are the same in a backup and after a move to PostgreSQL', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n, 50), petRow(2n, 50), petRow(LARGE_PET, 50)] });
  await fill(app);
  const source = sqliteRows(app.database.url.replace(/^sqlite:/, ''));
  for (const [name, rows] of Object.entries(source)) assert.ok(rows.length >= 2, name);
  assert.deepEqual(
    new Set(source.orders?.map(([, status]) => status)),
    new Set(['placed', 'approved', 'delivered', 'cancelled', 'expired']),
  );

  const file = join(temporaryFolder(t), 'copy.db');
  await app.admin.backup(file);
  assert.deepEqual(sqliteRows(file), source);
  const page = await app.store.orders.listOrders({ filter: {}, order: 'asc', limit: 100 });

  const { server } = await sharedPostgres();
  const to = await server.createDatabase();
  const counts = await moveDatabase({
    from: `sqlite:${file}`,
    to,
    acceptedUnsafe: [],
    checkIdentity: () => {},
  });
  assert.deepEqual(await postgresRows(t, to), source);
  assert.deepEqual(
    Object.keys(TABLES)
      .slice(0, 3)
      .map((name) => counts[name]),
    Object.keys(TABLES)
      .slice(0, 3)
      .map((name) => source[name]?.length),
  );
  const target = await openAdmin(to);
  t.after(() => target.close());
  assert.deepEqual(await target.orders.listOrders({ filter: {}, order: 'asc', limit: 100 }), page);
  assert.deepEqual(await target.defaultThresholds(), THRESHOLDS);
  const explanation = UNEXPLAINED;
  const placed = await target.write(
    {
      kind: 'place',
      lines: [{ petId: LARGE_PET, quantity: 1 }],
      explanation,
    },
    CLI_AUTHOR,
  );
  assert.ok(placed.kind === 'order' && placed.order?.orderId === page.orders.length + 1);
  const cancelled = await target.write({ kind: 'step', step: 'cancel', orderId: 2 }, CLI_AUTHOR);
  assert.ok(cancelled.kind === 'order' && cancelled.code === 'done');
  assert.deepEqual((await target.verify()).faults, []);
});

test('a move is refused where orders contradict the stock', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n, 50)] });
  await place(app, [[1n, 3]]);
  const file = join(temporaryFolder(t), 'copy.db');
  await app.admin.backup(file);
  const copy = new DatabaseSync(file);
  copy.exec("UPDATE orders SET status = 'cancelled'");
  copy.close();
  const { server } = await sharedPostgres();
  const to = await server.createDatabase();
  await assert.rejects(
    moveDatabase({ from: `sqlite:${file}`, to, acceptedUnsafe: [], checkIdentity: () => {} }),
    {
      name: 'OperatorError',
      message:
        /does not match its ledger \(Order 1 has other units of pet 1 than its movements\.\).*Nothing was moved/,
    },
  );
});
