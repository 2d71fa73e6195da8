import { runOnPostgres } from './on-postgres.ts';

/** What is asked of every store, of the service on it, and of the operator's commands. */
runOnPostgres([
  'access/ban-log',
  'admin-store',
  'audit',
  'import',
  'kept-answers',
  'ledger-operations',
  'ledger/expected-point',
  'ledger/interrupted-prune',
  'ledger/pruned-stream',
  'ledger/tampered-prunes',
  'ledger/unconfirmed-prune',
  'ledger/unrecorded-prune',
  'list-paging',
  'prune',
  'revert',
  'store/clock-guard',
  'store/served-migration',
  'update-inventory',
]);
