import type { Mutation } from '../mutation.ts';

/** Commits that fail, and what an instance writes besides changes of stock: bans, usage, and the purge of old records. */
export const REGULAR_WRITES: readonly Mutation[] = [
  {
    name: 'a ban of a commit without confirmation is written twice on SQLite',
    file: 'server/src/store/sqlite/statements.ts',
    from: '\nAND NOT EXISTS (SELECT 1 FROM bans WHERE key_id = $keyId AND banned_at = $bannedAtMs)',
    to: '',
    tests: ['server/test/store/writing-thread.test.ts'],
  },
  {
    name: 'a minute of a commit without confirmation counts twice on SQLite',
    file: 'server/src/store/sqlite/usage-writer.ts',
    from: 'if (number > finished) addMinute.run(minute);',
    to: 'addMinute.run(minute);',
    tests: ['server/test/store/writing-thread.test.ts'],
  },
  {
    name: 'SQLite keeps notices of quotas for ever',
    file: 'server/src/store/sqlite/usage-writer.ts',
    from: 'purgeQuotaNotices.run(after, dayLabel);',
    to: '',
    tests: ['server/test/store/writing-thread.test.ts'],
  },
  {
    name: 'PostgreSQL keeps notices of quotas for ever',
    file: 'server/src/store/postgres/statements.ts',
    from: 'AND day_label < $5::bigint)',
    to: 'AND day_label < $5::bigint - 10000)',
    tests: ['server/test/postgres/deferred-writes.test.ts'],
  },
  {
    name: 'SQLite keeps a result under a key of long ago for ever',
    file: 'server/src/store/sqlite/statements.ts',
    from: 'INSERT OR REPLACE INTO idempotency_records (scope, fingerprint, result, created_at)\nVALUES ($scope, $fingerprint, $result, $createdAtMs)',
    to: `INSERT INTO idempotency_records (scope, fingerprint, result, created_at)
VALUES ($scope, $fingerprint, $result, $createdAtMs)
ON CONFLICT (scope) DO UPDATE SET fingerprint = excluded.fingerprint, result = excluded.result, created_at = excluded.created_at`,
    tests: ['server/test/store/writing-thread.test.ts'],
  },
  {
    name: 'the purge of PostgreSQL waits for a record that another session replaces',
    file: 'server/src/store/postgres/statements.ts',
    from: 'AND created_at <= $2\n  FOR UPDATE SKIP LOCKED',
    to: 'AND created_at <= $2\n  FOR UPDATE',
    tests: ['server/test/postgres/deferred-writes.test.ts'],
  },
  {
    name: 'a command whose commit the disk did not confirm fails as if nothing were changed',
    file: 'server/src/store/sqlite/transaction.ts',
    from: 'if (undoFailedCommit(database, error)) throw asOperatorError(error);',
    to: 'undoFailedCommit(database, error);\n    if (error) throw asOperatorError(error);',
    tests: ['server/test/store/failed-commit.test.ts'],
  },
  {
    name: 'a failed commit stays in the log of SQLite',
    file: 'server/src/store/sqlite/transaction.ts',
    from: 'return isIncomplete || isBusy(error) || overwriteFailedCommit(database);',
    to: 'return true;',
    tests: ['server/test/store/failed-commit.test.ts'],
  },
  {
    name: 'changes are tried on a disk that is still full',
    file: 'server/src/store/sqlite/batch-commits.ts',
    from: "this.#isFull &&= this.#findRoom() === 'none' || !overwriteFailedCommit(this.#database);",
    to: 'this.#isFull = false;',
    tests: ['server/test/store/failed-commit.test.ts'],
  },
  {
    name: 'the last commit of a writing thread that crashed counts as certain',
    file: 'server/src/store/sqlite/batch-commits.ts',
    from: 'this.#isCertain = !isAfterCrash;',
    to: 'this.#isCertain = true;',
    tests: ['server/test/store/failed-commit.test.ts'],
  },
];
