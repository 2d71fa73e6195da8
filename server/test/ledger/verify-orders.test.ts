import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { MAX_QUANTITY } from '@petstore-inventory/shared/limits';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { LINK_PET_LINES } from '../store/orders/pet-lines.ts';
import { place, step } from '../store/orders/shop-orders.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { petRow } from '../support/pet-rows.ts';
import type { TestDatabase } from '../support/test-database.ts';

const LARGE_PET = 9_007_199_254_740_993n;

/** Orders 1 to 6: placed, approved, delivered in part, delivered, cancelled after a part, expired. */
async function shop(t: TestContext): Promise<TestApp> {
  const app = await startApp(t, { pets: [petRow(1n, 100), petRow(2n, 100), petRow(LARGE_PET, 100)] });
  await place(app, [
    [1n, 1],
    [2n, 2],
  ]);
  await place(app, [[LARGE_PET, 3]]);
  await place(app, [
    [1n, 5],
    [2n, 5],
  ]);
  await place(app, [[1n, 4]]);
  await place(app, [[1n, 7]]);
  await place(app, [[2n, 6]]);
  for (const orderId of [2, 3, 4, 5]) await step(app, orderId, 'approve');
  await step(app, 3, 'deliver', [{ petId: 1n, quantity: 2 }]);
  await step(app, 4, 'deliver');
  await step(app, 4, 'return', [{ petId: 1n, quantity: 1 }]);
  await step(app, 5, 'deliver', [{ petId: 1n, quantity: 3 }]);
  await step(app, 5, 'cancel');
  await step(app, 6, 'expire');
  assert.deepEqual((await app.admin.verify()).faults, []);
  return app;
}

const MOST = BigInt(MAX_QUANTITY);
const held = (petId: bigint, reserved: number, open: number | bigint) =>
  `Pet ${petId} has ${reserved} units reserved, but open orders hold ${open}.`;
const contradicted = (orderId: number, status: string) =>
  `Order ${orderId} is ${status}, which its lines contradict.`;
const untraced = (orderId: number, petId: bigint) =>
  `Order ${orderId} has other units of pet ${petId} than its movements.`;
const orphan = (line: number, orderId: number) =>
  `Line ${line} names order ${orderId}, which is not there or has other lines.`;

/** Adds a copy of the line of order 2 with other values. */
function addedLine(id: number, values: string): string {
  return `CREATE TABLE copied AS SELECT * FROM order_lines WHERE order_id = 2; UPDATE copied SET id = ${id}, ${values};
INSERT INTO order_lines SELECT * FROM copied; DROP TABLE copied`;
}

/** Damages of `shop`, and all faults that `verify` reports, those of the ledger first. */
const DAMAGES: readonly (readonly [what: string, sql: string, ...faults: readonly string[]])[] = [
  [
    'reserved units of the stock',
    'UPDATE inventory SET reserved = 5 WHERE pet_id = 1',
    'Pet 1 has 5 units reserved, but the ledger says 4.',
    held(1n, 5, 4),
  ],
  [
    'an alert level of the stock',
    `UPDATE inventory SET alert_level = 'out' WHERE pet_id = ${LARGE_PET}`,
    `Pet ${LARGE_PET} has alert level out, but the ledger says none.`,
  ],
  [
    'units of an open line',
    'UPDATE order_lines SET quantity = 4 WHERE order_id = 2',
    untraced(2, LARGE_PET),
    held(LARGE_PET, 3, 4),
  ],
  [
    'delivered units of an open line',
    'UPDATE order_lines SET delivered = 3 WHERE order_id = 3 AND pet_id = 1',
    untraced(3, 1n),
    held(1n, 4, 3),
  ],
  [
    'units of a delivered line',
    'UPDATE order_lines SET quantity = 5 WHERE order_id = 4',
    contradicted(4, 'delivered'),
    untraced(4, 1n),
  ],
  [
    'units and delivered units of a delivered line',
    'UPDATE order_lines SET quantity = 5, delivered = 5 WHERE order_id = 4',
    untraced(4, 1n),
  ],
  ['returned units', 'UPDATE order_lines SET returned = 2 WHERE order_id = 4', untraced(4, 1n)],
  [
    'delivered units of a closed line',
    'UPDATE order_lines SET delivered = 4 WHERE order_id = 5',
    untraced(5, 1n),
  ],
  [
    'the pet of a line',
    'UPDATE order_lines SET pet_id = 2 WHERE order_id = 4',
    untraced(4, 1n),
    untraced(4, 2n),
  ],
  [
    'a line of a pet without stock',
    'UPDATE order_lines SET pet_id = 77 WHERE order_id = 6',
    'Order 6 names pet 77, which has no stock.',
    untraced(6, 2n),
    untraced(6, 77n),
  ],
  [
    'a line taken out',
    'DELETE FROM order_lines WHERE order_id = 3 AND pet_id = 2',
    untraced(3, 2n),
    held(2n, 7, 2),
  ],
  [
    'all lines taken out',
    'DELETE FROM order_lines WHERE order_id = 6',
    contradicted(6, 'expired'),
    untraced(6, 2n),
  ],
  [
    'a line added',
    addedLine(2 * 128 + 1, 'order_id = 2, pet_id = 2, quantity = 1'),
    untraced(2, 2n),
    held(2n, 7, 8),
  ],
  [
    'a line of another order',
    'UPDATE order_lines SET order_id = 6 WHERE order_id = 5',
    orphan(5 * 128, 6),
    untraced(5, 1n),
    untraced(6, 1n),
  ],
  [
    'the status of an open order',
    "UPDATE orders SET status = 'cancelled' WHERE id = 1",
    untraced(1, 1n),
    untraced(1, 2n),
    held(1n, 4, 3),
    held(2n, 7, 5),
  ],
  [
    'the status of a closed order',
    "UPDATE orders SET status = 'approved' WHERE id = 5",
    untraced(5, 1n),
    held(1n, 4, 8),
  ],
  [
    'the status of an order with deliveries',
    "UPDATE orders SET status = 'placed' WHERE id = 3",
    contradicted(3, 'placed'),
  ],
  [
    'the status of a delivered order',
    "UPDATE orders SET status = 'approved' WHERE id = 4",
    contradicted(4, 'approved'),
  ],
  [
    'an order taken out of the middle',
    'DELETE FROM orders WHERE id = 4; DELETE FROM order_lines WHERE order_id = 4',
    'The orders have gaps: the newest is 6, and there are 5.',
    untraced(4, 1n),
  ],
  [
    'the newest order taken out',
    'DELETE FROM orders WHERE id = 6; DELETE FROM order_lines WHERE order_id = 6',
    untraced(6, 2n),
  ],
  [
    'an order taken out with its lines left',
    'DELETE FROM orders WHERE id = 6',
    orphan(6 * 128, 6),
    untraced(6, 2n),
  ],
  [
    'an order added',
    `INSERT INTO orders VALUES (7, 'cancelled', 1, NULL, NULL, NULL, 0, 0, 'cli'); ${addedLine(7 * 128, 'order_id = 7, pet_id = 1, quantity = 1')}`,
    untraced(7, 1n),
  ],
  [
    'the most units that there can be',
    `UPDATE order_lines SET quantity = ${MAX_QUANTITY} WHERE order_id IN (2, 3)`,
    untraced(2, LARGE_PET),
    untraced(3, 1n),
    untraced(3, 2n),
    held(1n, 4, MOST - 1n),
    held(2n, 7, MOST + 2n),
    held(LARGE_PET, 3, MOST),
  ],
];

