import type { Mutation } from '../mutation.ts';

/** Commits that fail, leases that were lost, what instances share, files that are durable, and bounds of the store. */
export const STORE: readonly Mutation[] = [
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
  {
    name: 'a page of SQLite ends a reading in steps',
    file: 'server/src/store/sqlite/list-reader.ts',
    from: 'if (this.#reading) return this.#reading.then(() => this.page(after, limit));',
    to: '',
    tests: ['server/test/inventory/list-page-race.test.ts'],
  },
  {
    name: 'minutes that end while others are written are lost',
    file: 'server/src/store/sqlite/memory-limits.ts',
    from: 'this.#minutes = this.#minutes.filter(({ number }) => number > last);',
    to: 'if (last > 0) this.#minutes = [];',
    tests: ['server/test/access/memory-limits.test.ts'],
  },
  {
    name: 'levels of a day that are reached while others are written are lost',
    file: 'server/src/store/sqlite/memory-limits.ts',
    from: 'this.#quotas = this.#quotas.filter((quota) => !quotas.includes(quota));',
    to: 'if (quotas.length > 0) this.#quotas = [];',
    tests: ['server/test/access/memory-limits.test.ts'],
  },
  {
    name: 'uses of keys whose commit failed are forgotten on SQLite',
    file: 'server/src/store/sqlite/deferred-writes.ts',
    from: 'this.keyUses.requeue(keyUses);',
    to: '',
    tests: ['server/test/access/credential-uses.test.ts'],
  },
  {
    name: 'uses of sessions whose commit failed are forgotten on SQLite',
    file: 'server/src/store/sqlite/deferred-writes.ts',
    from: 'this.sessionUses.requeue(sessionUses);',
    to: '',
    tests: ['server/test/access/credential-uses.test.ts'],
  },
  {
    name: 'uses that could not be written are forgotten on PostgreSQL',
    file: 'server/src/store/postgres/deferred-writes.ts',
    from: 'pending.requeue(uses);',
    to: '',
    tests: ['server/test/postgres/deferred-writes.test.ts'],
  },
  {
    name: 'an older use replaces a newer one',
    file: 'server/src/store/access/credential-uses.ts',
    from: 'new Map([...uses.map((use) => [use.id, use] as const), ...this.#unwritten])',
    to: 'new Map([...this.#unwritten, ...uses.map((use) => [use.id, use] as const)])',
    tests: ['server/test/access/credential-uses.test.ts'],
  },
  {
    name: 'uses of keys wait for keys that another session has locked',
    file: 'server/src/store/postgres/statements.ts',
    from: 'FOR NO KEY UPDATE OF api_keys SKIP LOCKED',
    to: 'FOR NO KEY UPDATE OF api_keys',
    tests: ['server/test/postgres/deferred-writes.test.ts'],
  },
  {
    name: 'results of large batches are kept without compression',
    file: 'server/src/store/idempotency/records.ts',
    from: 'if (text.length < COMPRESSED_FROM_CHARACTERS) return text;',
    to: 'if (text.length > 0) return text;',
    tests: ['server/test/writes/ledger-transaction.test.ts'],
  },
  {
    name: 'a COMMIT that PostgreSQL answers with ROLLBACK counts as made',
    file: 'server/src/store/postgres/ledger-writer.ts',
    from: "if (command !== 'COMMIT') throw",
    to: "if (command !== 'COMMIT' && command !== 'ROLLBACK') throw",
    tests: ['server/test/postgres/faults/refused-commit.test.ts'],
  },
  {
    name: 'changes on PostgreSQL wait for the ledger after one that waited in vain',
    file: 'server/src/store/postgres/ledger-writer.ts',
    from: 'if (!isRetryable(error)) throw notWritten(error, isBusy(error));',
    to: 'if (!isRetryable(error)) throw notWritten(error);',
    tests: ['server/test/postgres/faults/refused-commit.test.ts'],
  },
  {
    name: 'only a time-out of a lock shows that PostgreSQL is busy',
    file: 'server/src/store/postgres/ledger-writer.ts',
    from: "new Set(['55P03', '57014'])",
    to: "new Set(['55P03'])",
    tests: ['server/test/postgres/faults/refused-commit.test.ts'],
  },
  {
    name: 'a change that waited in vain for the ledger leaves its transaction open',
    file: 'server/src/store/postgres/ledger-writer.ts',
    from: `      rollBack(client);
      this.#connection.forgetEnded(client, error);
`,
    to: `      this.#connection.forgetEnded(client, error);
`,
    tests: ['server/test/postgres/faults/refused-commit.test.ts'],
  },
  {
    name: 'a change whose session ended before its COMMIT counts as not made',
    file: 'server/src/store/postgres/ledger-writer.ts',
    from: 'throw error instanceof pg.DatabaseError && !isConnectionLoss(error)',
    to: 'throw error instanceof pg.DatabaseError',
    tests: ['server/test/postgres/faults/refused-commit.test.ts'],
  },
  {
    name: 'charges lock their accounts in any order',
    file: 'server/src/store/postgres/statements.ts',
    from: '  ORDER BY account_id FOR UPDATE OF usage',
    to: '  FOR UPDATE OF usage',
    tests: ['server/test/postgres/charge.test.ts'],
  },
  {
    name: 'two instances report one ban',
    file: 'server/src/store/postgres/statements.ts',
    from: 'WHERE id = ANY ($1::bigint[]) AND reported_at IS NULL RETURNING id',
    to: 'WHERE id = ANY ($1::bigint[]) RETURNING id',
    tests: ['server/test/postgres/account-events.test.ts'],
  },
  {
    name: 'the second of two instances that report a quota fails',
    file: 'server/src/store/postgres/statements.ts',
    from: 'ON CONFLICT DO NOTHING RETURNING account_id, day_label, percent',
    to: 'RETURNING account_id, day_label, percent',
    tests: ['server/test/postgres/account-events.test.ts'],
  },
  {
    name: 'events of bans wait for the ledger as changes do',
    file: 'server/src/store/postgres/account-events.ts',
    from: `client.query('SET LOCAL lock_timeout = 250'),
      client.query(LOCK.ledger),`,
    to: 'client.query(LOCK.ledger),',
    tests: ['server/test/postgres/account-events.test.ts'],
  },
  {
    name: 'events of bans that could not be recorded wait for a minute',
    file: 'server/src/store/postgres/account-events.ts',
    from: `      this.#isDue = true;
      this.#notBeforeMs`,
    to: '      this.#notBeforeMs',
    tests: ['server/test/postgres/account-events.test.ts'],
  },
  {
    name: 'bans that could not be read are not read again',
    file: 'server/src/store/postgres/shared-bans.ts',
    from: `await this.#read();
    this.#version = version;`,
    to: `this.#version = version;
    await this.#read();`,
    tests: ['server/test/postgres/account-events.test.ts'],
  },
  {
    name: 'paused endpoints take leases',
    file: 'server/src/store/webhooks/sender-statements.ts',
    from: 'WHERE paused_at IS NULL AND (lease_owner = $1',
    to: 'WHERE (lease_owner = $1',
    tests: ['server/test/webhook-endpoints/sender-store.test.ts'],
  },
  {
    name: 'the secret before a rotation signs in its last moment',
    file: 'server/src/store/webhooks/endpoint-row.ts',
    from: '&& previousSecretExpiresAtMs > nowMs',
    to: '&& previousSecretExpiresAtMs >= nowMs',
    tests: ['server/test/webhook-endpoints/endpoint-store.test.ts'],
  },
  {
    name: 'events cannot be delivered again from the retention start',
    file: 'server/src/store/webhooks/event-positions.ts',
    from: 'comparePositions(after, oldest) < 0',
    to: 'comparePositions(after, oldest) <= 0',
    tests: ['server/test/ledger/prune/pruned-events.test.ts'],
  },
  {
    name: 'a runner that lost its lease fails the import of the next one',
    file: 'server/src/store/imports/import-jobs.ts',
    from: `failure = $4 WHERE id = $1 AND lease_owner = $2
AND state`,
    to: `failure = $4 WHERE id = $1 AND $2 <> ''
AND state`,
    tests: ['server/test/store/import-leases.test.ts'],
  },
  {
    name: 'a runner that lost its lease releases the import of the next one',
    file: 'server/src/store/imports/import-jobs.ts',
    from: "SET lease_until = $3 WHERE id = $1 AND lease_owner = $2'",
    to: "SET lease_until = $3 WHERE id = $1 AND $2 = $2'",
    tests: ['server/test/store/import-leases.test.ts'],
  },
  {
    name: 'a runner that lost its lease ends the bulk change of the next one',
    file: 'server/src/store/admin/bulk-changes/bulk-lease.ts',
    from: `position = NULL WHERE \${IS_HELD}\``,
    to: 'position = NULL WHERE id = $1 AND $2 = $2`',
    tests: ['server/test/pets/bulk-changes.test.ts'],
  },
  {
    name: 'a bulk change that finds the disk full is tried again',
    file: 'server/src/store/admin/bulk-changes/bulk-jobs.ts',
    from: 'if (isDiskFull(error))',
    to: 'if (isDiskFull(error) && attempts < 0)',
    tests: ['server/test/pets/bulk-changes.test.ts'],
  },
  {
    name: 'pets import --add takes no units from a pet above the limit',
    file: 'server/src/store/imports/pet-import.ts',
    from: 'OR incoming.quantity > $1 AND incoming.quantity > coalesce(inventory.quantity, 0) ORDER',
    to: 'OR incoming.quantity > $1 ORDER',
    tests: ['server/test/imports/adding.test.ts'],
  },
  {
    name: 'an import has an earlier time than the newest movement',
    file: 'server/src/store/ledger/import-movements.ts',
    from: 'this.#atMs = Math.max(author.atMs, head.recordedAtMs);',
    to: 'this.#atMs = author.atMs;',
    tests: ['server/test/store/import.test.ts'],
  },
  {
    name: 'limits that were raised refuse until the minute ends',
    file: 'server/src/store/postgres/shared-limits.ts',
    from: 'if (known && isSame(known.limits, account.limits)) {',
    to: 'if (known) {',
    tests: ['server/test/postgres/known-limits.test.ts'],
  },
  {
    name: 'the status has limits that are not those of the account any more',
    file: 'server/src/store/postgres/shared-limits.ts',
    from: 'if (!known || !isSame(known.limits, limits)) return undefined;',
    to: 'if (!known) return undefined;',
    tests: ['server/test/postgres/known-limits.test.ts'],
  },
  {
    name: 'a banned key has the windows of its last request',
    file: 'server/src/store/postgres/shared-limits.ts',
    from: `    counts.turnTo(atMs);
    const windows = counts.usage(limits);`,
    to: '    const windows = counts.usage(limits);',
    tests: ['server/test/postgres/known-limits.test.ts'],
  },
  {
    name: 'a request that cannot be decided has the windows of the last one',
    file: 'server/src/store/postgres/shared-limits.ts',
    from: `?? new RateLimitCounters();
    counts.turnTo(atMs);`,
    to: '?? new RateLimitCounters();',
    tests: ['server/test/postgres/known-limits.test.ts'],
  },
  {
    name: 'a query after one that ended its session is sent to the same one',
    file: 'server/src/store/postgres/connection.ts',
    from: 'if (error instanceof pg.DatabaseError && isServerGone(error.code)) this.#forget(client);',
    to: '',
    tests: ['server/test/postgres/connection.test.ts'],
  },
  {
    name: 'the end of a session that was left ends the next one',
    file: 'server/src/store/postgres/connection.ts',
    from: `    if (this.#connected !== client) return;
`,
    to: '',
    tests: ['server/test/postgres/connection.test.ts'],
  },
  {
    name: 'a list of PostgreSQL whose session ends fails',
    file: 'server/src/store/postgres/list-reader.ts',
    from: `if (!isRetryable(error)) throw error;
        return this.#refresh();`,
    to: 'throw error;',
    tests: ['server/test/postgres/connection.test.ts'],
  },
  {
    name: 'a writing thread does not know that it follows one that ended',
    file: 'server/src/store/sqlite/writer-thread.ts',
    from: 'identities, isAfterCrash: true };',
    to: 'identities, isAfterCrash: false };',
    tests: ['server/test/store/writing-thread.test.ts'],
  },
  {
    name: 'the attempts of a deleted endpoint stay',
    file: 'server/src/store/webhooks/webhook-store.ts',
    from: "await this.#engine.run('DELETE FROM webhook_attempts WHERE endpoint_id = $1', [id]);",
    to: '',
    tests: ['server/test/webhook-endpoints/endpoint-store.test.ts'],
  },
  {
    name: 'an account logs attempts of an endpoint of another one',
    file: 'server/src/store/webhooks/webhook-store.ts',
    from: `await this.#find(id, accountId, this.#engine.dialect.forUpdate);
      await this.#engine.run(COUNT_ATTEMPT`,
    to: `await this.#find(id, undefined, this.#engine.dialect.forUpdate);
      await this.#engine.run(COUNT_ATTEMPT`,
    tests: ['server/test/webhook-endpoints/endpoint-store.test.ts'],
  },
  {
    name: 'a backup replaces a file that was made meanwhile',
    file: 'server/src/store/complete-file.ts',
    from: `    refusePlace(target);
    renameSync(partial, target);`,
    to: '    renameSync(partial, target);',
    tests: ['server/test/store/durable-files.test.ts'],
  },
  {
    name: 'a backup has its name before it is on the disk',
    file: 'server/src/store/complete-file.ts',
    from: `    flush(partial, 'r+');
`,
    to: '',
    tests: ['server/test/store/durable-files.test.ts'],
  },
  {
    name: 'the name of a reported backup is not on the disk',
    file: 'server/src/store/complete-file.ts',
    from: "if (process.platform !== 'win32') flush(dirname(target), 'r');",
    to: '',
    tests: ['server/test/store/durable-files.test.ts'],
  },
  {
    name: 'a failed backup leaves its part',
    file: 'server/src/store/complete-file.ts',
    from: `    removePartial(file);
    if`,
    to: '    if',
    tests: ['server/test/store/durable-files.test.ts'],
  },
  {
    name: 'others read a backup while it is written',
    file: 'server/src/store/complete-file.ts',
    from: "openSync(partial, 'a', 0o600)",
    to: "openSync(partial, 'a', 0o644)",
    tests: ['server/test/store/durable-files.test.ts'],
  },
  {
    name: 'a restored database is in its place before it is on the disk',
    file: 'server/src/store/restore.ts',
    from: `  flush(copy, 'r+');
`,
    to: '',
    tests: ['server/test/store/durable-files.test.ts'],
  },
  {
    name: 'the place of a reported restore is not on the disk',
    file: 'server/src/store/restore.ts',
    from: `  flushFolder(target);
  return {`,
    to: '  return {',
    tests: ['server/test/store/durable-files.test.ts'],
  },
  {
    name: 'a verified backup that is old is deleted',
    file: 'server/src/store/backup-folder.ts',
    from: 'if (file === verified || atMs >= nowMs - keepMs) continue;',
    to: 'if (atMs >= nowMs - keepMs) continue;',
    tests: ['server/test/store/backup-folder.test.ts'],
  },
  {
    name: 'bulk changes of other keys that a key applies do not count as its own',
    file: 'server/src/store/admin/bulk-changes/bulk-change-store.ts',
    from: 'AND (actor = $4 OR applied_by = $4 OR undone_by = $4)',
    to: 'AND actor = $4',
    tests: ['server/test/pets/bulk-changes.test.ts'],
  },
  {
    name: 'pets that a bulk change has changed count as planned too',
    file: 'server/src/store/admin/bulk-changes/bulk-writer.ts',
    from: `        counts[from] -= petIds.length;
`,
    to: '',
    tests: ['server/test/pets/bulk-changes.test.ts'],
  },
  {
    name: 'codes that were taken before are named after a bulk change archives a pet',
    file: 'server/src/store/admin/bulk-changes/bulk-writer.ts',
    from: 'SET archived_at = $2, taken_codes = NULL WHERE',
    to: 'SET archived_at = $2 WHERE',
    tests: ['server/test/pets/bulk-codes.test.ts'],
  },
  {
    name: 'a new pet has more than the largest quantity of the shop',
    file: 'server/src/store/admin/pet-store.ts',
    from: 'if (quantity > this.#rules.maxQuantity) {',
    to: 'if (quantity > Number.MAX_SAFE_INTEGER) {',
    tests: ['server/test/pets/pet-store.test.ts'],
  },
  {
    name: 'a low level cannot be removed without its restock level',
    file: 'server/src/store/admin/pet-store.ts',
    from: 'return after.lowStockAt === null && changes.restockAt === undefined ? { ...after, restockAt: null } : after;',
    to: 'return after;',
    tests: ['server/test/pets/pet-store.test.ts'],
  },
  {
    name: 'an edit of an archived pet forgets what others have taken from it',
    file: 'server/src/store/pets/pet-codes.ts',
    from: "CASE given.sets_taken WHEN 'yes' THEN given.taken ELSE pets.taken_codes END",
    to: 'given.taken',
    tests: ['server/test/pets/pet-codes.test.ts'],
  },
  {
    name: 'a prune has an earlier time than the newest movement',
    file: 'server/src/store/prune/prune.ts',
    from: 'recordedAtMs: Math.max(nowMs, head.recordedAtMs),',
    to: 'recordedAtMs: nowMs,',
    tests: ['server/test/ledger/prune/prune.test.ts'],
  },
  {
    name: 'a slow prune records a batch that a faster one has deleted',
    file: 'server/src/store/prune/prune.ts',
    from: 'WHERE sequence = $1 AND deleted_sequence = $2`',
    to: 'WHERE sequence = $1 AND $2 >= 0`',
    tests: ['server/test/ledger/prune/prune.test.ts'],
  },
  {
    name: 'the next ban of a key is forgotten when the one before is written',
    file: 'server/src/store/access/bans.ts',
    from: 'if (this.#bans.get(ban.keyId) === ban) this.#bans.delete(ban.keyId);',
    to: 'this.#bans.delete(ban.keyId);',
    tests: ['server/test/access/pending-bans.test.ts'],
  },
  {
    name: 'a ban is sent before it is durable where the one before was just written',
    file: 'server/src/store/access/bans.ts',
    from: 'if (this.#writes.get(ban.keyId) === writing) this.#writes.delete(ban.keyId);',
    to: 'this.#writes.delete(ban.keyId);',
    tests: ['server/test/access/pending-bans.test.ts'],
  },
  {
    name: 'an import that is planned again keeps its failure',
    file: 'server/src/store/imports/import-store.ts',
    from: `facts = NULL, failure = NULL
WHERE`,
    to: `facts = NULL
WHERE`,
    tests: ['server/test/imports/lifecycle.test.ts'],
  },
  {
    name: 'a command that only reads sees many moments on SQLite',
    file: 'server/src/store/sqlite/admin/engine.ts',
    from: `      this.#database.exec('BEGIN');
      try {`,
    to: '      try {',
    tests: ['server/test/store/admin-store.test.ts'],
  },
  {
    name: 'an order has received less than nothing',
    file: 'server/src/store/reorders/stored-reorders.ts',
    from: 'const received = Math.max(0, units);',
    to: 'const received = units;',
    tests: ['server/test/reorders/reorders.test.ts'],
  },
  {
    name: 'gzips of other chunks have the same tag',
    file: 'server/src/store/list/list-snapshot.ts',
    from: `return \`\${process.versions.zlib} \${this.#chunks.map(({ itemCount }) => itemCount).join(' ')}\`;`,
    to: 'return process.versions.zlib;',
    tests: ['server/test/inventory/list-chunks.test.ts'],
  },
  {
    name: 'an upload that is complete is abandoned',
    file: 'server/src/store/imports/import-store.ts',
    from: "SET state = 'deleted' WHERE id = $1 AND state = 'receiving'`",
    to: "SET state = 'deleted' WHERE id = $1`",
    tests: ['server/test/imports/lifecycle.test.ts'],
  },
  {
    name: 'an upload that is complete is completed again',
    file: 'server/src/store/imports/import-store.ts',
    from: "lease_until = 0 WHERE id = $1 AND state = 'receiving'`",
    to: 'lease_until = 0 WHERE id = $1`',
    tests: ['server/test/imports/lifecycle.test.ts'],
  },
  {
    name: 'an import that waits to be applied cannot be cancelled',
    file: 'server/src/store/imports/import-store.ts',
    from: `OR state = 'applying' AND \${isFree('$2')})\``,
    to: "OR state = 'applying' AND $2 < 0)`",
    tests: ['server/test/imports/lifecycle.test.ts'],
  },
  {
    name: 'a command that kept services away leaves the database locked',
    file: 'server/src/store/sqlite/admin/engine.ts',
    from: `      lock.release();
    }
  }

  isDuplicate`,
    to: `      void lock;
    }
  }

  isDuplicate`,
    tests: ['server/test/store/sqlite-file.test.ts'],
  },
  {
    name: 'a clock that is years ahead deletes the usage of all years',
    file: 'server/src/store/sqlite/store.ts',
    from: 'if (this.#clockGuard.findFault(nowMs) === undefined) this.#deferred.purgeUsage(nowMs);',
    to: 'this.#deferred.purgeUsage(nowMs);',
    tests: ['server/test/usage/usage-retention.test.ts'],
  },
  {
    name: 'a checkpoint between two looks at the file counts as another program',
    file: 'server/src/store/sqlite/file/served-files.ts',
    from: 'if (checkpoint === undefined || checkpoint !== this.#walIndex.readCheckpoint()) {',
    to: 'if (checkpoint === undefined) {',
    tests: ['server/test/store/durable-files.test.ts'],
  },
  {
    name: 'a function that listens twice is one listener',
    file: 'server/src/store/listeners.ts',
    from: 'const one = (): void => listener();',
    to: 'const one = listener;',
    tests: ['server/test/store/listeners.test.ts'],
  },
  {
    name: 'a service that cannot read its database is ready',
    file: 'server/src/store/sqlite/store.ts',
    from: `    this.#reads.read(() => this.#statements.head.get());
`,
    to: '',
    tests: ['server/test/store/io-errors.test.ts'],
  },
];
