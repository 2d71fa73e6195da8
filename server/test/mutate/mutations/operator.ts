import type { Mutation } from '../mutation.ts';

/** The operator's commands about orders and thresholds. */
export const OPERATOR: readonly Mutation[] = [
  {
    name: 'an imported restockAt may equal lowStockAt',
    file: 'pet-file/values.ts',
    from: 'if (restock !== null && restock <= low)',
    to: 'if (restock !== null && restock < low)',
    tests: ['pet-file/read.test.ts'],
  },
  {
    name: 'an import removes the thresholds of a pet whose lowStockAt is empty',
    file: 'pet-file/values.ts',
    from: 'if (isAbsent(lowStockAt) && isAbsent(restockAt)) return undefined;',
    to: 'if (isAbsent(lowStockAt) && isAbsent(restockAt)) return NO_THRESHOLDS;',
    tests: ['pet-file/read.test.ts', 'cli/pet-thresholds.test.ts'],
  },
  {
    name: 'pets thresholds accepts a --restock that equals --low',
    file: 'cli/pets/thresholds.ts',
    from: 'if (restock !== undefined && restock <= low)',
    to: 'if (restock !== undefined && restock < low)',
    tests: ['cli/cli.test.ts'],
  },
  {
    name: 'pets thresholds changes the pets that exist although one does not',
    file: 'cli/pets/thresholds.ts',
    from: "errorPolicy: 'reject_everything',",
    to: "errorPolicy: 'reject_failed_rows',",
    tests: ['cli/pet-thresholds.test.ts'],
  },
  {
    name: 'pets thresholds changes what it should only show',
    file: 'cli/pets/thresholds.ts',
    from: 'await applied(store, petIds, {}, true);',
    to: 'await applied(store, petIds, NO_THRESHOLDS, false);',
    tests: ['cli/pet-thresholds.test.ts'],
  },
  {
    name: 'orders expire with a number waits for the time of the order',
    file: 'cli/orders/expire.ts',
    from: 'await expire(store, orderId, true);',
    to: 'await expire(store, orderId, false);',
    tests: ['cli/orders.test.ts'],
  },
  {
    name: 'orders expire ends after its first page',
    file: 'cli/orders/expire.ts',
    from: 'isMore = done > 0;',
    to: 'isMore = false;',
    tests: ['cli/orders.test.ts'],
  },
  {
    name: 'orders list ends after its first page',
    file: 'cli/orders/orders.ts',
    from: 'while (before !== undefined && found.length < limit);',
    to: 'while (false);',
    tests: ['cli/orders.test.ts'],
  },
];
