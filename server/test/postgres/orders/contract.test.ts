import { runOnPostgres } from '../support/on-postgres.ts';

/** Tests of orders, thresholds and sales that run against every store. */
runOnPostgres([
  'store/import-thresholds',
  'store/orders/one-commit',
  'store/orders/order-pages',
  'store/orders/sales-days',
]);
