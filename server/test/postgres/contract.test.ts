import { runOnPostgres } from './support/on-postgres.ts';

/** Tests that run against every store: of the store, the service on it, and the operator's commands. */
runOnPostgres([
  'access/ban-log',
  'inventory/list-paging',
  'ledger/audit',
  'ledger/expected-point',
  'ledger/kept-movements',
  'ledger/ledger-operations',
  'ledger/prune/interrupted-prune',
  'ledger/prune/prune',
  'ledger/prune/pruned-stream',
  'ledger/prune/unconfirmed-prune',
  'management/management-thread',
  'orders/order-expiry',
  'orders/reserved-stock',
  'store/admin-store',
  'store/clock-guard',
  'store/import',
  'store/served-migration',
  'webhook-endpoints/endpoint-operations',
  'webhook-endpoints/endpoint-store',
  'webhook-endpoints/sender-store',
  'writes/idempotency-records',
  'writes/revert-movement',
  'writes/update-inventory',
]);
