import { describe } from 'node:test';
import { useEngine } from '../test-database.ts';
import { PostgresEngine } from './postgres-engine.ts';

/** What is asked of every store, of the service on it, and of the operator's commands: all of it on PostgreSQL. */
const CONTRACT = [
  'admin-store',
  'api-fuzz',
  'cors',
  'errors',
  'get-pet',
  'identify',
  'import',
  'limit-exactness',
  'limit-law',
  'list-cache',
  'list-inventory',
  'list-paging',
  'rate-limit-operation',
  'service-routes',
  'update-body',
  'update-inventory',
  'verify',
];

useEngine(new PostgresEngine());

for (const name of CONTRACT) {
  describe(`${name}, on PostgreSQL`, async () => {
    await import(`../${name}.test.ts`);
  });
}
