import { runOnPostgres } from './support/on-postgres.ts';

/** Tests of code that runs without a store, or whose store part has more specific tests elsewhere. */
runOnPostgres([
  'access/authenticator',
  'access/get-rate-limit',
  'access/limit-exactness',
  'access/limit-law',
  'fuzz/api-fuzz',
  'fuzz/hostile/unstorable-text',
  'http/cors',
  'http/entity-tags',
  'http/errors',
  'http/explanations',
  'http/json-body',
  'http/system-routes',
  'inventory/get-inventory-item',
  'inventory/get-pet',
  'inventory/list-as-of',
  'inventory/list-cache',
  'inventory/list-inventory',
  'ledger/list-movements',
  'ledger/verify',
  'live/stream-movements',
  'writes/adjust-inventory',
  'writes/batch-inventory',
  'writes/idempotency',
  'writes/preconditions',
]);
