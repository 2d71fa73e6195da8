import { runOnPostgres } from '../support/on-postgres.ts';

/** Tests of reorders that run against every store. */
runOnPostgres(['reorders/reorders', 'reorders/reorder-places', 'reorders/reorder-plans']);