const isSqlite = ({ url }: TestDatabase) => url.startsWith('sqlite:');

for (const [what, sql, ...faults] of DAMAGES) {
  test(`verify names ${what}, and nothing else`, async (t) => {
    const { database, admin } = await shop(t);
    await database.run(sql);
    // As a forger would.
    if (isSqlite(database)) await database.run(LINK_PET_LINES);
    assert.deepEqual((await admin.verify()).faults, faults);
  });
}

test('after a prune, verify compares orders with the movements that are left', async (t) => {
  const app = await shop(t);
  app.clock.nowMs += 1_000;
  await place(app, [
    [1n, 1],
    [2n, 1],
  ]);
  app.clock.nowMs += 1_000;
  await place(app, [[2n, 1]]);
  await place(app, [[2n, 2]]);
  await step(app, 3, 'deliver');
  await app.admin.pruneMovements(app.clock.nowMs - 500, CLI_AUTHOR);
  const faultsAfter = async (sql: string) => {
    await app.database.run(sql);
    return (await app.admin.verify()).faults;
  };
  assert.deepEqual(await faultsAfter(''), []);
  const hidden = 'UPDATE order_lines SET returned = delivered WHERE order_id = 3';
  assert.deepEqual(await faultsAfter(hidden), [], 'the movements of its placement are gone');
  const change = 'UPDATE order_lines SET quantity = 9 WHERE order_id IN (1, 9) AND id % 128 = 0';
  assert.deepEqual(await faultsAfter(change), [untraced(9, 2n), held(1n, 2, 10), held(2n, 6, 13)]);
  await app.admin.pruneMovements(app.clock.nowMs + 1, CLI_AUTHOR);
  assert.deepEqual(await faultsAfter(''), [held(1n, 2, 10), held(2n, 6, 13)]);
});

test('verify names lines that are not linked with those of their pet', async (t) => {
  const { database, admin } = await shop(t);
  if (!isSqlite(database)) return;
  const linked = (line: number, orderId: number) =>
    `Line ${line} of order ${orderId} is not linked with the line of pet 1 before it.`;
  const damages = [
    ['previous_id = NULL', 'order_lines WHERE order_id = 4', linked(4 * 128, 4)],
    ['previous_id = id', 'order_lines WHERE order_id = 4', linked(4 * 128, 4)],
    ['number = 7', 'order_lines WHERE order_id = 5', linked(5 * 128, 5)],
    [
      'last_line_id = 128',
      'inventory WHERE pet_id = 1',
      'Pet 1 does not name the newest of its 4 order lines.',
    ],
    ['line_count = 5', 'inventory WHERE pet_id = 1', 'Pet 1 does not name the newest of its 4 order lines.'],
  ] as const;
  for (const [change, from, fault] of damages) {
    const [table, rows] = from.split(' WHERE ');
    await database.run(`UPDATE ${table} SET ${change} WHERE ${rows}`);
    assert.deepEqual((await admin.verify()).faults, [fault]);
    await database.run(LINK_PET_LINES);
  }
});
