import type { Mutation } from '../mutation.ts';

const LIFECYCLE = 'imports/lifecycle.test.ts';
const PLAN = 'imports/plan-and-apply.test.ts';

/** The runners of imports, their leases, and what is left of imports. */
export const IMPORT_JOBS: readonly Mutation[] = [
  {
    name: 'an import that ends its runner is tried for ever',
    file: 'store/imports/import-jobs.ts',
    from: 'if (attempts <= MAX_ATTEMPTS) return',
    to: 'if (attempts <= MAX_ATTEMPTS * 100) return',
    tests: [LIFECYCLE],
  },
  {
    name: 'an import that failed cannot be planned again',
    file: 'store/imports/import-store.ts',
    from: "WHERE id = $1 AND state IN ('planned', 'stale', 'failed')",
    to: "WHERE id = $1 AND state IN ('planned', 'stale')",
    tests: [LIFECYCLE],
  },
  {
    name: 'an import that is planned again has no attempt left',
    file: 'store/imports/import-store.ts',
    from: 'lease_until = 0, attempts = 0, read_bytes = 0,',
    to: 'lease_until = 0, read_bytes = 0,',
    tests: [LIFECYCLE],
  },
  {
    name: 'a stopped runner keeps its lease',
    file: 'management/jobs/import-runner.ts',
    from: 'await this.#jobs.release(task, 0);',
    to: '',
    tests: [LIFECYCLE],
  },
  {
    name: 'the files of applied imports stay',
    file: 'store/imports/import-purge.ts',
    from: "WHERE state IN ('deleted', 'applied', 'cancelled', 'invalid') LIMIT",
    to: "WHERE state IN ('deleted', 'cancelled', 'invalid') LIMIT",
    tests: [LIFECYCLE],
  },
  {
    name: 'an upload of a process that died stays for weeks',
    file: 'store/imports/import-purge.ts',
    from: "AND (state = 'receiving' OR state NOT IN",
    to: 'AND (state NOT IN',
    tests: [LIFECYCLE],
  },
  {
    name: 'an import is purged on its first day',
    file: 'store/imports/import-purge.ts',
    from: 'nowMs - IMPORT_KEPT_MS];',
    to: 'nowMs];',
    tests: [LIFECYCLE],
  },
  {
    name: 'a deleted import leaves rows beyond the first portion',
    file: 'store/imports/import-purge.ts',
    from: 'if (rows === 0) await',
    to: 'await',
    tests: ['imports/volumes.test.ts'],
  },
  {
    name: 'the next page of a plan begins with the last row of the page before',
    file: 'store/imports/import-store.ts',
    from: 'MIN_INT64 : after + 1n;',
    to: 'MIN_INT64 : after;',
    tests: [PLAN, 'imports/imports-over-http.test.ts'],
  },
  {
    name: 'a plan shows a row of new thresholds as unchanged',
    file: 'store/imports/plan-sql.ts',
    from: 'OR given.has_thresholds = 1 AND (',
    to: 'OR given.has_thresholds = 2 AND (',
    tests: [PLAN, 'imports/model.test.ts'],
  },
  {
    name: 'a plan shows a row of a new status as unchanged',
    file: 'store/imports/plan-sql.ts',
    from: ' OR stock.status <> coalesce(given.status, stock.status)',
    to: '',
    tests: [PLAN, 'imports/model.test.ts'],
  },
  {
    name: 'a plan above a lowered limit keeps a pet from getting fewer units',
    file: 'store/imports/plan-sql.ts',
    from: ' OR quantity <= coalesce(found_quantity, 0))',
    to: ')',
    tests: ['imports/adding.test.ts', 'imports/model.test.ts'],
  },
];
