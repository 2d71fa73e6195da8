import type { Mutation } from '../mutation.ts';

const LIFECYCLE = 'server/test/imports/lifecycle.test.ts';
const PLAN = 'server/test/imports/plan-and-apply.test.ts';

/** The runners of imports, their leases, and what is left of imports. */
export const IMPORT_JOBS: readonly Mutation[] = [
  {
    name: 'an import that ends its runner is tried for ever',
    file: 'server/src/store/imports/import-jobs.ts',
    from: 'if (attempts <= MAX_IMPORT_ATTEMPTS) return',
    to: 'if (attempts <= MAX_IMPORT_ATTEMPTS * 100) return',
    tests: [LIFECYCLE],
  },
  {
    name: 'an import that failed cannot be planned again',
    file: 'server/src/store/imports/import-store.ts',
    from: "WHERE id = $1 AND state IN ('planned', 'stale', 'failed')",
    to: "WHERE id = $1 AND state IN ('planned', 'stale')",
    tests: [LIFECYCLE],
  },
  {
    name: 'an import that is planned again has no attempt left',
    file: 'server/src/store/imports/import-store.ts',
    from: 'lease_until = 0, attempts = 0, read_bytes = 0,',
    to: 'lease_until = 0, read_bytes = 0,',
    tests: [LIFECYCLE],
  },
  {
    name: 'a stopped runner keeps its lease',
    file: 'server/src/management/jobs/import-runner.ts',
    from: 'await this.#jobs.release(task, 0);',
    to: '',
    tests: [LIFECYCLE],
  },
  {
    name: 'the files of applied imports stay',
    file: 'server/src/store/imports/import-jobs.ts',
    from: "WHERE state IN ('deleted', 'applied', 'cancelled') OR",
    to: "WHERE state IN ('deleted', 'cancelled') OR",
    tests: [LIFECYCLE],
  },
  {
    name: 'an upload of a process that died stays for weeks',
    file: 'server/src/store/imports/import-jobs.ts',
    from: "AND (state = 'receiving' OR state NOT IN",
    to: 'AND (state NOT IN',
    tests: [LIFECYCLE],
  },
  {
    name: 'an import is purged on its first day',
    file: 'server/src/store/imports/import-jobs.ts',
    from: 'nowMs - IMPORT_KEPT_MS];',
    to: 'nowMs];',
    tests: [LIFECYCLE],
  },
  {
    name: 'a deleted import leaves rows beyond the first batch',
    file: 'server/src/store/imports/import-jobs.ts',
    from: 'if (rows === 0) await',
    to: 'await',
    tests: ['server/test/imports/volumes.test.ts'],
  },
  {
    name: 'the next page of a plan begins with the last row of the page before',
    file: 'server/src/store/imports/import-store.ts',
    from: 'MIN_INT64 : after + 1n;',
    to: 'MIN_INT64 : after;',
    tests: [PLAN, 'server/test/imports/imports-over-http.test.ts'],
  },
  {
    name: 'a plan shows a row of new thresholds as unchanged',
    file: 'server/src/store/imports/plan-sql.ts',
    from: 'OR given.has_thresholds = 1 AND (',
    to: 'OR given.has_thresholds = 2 AND (',
    tests: [PLAN, 'server/test/imports/model.test.ts'],
  },
  {
    name: 'a plan shows a row of a new status as unchanged',
    file: 'server/src/store/imports/plan-sql.ts',
    from: ' OR stock.status <> coalesce(given.status, stock.status)',
    to: '',
    tests: [PLAN, 'server/test/imports/model.test.ts'],
  },
  {
    name: 'a plan above a lowered limit keeps a pet from getting fewer units',
    file: 'server/src/store/imports/plan-sql.ts',
    from: ' OR quantity <= coalesce(found_quantity, 0))',
    to: ')',
    tests: ['server/test/imports/adding.test.ts', 'server/test/imports/model.test.ts'],
  },
  {
    name: 'an error of a file has no values',
    file: 'shared/src/pet-file/import-problems.ts',
    from: 'return { code, values, message: sentence(values) };',
    to: 'return { code, values: {}, message: sentence(values) };',
    tests: ['server/test/imports/error-codes.test.ts'],
  },
  {
    name: 'an error of CSV has the code of another one',
    file: 'shared/src/pet-file/csv.ts',
    from: "'quote-followed': importProblem('text_after_quote')",
    to: "'quote-followed': importProblem('quote_inside_field')",
    tests: ['server/test/imports/error-codes.test.ts'],
  },
  {
    name: 'a sum above the limit has the code of one below 0',
    file: 'shared/src/pet-file/faults.ts',
    from: 'return sum < 0n',
    to: 'return sum !== 0n',
    tests: ['server/test/imports/error-codes.test.ts'],
  },
  {
    name: 'an import without room on the disk seems to be interrupted',
    file: 'server/src/management/jobs/import-runner.ts',
    from: "this.#jobs.fail(task, 'disk_full')",
    to: "this.#jobs.fail(task, 'interrupted')",
    tests: ['server/test/imports/disk-room.test.ts'],
  },
  {
    name: 'a failed import does not say why by a code',
    file: 'server/src/wire/import-json.ts',
    from: 'failureCode: failure,',
    to: 'failureCode: null,',
    tests: ['server/test/imports/disk-room.test.ts'],
  },
  {
    name: 'an import with --json has a sentence alone',
    file: 'shared/src/pet-file/refused-file.ts',
    from: 'if (error instanceof RefusedFile) return',
    to: 'if (error === null && error instanceof RefusedFile) return',
    tests: ['server/test/imports/error-codes.test.ts', 'client/test/cli/import.test.ts'],
  },
];
