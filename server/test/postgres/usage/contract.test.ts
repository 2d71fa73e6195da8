import { runOnPostgres } from '../support/on-postgres.ts';

/** Tests of usage, events and the activity log that run against every store. */
runOnPostgres([
  'activity/activity-log',
  'ledger/prune/pruned-events',
  'usage/account-events',
  'usage/usage-history',
  'usage/usage-retention',
]);
