import { runOnPostgres } from '../support/on-postgres.ts';

/** Long tests of reports that run against every store. */
runOnPostgres(['reports/reports.long']);
