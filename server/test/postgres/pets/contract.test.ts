import { runOnPostgres } from '../support/on-postgres.ts';

/** Tests of pets in the management API that run against every store. */
runOnPostgres([
  'pets/bulk-changes',
  'pets/bulk-codes',
  'pets/bulk-orders',
  'pets/bulk-runners',
  'pets/catalog',
  'pets/delete-pet',
  'pets/pet-codes',
  'pets/pet-rows',
  'pets/pet-store',
  'pets/search',
  'pets/search-plans',
]);
