import { runOnPostgres } from '../support/on-postgres.ts';

/** Tests of reports that run against every store. */
runOnPostgres(['reports/reports']);
