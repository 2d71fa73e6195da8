import { runOnPostgres } from './support/on-postgres.ts';

/** Tests that run against every store: of the store, the service on it, and the operator's commands. */
runOnPostgres([
  'admin/activity',
  'admin/keys',
  'admin/sessions',
  'inventory/list-paging',
  'ledger/audit',
  'ledger/ledger-operations',
  'ledger/prune/interrupted-prune',
  'ledger/prune/unconfirmed-prune',
  'management/management-thread',
  'orders/order-expiry',
  'store/admin-store',
  'store/clock-guard',
  'store/import',
  'store/served-migration',
  'webhook-endpoints/endpoint-store',
  'webhook-endpoints/sender-store',
  'writes/idempotency-records',
]);
