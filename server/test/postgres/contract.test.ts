import { runOnPostgres } from './on-postgres.ts';

/** What is asked of every store, of the service on it, and of the operator's commands. */
runOnPostgres([
  'access/ban-log',
  'admin-store',
  'audit',
  'import',
  'kept-answers',
  'ledger-operations',
  'list-paging',
  'prune',
  'revert',
  'store/clock-guard',
  'update-inventory',
]);
