import { describe } from 'node:test';
import { useEngine } from '../test-database.ts';
import { PostgresEngine } from './postgres-engine.ts';

useEngine(new PostgresEngine());

describe('ledger-reading, on PostgreSQL', async () => {
  await import('../ledger-reading.test.ts');
  await import('../stock-reading.test.ts');
  await import('../ledger-plans.test.ts');
});
