import type { Mutation } from '../mutation.ts';

/** What an audit finds, and what pruning leaves. */
export const AUDIT: readonly Mutation[] = [
  {
    name: 'an audit does not compare quantities',
    file: 'store/movement-faults.ts',
    from: 'if (stock.quantity !== last.quantity) {',
    to: 'if (stock.quantity < 0) {',
    tests: ['verify.test.ts', 'audit.test.ts'],
  },
  {
    name: 'an audit does not compare versions',
    file: 'store/movement-faults.ts',
    from: 'if (stock.version !== last.version) {',
    to: 'if (stock.version < 0) {',
    tests: ['verify.test.ts', 'audit.test.ts'],
  },
  {
    name: 'pruning goes one movement too far',
    file: 'store/prune-ledger.ts',
    from: 'movement[0] < beforeMs) before = middle;',
    to: 'movement[0] <= beforeMs) before = middle;',
    tests: ['prune.test.ts'],
  },
  {
    name: 'pruning forgets the newest movement of a pet',
    file: 'store/prune-ledger.ts',
    from: ' AND sequence IS DISTINCT FROM (\n  SELECT last_sequence FROM inventory WHERE inventory.pet_id = movements.pet_id\n)',
    to: '',
    tests: ['prune.test.ts'],
  },
];
