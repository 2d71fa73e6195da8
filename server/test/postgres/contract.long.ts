import { runOnPostgres } from './on-postgres.ts';

/** What is decided before a store is asked or after it has answered, and what its parts are asked more sharply elsewhere. */
runOnPostgres([
  'adjustments',
  'api-fuzz',
  'batch',
  'conditions',
  'cors',
  'errors',
  'explanations',
  'fuzz/unstorable-text',
  'get-pet',
  'http/preconditions',
  'idempotency',
  'identify',
  'inventory-item',
  'limit-exactness',
  'limit-law',
  'list-cache',
  'list-inventory',
  'list-moments',
  'movement-stream',
  'movements',
  'rate-limit-operation',
  'service-routes',
  'update-body',
  'verify',
]);
