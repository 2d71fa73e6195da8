import { runOnPostgres } from '../support/on-postgres.ts';

/** Tests of usage, events and the activity log that run against every store. */
runOnPostgres([
  'activity/activity-log',
  'usage/usage-history',
  'usage/account-events',
  'usage/usage-retention',
]);
