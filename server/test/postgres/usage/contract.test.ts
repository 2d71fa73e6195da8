import { runOnPostgres } from '../support/on-postgres.ts';

/** Tests of usage, events and the activity log that run against every store. */
runOnPostgres(['usage/account-events', 'usage/usage-history']);
