import type { Mutation } from '../mutation.ts';

const HISTORIES = 'orders/store-histories.test.ts';
const PAGES = 'store/orders/order-pages.test.ts';
const SALES = 'store/orders/sales-days.test.ts';
const DEFAULTS = 'store/orders/default-thresholds.test.ts';
const IMPORTS = 'store/import-thresholds.test.ts';
const VERIFY = 'ledger/verify-orders.test.ts';
const PLANS = 'postgres/orders/order-plans.long.ts';

/** Decisions about orders, alerts and sales, and how both engines keep and check them. */
export const ORDER_STORE: readonly Mutation[] = [
  {
    name: 'a placed order whose time has passed can be approved',
    file: 'domain/orders/order-book.ts',
    from: "if (command.step !== 'expire' && isOver) return 'expiry_passed';",
    to: '',
    tests: ['orders/order-steps.test.ts', 'orders/order-expiry.test.ts', 'orders/shop-model.test.ts'],
  },
  {
    name: 'a refused order leaves its number unused',
    file: 'domain/orders/order-book.ts',
    from: '    if (refusal) return refusal;\n    this.#newestId = order.orderId;\n',
    to: '    this.#newestId = order.orderId;\n    if (refusal) return refusal;\n',
    tests: ['orders/shop-model.test.ts', 'orders/place-order.test.ts', HISTORIES],
  },
  {
    name: 'the counts of an order that has two steps in one commit are those of the last one',
    file: 'domain/orders/order-book.ts',
    from: 'hasNewCounts: earlier?.hasNewCounts === true || (',
    to: 'hasNewCounts: (',
    tests: ['store/orders/one-commit.test.ts'],
  },
  {
    name: 'a step moves the lines before the one that is refused',
    file: 'domain/orders/order-book.ts',
    from: '        refusal = { code, order, line, petId, stock };\n        return false;',
    to: '        refusal = { code, order, line, petId, stock };\n        return true;',
    tests: ['orders/place-order.test.ts', 'orders/shop-model.test.ts'],
  },
  {
    name: 'a refused order leaves its sales',
    file: 'domain/ledger/ledger-transaction.ts',
    from: '    this.#sales.length = sales;\n',
    to: '',
    tests: ['writes/ledger-transaction.test.ts', HISTORIES, SALES],
  },
  {
    name: 'a pet is not low at its threshold',
    file: 'domain/ledger/alerts.ts',
    from: "if (available <= lowStockAt) return 'low';",
    to: "if (available < lowStockAt) return 'low';",
    tests: ['alerts/alerts.test.ts', IMPORTS],
  },
  {
    name: 'a low pet is back above its threshold, whatever restockAt is',
    file: 'domain/ledger/alerts.ts',
    from: 'available < (restockAt ?? lowStockAt + 1)',
    to: 'available < lowStockAt + 1',
    tests: ['alerts/alerts.test.ts', DEFAULTS],
  },
  {
    name: 'a reverted sale counts',
    file: 'domain/ledger/sales.ts',
    from: 'return sale && { ...sale, units: -sale.units };',
    to: 'return undefined;',
    tests: [SALES],
  },
  {
    name: 'a revert with the reason sold is a sale',
    file: 'domain/ledger/sales.ts',
    from: "(reason === 'sold' && kind !== 'revert')",
    to: "reason === 'sold'",
    tests: [SALES],
  },
  {
    name: 'a page on SQLite reads the orders of a status in the order of all',
    file: 'store/orders/order-sql.ts',
    from: `(column, value, id) => \`\${column} = \${value} AND \${idWithin(id)}\``,
    to: `(column, value, id) => \`+\${column} = \${value} AND \${idWithin(id)}\``,
    tests: ['store/orders/page-plans.test.ts'],
  },
  {
    name: 'a page on PostgreSQL has a condition on each column of an index',
    file: 'store/orders/order-sql.ts',
    from: `\`\${column} IS NOT NULL AND (\${column}, \${id}) > (\${value}, \${LOWER}) AND (\${column}, \${id}) <= (\${value}, \${UP_TO})\``,
    to: `\`\${column} = \${value} AND \${idWithin(id)}\``,
    tests: [PLANS],
  },
  {
    name: 'a page that looked through its share of orders is the last one',
    file: 'store/orders/order-reader.ts',
    from: 'const next = rows.length > limit ? orders.at(-1)?.orderId : rows[0]?.lastRead;',
    to: 'const next = rows.length > limit ? orders.at(-1)?.orderId : undefined;',
    tests: [PAGES],
  },
  {
    name: 'createdSince leaves out the orders of its own moment',
    file: 'store/orders/order-sql.ts',
    from: `WHERE orders.id = reached + leap) < \${SINCE_MS}`,
    to: `WHERE orders.id = reached + leap) <= \${SINCE_MS}`,
    tests: [PAGES],
  },
  {
    name: 'an order is due one millisecond late',
    file: 'store/orders/order-sql.ts',
    from: 'expires_at <= CAST($1 AS bigint)',
    to: 'expires_at < CAST($1 AS bigint)',
    tests: [PAGES],
  },
  {
    name: 'the stock of a step on PostgreSQL is found by a scan of all lines',
    file: 'store/postgres/statements.ts',
    from: `SELECT pet_id FROM order_lines WHERE \${areLinesOf('stepped')} LIMIT \${LINE_IDS}`,
    to: `SELECT pet_id FROM order_lines WHERE order_id = stepped.id LIMIT \${LINE_IDS}`,
    tests: [PLANS],
  },
  {
    name: 'PostgreSQL keeps no delivered units',
    file: 'store/postgres/record-batch.ts',
    from: 'if (counted.length > 0) {',
    to: 'if (counted.length > 1_000_000) {',
    tests: ['postgres/shared-orders.test.ts', 'postgres/orders/contract.test.ts'],
  },
  {
    name: 'SQLite keeps no delivered units',
    file: 'store/sqlite/ledger-writer.ts',
    from: 'if (!hasNewCounts) return;',
    to: 'return;',
    tests: [HISTORIES],
  },
  {
    name: 'SQLite keeps sales for ever',
    file: 'store/sqlite/ledger-writer.ts',
    from: '      this.#statements.deleteSales.run(petId, day - SALES_DAYS);\n',
    to: '',
    tests: [SALES],
  },
  {
    name: 'PostgreSQL adds sales without what was reverted in the same commit',
    file: 'store/postgres/statements.ts',
    from: 'SELECT added - taken FROM sold',
    to: 'SELECT added FROM sold',
    tests: ['postgres/orders/contract.test.ts'],
  },
  {
    name: 'an import on SQLite forgets the reserved units',
    file: 'store/ledger/import-movements.ts',
    from: 'const reserved = row.reserved ?? 0;',
    to: 'const reserved = 0;',
    tests: [IMPORTS],
  },
  {
    name: 'an import on SQLite clears the thresholds of pets whose row has none',
    file: 'store/sqlite/admin/import.ts',
    from: 'FROM incoming WHERE incoming.pet_id = inventory.pet_id AND has_thresholds\n',
    to: 'FROM incoming WHERE incoming.pet_id = inventory.pet_id\n',
    tests: [IMPORTS],
  },
  {
    name: 'an import on PostgreSQL keeps the thresholds of known pets',
    file: 'store/postgres/admin/import.ts',
    from: 'low_stock_at = CASE WHEN has_thresholds THEN incoming.low_stock_at ELSE inventory.low_stock_at END,',
    to: 'low_stock_at = inventory.low_stock_at,',
    tests: ['postgres/orders/contract.test.ts'],
  },
  {
    name: 'a change of the default ends after its first portion',
    file: 'store/admin/shop-thresholds.ts',
    from: 'if (petIds.length < PETS_PER_WRITE || last === MAX_INT64) return changed;',
    to: 'return changed;',
    tests: [DEFAULTS],
  },
  {
    name: 'a change of the default leaves no time for other writes',
    file: 'store/admin/portions.ts',
    from: 'if (!isLockFair) await delay(performance.now() - beginMs);',
    to: '',
    tests: [DEFAULTS],
  },
  {
    name: 'SQLite decides by the default thresholds of the commit before',
    file: 'store/sqlite/written-stock.ts',
    from: '      this.thresholds = undefined;\n',
    to: '',
    tests: [DEFAULTS, IMPORTS],
  },
  {
    name: 'verify finds no change of a closed order',
    file: 'store/orders/order-faults.ts',
    from: 'HAVING sum(ordered) <> 0 OR sum(released) <> 0 OR sum(delivered) <> 0 OR sum(returned) <> 0',
    to: 'HAVING sum(ordered) <> 0',
    tests: [VERIFY],
  },
  {
    name: 'verify blames an order whose placement is pruned in part',
    file: 'store/orders/order-faults.ts',
    from: 'SELECT order_id + 1 FROM movements',
    to: 'SELECT 1 FROM movements',
    tests: [VERIFY],
  },
  {
    name: 'verify does not compare reserved units with open orders',
    file: 'store/orders/order-faults.ts',
    from: 'AS pets WHERE reserved <> held',
    to: 'AS pets WHERE reserved < 0',
    tests: [VERIFY],
  },
];
