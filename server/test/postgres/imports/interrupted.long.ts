import { describe } from 'node:test';
import { useEngine } from '../../support/test-database.ts';
import { PostgresEngine } from '../support/postgres-engine.ts';

useEngine(new PostgresEngine());
describe('imports/interrupted, on PostgreSQL', async () => {
  await import('../../imports/interrupted.long.ts');
});
