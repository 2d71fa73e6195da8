import { runOnPostgres } from './on-postgres.ts';

/** What is asked of every store, of the service on it, and of the operator's commands. */
runOnPostgres([
  'admin-store',
  'api-fuzz',
  'audit',
  'batch',
  'idempotency',
  'identify',
  'import',
  'kept-answers',
  'ledger-operations',
  'limit-exactness',
  'list-cache',
  'list-inventory',
  'list-moments',
  'list-paging',
  'movements',
  'prune',
  'revert',
  'update-inventory',
  'verify',
]);
