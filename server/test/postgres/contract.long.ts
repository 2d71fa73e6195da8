import { runOnPostgres } from './on-postgres.ts';

/** What is decided before a store is asked, or after it has answered. */
runOnPostgres([
  'adjustments',
  'conditions',
  'cors',
  'errors',
  'explanations',
  'get-pet',
  'inventory-item',
  'limit-law',
  'movement-stream',
  'rate-limit-operation',
  'service-routes',
  'update-body',
]);
