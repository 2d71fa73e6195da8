import { runOnPostgres } from '../support/on-postgres.ts';

/** Tests of imports that run against every store. */
runOnPostgres([
  'imports/clock-ahead',
  'imports/codes',
  'imports/suppliers',
  'imports/undo',
  'imports/mappings',
  'imports/error-codes',
  'imports/plan-and-apply',
  'imports/lifecycle',
]);
