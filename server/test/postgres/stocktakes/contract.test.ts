import { runOnPostgres } from '../support/on-postgres.ts';

/** Tests of stock-takes that run against every store. */
runOnPostgres([
  'stocktakes/stocktake-cancel',
  'stocktakes/stocktake-operations',
  'stocktakes/stocktake-prune',
  'stocktakes/stocktakes',
]);
