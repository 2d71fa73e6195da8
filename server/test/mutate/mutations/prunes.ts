import type { Mutation } from '../mutation.ts';

const TAMPERED = [
  'server/test/ledger/prune/tampered-prunes.test.ts',
  'server/test/ledger/prune/interrupted-prune.test.ts',
];

/** The records of prunes in the hash chain, and their checks by an audit. */
export const PRUNES: readonly Mutation[] = [
  {
    name: 'the preview of a prune knows no endpoint that is behind',
    file: 'server/src/store/admin/prune.ts',
    from: 'WHERE cursor_sequence < CAST',
    to: 'WHERE cursor_sequence < -CAST',
    tests: ['server/test/webhook-endpoints/endpoint-store.test.ts'],
  },
  {
    name: 'a write chains the next movement on the newest one, past a prune',
    file: 'server/src/store/ledger/ledger-bounds.ts',
    from: 'AND after_sequence = sequence\n), movements.hash)',
    to: 'AND false\n), movements.hash)',
    tests: ['server/test/ledger/prune/pruned-stream.test.ts'],
  },
  {
    name: 'the live stream takes a movement after a prune for another ledger',
    file: 'server/src/http/live/ledger-tail.ts',
    from: 'return prunes[0]?.previousHash === last &&',
    to: 'return false &&',
    tests: ['server/test/ledger/prune/pruned-stream.test.ts'],
  },
  {
    name: 'an audit trusts the retention start of the ledger',
    file: 'server/src/store/audit/ledger-chain.ts',
    from: 'chain.#checkStart(start);',
    to: '',
    tests: TAMPERED,
  },
  {
    name: 'an audit trusts the digest of the retained rows',
    file: 'server/src/store/audit/retained-check.ts',
    from: ' || this.#digest !== newest.retainedDigest',
    to: '',
    tests: TAMPERED,
  },
  {
    name: 'an audit of an interrupted prune trusts the rows that an earlier one retained',
    file: 'server/src/store/audit/retained-check.ts',
    from: 'if (isEarlierThere &&',
    to: 'if (false && isEarlierThere &&',
    tests: TAMPERED,
  },
  {
    name: 'an audit trusts the hash of a prune',
    file: 'server/src/store/audit/prune-chain.ts',
    from: 'if (pruneHash(earlier?.hash ?? FIRST_HASH, prune) !== prune.hash)',
    to: 'if (false)',
    tests: TAMPERED,
  },
  {
    name: 'the hash of a prune does not cover the prune before',
    file: 'server/src/domain/ledger/prunes.ts',
    from: "    'prune',\n    previousPruneHash,",
    to: "    'prune',",
    tests: [...TAMPERED, 'server/test/ledger/ledger-doc.test.ts'],
  },
  {
    name: 'an audit does not look where a prune was made',
    file: 'server/src/store/audit/prune-chain.ts',
    from: 'if (!first || first.previousHash === hash) return;',
    to: 'if (first || !first) return;',
    tests: TAMPERED,
  },
  {
    name: 'an audit passes over prunes beyond the end',
    file: 'server/src/store/audit/prune-chain.ts',
    from: 'if (!beyond) return;',
    to: 'if (beyond || !beyond) return;',
    tests: TAMPERED,
  },
  {
    name: 'a ledger with a fault is pruned',
    file: 'server/src/store/prune/prune.ts',
    from: 'if (!faults.isEmpty || start?.sequence !== wanted)',
    to: 'if (start?.sequence !== wanted)',
    tests: TAMPERED,
  },
  {
    name: 'a hash that the ledger does not contain is as expected',
    file: 'server/src/store/audit/expected-point.ts',
    from: 'if (found === hash && (sequence > start',
    to: 'if (found !== undefined && (sequence > start',
    tests: ['server/test/ledger/expected-point.test.ts'],
  },
  {
    name: 'a prune after the expected hash needs no confirmation',
    file: 'server/src/store/audit/expected-point.ts',
    from: 'i >= begin && !isExpected[i]',
    to: 'false',
    tests: ['server/test/ledger/prune/unconfirmed-prune.test.ts'],
  },
  {
    name: 'a hash that only an unconfirmed prune contains is as expected',
    file: 'server/src/store/audit/expected-point.ts',
    from: 'if (known.slice(0, confirmed).flat()',
    to: 'if (known.flat()',
    tests: ['server/test/ledger/prune/unconfirmed-prune.test.ts'],
  },
  {
    name: 'the last movement before a new start is not checked by the one after it',
    file: 'server/src/store/prune/prune.ts',
    from: 'chain.read(wanted + 1)',
    to: 'chain.read(wanted)',
    tests: ['server/test/ledger/prune/tampered-prunes.test.ts'],
  },
];
