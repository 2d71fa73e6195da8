import type { Mutation } from '../mutation.ts';

const tests = ['server/test/simulation/seeds.long.ts'];
const FAILED_COMMIT = 'server/test/store/failed-commit.test.ts';
const COMMITS = 'server/src/store/sqlite/batch-commits.ts';
const THREAD = 'server/src/store/sqlite/writer-thread.ts';
const STOCK = 'server/src/store/sqlite/written-stock.ts';
const EXPIRY = 'server/src/order-expiry.ts';
const SENDER = 'server/src/webhooks/sender.ts';
const QUEUE = 'server/src/webhooks/queues/endpoint-queue.ts';
const EVENTS = 'server/src/webhooks/queues/endpoint-events.ts';
const BANS = 'server/src/store/access/bans.ts';
const BULK_WRITER = 'server/src/store/admin/bulk-changes/bulk-writer.ts';
const IMPORT_JOBS = 'server/src/store/imports/import-jobs.ts';
const STOCKTAKES = 'server/src/store/admin/stocktake-store.ts';
const SENDER_STORE = 'server/src/store/webhooks/sender-store.ts';

/** Faults of ordering and timing, which only show when something fails or ends at the wrong moment. */
export const SIMULATION: readonly Mutation[] = [
  {
    name: 'a change is acknowledged although its commit failed',
    file: COMMITS,
    from: "return this.#failed(error, this.#isCertain ? failureKind(error) : 'unconfirmed');",
    to: '',
    tests: [FAILED_COMMIT, ...tests],
  },
  {
    name: 'a commit that the disk did not confirm counts as not made',
    file: COMMITS,
    from: "this.#isCertain ? failureKind(error) : 'unconfirmed'",
    to: 'failureKind(error)',
    tests: [FAILED_COMMIT, ...tests],
  },
  {
    name: 'commits go on after one that a crash may bring back',
    file: COMMITS,
    from: 'this.#isCertain ||= overwriteFailedCommit(this.#database);',
    to: 'this.#isCertain = true;',
    tests: [FAILED_COMMIT, ...tests],
  },
  {
    name: 'changes of a thread that ended count as not made',
    file: THREAD,
    from: 'this.#pending?.reject(unconfirmed());',
    to: 'this.#pending?.reject(notWritten(undefined));',
    tests,
  },
  {
    name: 'a second batch begins while one is being committed',
    file: 'server/src/store/batch-queue.ts',
    from: 'if (this.#underWay || this.#isScheduled || this.#waiting.length === 0) return;',
    to: 'if (this.#isScheduled || this.#waiting.length === 0) return;',
    tests,
  },
  {
    name: 'stock is kept although another process has changed it',
    file: STOCK,
    from: 'version !== this.#version ||',
    to: '',
    tests,
  },
  {
    name: 'stock is kept although its commit failed',
    file: STOCK,
    from: '!this.#isCommitted ||',
    to: '',
    tests,
  },
  {
    name: 'a request that arrives twice in one batch is executed twice',
    file: 'server/src/store/idempotency/records.ts',
    from: 'this.#added.get(scope) ?? this.#found.get(scope)',
    to: 'this.#found.get(scope)',
    tests,
  },
  {
    name: 'orders expire by the clock of the machine',
    file: EXPIRY,
    from: 'const author = serviceAuthor(atMs);',
    to: 'const author = serviceAuthor(Date.now());',
    tests,
  },
  {
    name: 'an error of the database ends the expiry of orders',
    file: EXPIRY,
    from: 'this.#isFailing = true;\n      return false;',
    to: 'throw error;',
    tests,
  },
  {
    name: 'an event whose attempt failed counts as delivered',
    file: QUEUE,
    from: "if (sent.result === 'delivered') this.#succeed(message);",
    to: 'if (sent) this.#succeed(message);',
    tests,
  },
  {
    name: 'an interrupted attempt counts as delivered',
    file: QUEUE,
    from: 'if (!sent && !this.#isNext(message)) return;',
    to: 'if (!sent) return this.#succeed(message);',
    tests,
  },
  {
    name: 'an event is sent again after its success',
    file: EVENTS,
    from: 'this.#read = page.upTo;',
    to: 'this.#read = page.messages[0]?.position ?? page.upTo;',
    tests,
  },
  {
    name: 'a ring gives events again that are read already',
    file: EVENTS,
    from: 'this.#source.ring.after(this.#read)',
    to: 'this.#source.ring.after(this.#source.ring.from)',
    tests,
  },
  {
    name: 'after a read that failed an event is sent again',
    file: EVENTS,
    from: 'const page = await this.#source.page(before, subscription, this.#nextScan);',
    to: `const page = await this.#source.page(before, subscription, this.#nextScan).catch((error) => {
      this.#read = { sequence: this.#read.sequence - 1, number: 0 };
      this.#cursor = this.#read;
      throw error;
    });`,
    tests,
  },
  {
    name: 'leases are renewed after they have ended',
    file: SENDER,
    from: 'const RENEW_INTERVAL_MS = 5_000;',
    to: 'const RENEW_INTERVAL_MS = 20_000;',
    tests,
  },
  {
    name: 'a sender goes on after its lease has ended',
    file: 'server/src/webhooks/lease-clock.ts',
    from: 'return Math.max(0, LEASE_MS - MARGIN_MS - passedMs);',
    to: 'return Math.max(0, 3 * LEASE_MS - MARGIN_MS - passedMs);',
    tests,
  },
  {
    name: 'a sender takes leases that another one has',
    file: 'server/src/store/webhooks/sender-statements.ts',
    from: 'OR lease_until <= $2 OR',
    to: 'OR lease_until <= $3 OR',
    tests,
  },
  {
    name: 'a report of before a replay is written after it',
    file: SENDER_STORE,
    from: 'rows.get(id)?.token === token;',
    to: 'rows.has(id) && token > 0;',
    tests,
  },
  {
    name: 'a stop does not write its last report',
    file: SENDER,
    from: 'await this.#insist(() => this.#reports.write());',
    to: '',
    tests,
  },
  {
    name: 'leases that have ended are taken again before the last report',
    file: SENDER,
    from: 'if (!isRenewal) await this.#report();',
    to: '',
    tests,
  },
  {
    name: 'a scan that is full counts as the whole ledger',
    file: 'server/src/store/webhooks/event-reader.ts',
    from: 'const isMore = rows[limit] !== undefined;',
    to: 'const isMore = rows.length > limit + 1;',
    tests,
  },
  {
    name: 'counts that were not written are forgotten',
    file: 'server/src/store/sqlite/deferred-writes.ts',
    from: 'this.#limits.returnChanges(changes);',
    to: '',
    tests,
  },
  {
    name: 'a restart begins a minute without its requests',
    file: 'server/src/store/sqlite/memory-limits.ts',
    from: 'new WindowCount(window, label, used)',
    to: 'new WindowCount(window, label, 0)',
    tests,
  },
  {
    name: 'a ban is reported before it is written',
    file: BANS,
    from: 'return writing ? writing.then(() => admission) : admission;',
    to: 'return admission;',
    tests,
  },
  {
    name: 'a ban that could not be written is not written again',
    file: BANS,
    from: 'if (!this.#writes.has(ban.keyId)) this.save(ban);',
    to: '',
    tests,
  },
  {
    name: 'a restart forgets bans',
    file: BANS,
    from: 'if (!this.#counters.has(keyId)) this.#counters.set(keyId, new StrikeCounter(ban));',
    to: '',
    tests,
  },
  {
    name: 'requests that were on their way are strikes',
    file: 'server/src/domain/access/bans.ts',
    from: ' || nowMs <= this.#refusedAtMs + BAN_RULE.graceMs',
    to: '',
    tests,
  },
  {
    name: 'an import is recorded as applied after its rows are committed',
    file: IMPORT_JOBS,
    from: '{ importId: id }, named, { begin });',
    to: '{ importId: id }, named); await begin();',
    tests,
  },
  {
    name: 'an import writes over a change that was made after its plan',
    file: IMPORT_JOBS,
    from: 'if (stale.length === 0) return;',
    to: 'if (stale.length >= 0) return;',
    tests,
  },
  {
    name: 'a bulk change writes over a change that was made after its plan',
    file: BULK_WRITER,
    from: 'return pet.lastSequence !== planned.foundSequence || ',
    to: 'return ',
    tests,
  },
  {
    name: 'a portion of a bulk change is recorded after it is committed',
    file: BULK_WRITER,
    from: 'importPets(rows, author, { begin, end });',
    to: 'importPets(rows, author, { begin }); await this.#engine.transaction(end);',
    tests,
  },
  {
    name: 'a count of a stock-take is recorded again when it is repeated',
    file: STOCKTAKES,
    from: "activity: { action: 'stocktakes.count', target: id, details },\n        idempotency,",
    to: "activity: { action: 'stocktakes.count', target: id, details },",
    tests,
  },
  {
    name: 'a stock-take that is closed takes more counts',
    file: STOCKTAKES,
    from: 'if (!isReplayed) requireRunning(stocktake);',
    to: '',
    tests,
  },
  {
    name: 'a stock-take whose close is repeated is closed again',
    file: STOCKTAKES,
    from: 'if (stocktake.closedAtMs !== null) return stocktake;',
    to: '',
    tests,
  },
  {
    name: 'the undo of an import adds its units again',
    file: 'server/src/store/imports/import-undo.ts',
    from: 'row.foundQuantity - row.quantity',
    to: 'row.quantity - row.foundQuantity',
    tests: ['server/test/imports/undo.test.ts', ...tests],
  },
  {
    name: 'an import that is undone can be undone again',
    file: IMPORT_JOBS,
    from: 'if (undoes !== null) await this.#engine.run(NOTE_UNDO, [undoes, id]);',
    to: '',
    tests: ['server/test/imports/undo.test.ts', ...tests],
  },
  {
    name: 'a cancel of a stock-take leaves what its counts have changed',
    file: 'server/src/store/admin/stocktake-writes.ts',
    from: 'movements += await this.#revert(',
    to: "if (ended === 'undone') movements += await this.#revert(",
    tests,
  },
];
