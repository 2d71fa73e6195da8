import type { Mutation } from '../mutation.ts';

/** Findings of an audit, and the result of a prune. */
export const AUDIT: readonly Mutation[] = [
  {
    name: 'an audit does not compare quantities',
    file: 'server/src/store/audit/audit-checks.ts',
    from: 'if (stock.quantity !== last.quantity) {',
    to: 'if (stock.quantity < 0) {',
    tests: ['server/test/ledger/verify.test.ts', 'server/test/ledger/audit.test.ts'],
  },
  {
    name: 'an audit does not compare versions',
    file: 'server/src/store/audit/audit-checks.ts',
    from: 'if (stock.version !== last.version) {',
    to: 'if (stock.version < 0) {',
    tests: ['server/test/ledger/verify.test.ts', 'server/test/ledger/audit.test.ts'],
  },
  {
    name: 'pruning goes one movement too far',
    file: 'server/src/store/prune/prune.ts',
    from: 'passed.filter((each) => superseded.has(each))',
    to: 'passed',
    tests: ['server/test/ledger/prune/prune.test.ts'],
  },
];
