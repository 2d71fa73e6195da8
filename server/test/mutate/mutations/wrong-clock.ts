import type { Mutation } from '../mutation.ts';

const tests = ['server/test/admin/wrong-clock.test.ts'];

/** What keeps a wrong time of the management and of the jobs out of the ledger. */
export const WRONG_CLOCK: readonly Mutation[] = [
  {
    name: 'an import is applied with a clock that is a year ahead',
    file: 'server/src/management/refused-calls.ts',
    from: '|imports\\.apply',
    to: '',
    tests,
  },
  {
    name: 'a stock-take is closed with a clock that is a year ahead',
    file: 'server/src/management/refused-calls.ts',
    from: 'stocktakes\\.(?:count|close|undo|cancel)',
    to: 'stocktakes\\.(?:count|undo|cancel)',
    tests,
  },
  {
    name: 'with a wrong clock no key can be revoked',
    file: 'server/src/management/refused-calls.ts',
    from: 'LEDGER_CALL.test(call) ?',
    to: 'LEDGER_CALL ?',
    tests,
  },
  {
    name: 'the management does not look at the clock',
    file: 'server/src/management/management-thread.ts',
    from: 'if (refused !== undefined) throw refused;',
    to: '',
    tests,
  },
  {
    name: 'the jobs begin work with a clock that is a year ahead',
    file: 'server/src/management/jobs/jobs-thread.ts',
    from: ' || this.#options.isPaused?.()',
    to: '',
    tests,
  },
  {
    name: 'a clock that is a year ahead expires orders',
    file: 'server/src/store/sqlite/store.ts',
    from: 'if (fault !== undefined) throw wrongClock(new Error(fault));',
    to: '',
    tests: ['server/test/store/clock-jumps.test.ts'],
  },
  {
    name: 'a clock of the database that is a year ahead forgets the answers of repeated requests',
    file: 'server/src/store/postgres/store.ts',
    from: 'if (this.clockFault() === undefined) await this.#deferred.deleteOld();',
    to: 'await this.#deferred.deleteOld();',
    tests: ['server/test/postgres/shared-keys.test.ts'],
  },
];
