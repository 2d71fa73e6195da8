import { runOnPostgres } from './support/on-postgres.ts';

/** Tests that run against every store: of the store, the service on it, and the operator's commands. */
runOnPostgres([
  'access/late-bodies',
  'admin/keys',
  'admin/newest-backup',
  'admin/order-approval',
  'admin/saved-views',
  'fuzz/hostile/unstorable-parameters',
  'inventory/list-paging',
  'ledger/audit',
  'ledger/ledger-operations',
  'ledger/prune/unconfirmed-prune',
  'management/management-thread',
  'orders/order-expiry',
  'store/admin-store',
  'store/clock-guard',
  'store/clock-jumps',
  'store/import',
  'webhook-endpoints/endpoint-store',
  'webhook-endpoints/resend',
  'webhook-endpoints/sender-store',
  'writes/idempotency-records',
]);
