import { runOnPostgres } from '../support/on-postgres.ts';

runOnPostgres(['stocktakes/stocktakes.long']);
