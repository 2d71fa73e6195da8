import { describe } from 'node:test';
import { useEngine } from '../test-database.ts';
import { PostgresEngine } from './postgres-engine.ts';

/** What is asked of every store, of the service on it, and of the operator's commands: all of it on PostgreSQL. */
const CONTRACT = [
  'adjustments',
  'admin-store',
  'api-fuzz',
  'audit',
  'batch',
  'conditions',
  'cors',
  'errors',
  'explanations',
  'get-pet',
  'idempotency',
  'identify',
  'import',
  'inventory-item',
  'ledger-operations',
  'limit-exactness',
  'limit-law',
  'list-cache',
  'list-inventory',
  'list-moments',
  'list-paging',
  'movements',
  'prune',
  'rate-limit-operation',
  'revert',
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
