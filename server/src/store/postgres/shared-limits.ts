import type { Account } from '../../domain/access/api-key.ts';
import type { Ban } from '../../domain/access/bans.ts';
import type { Limits } from '../../domain/access/plans.ts';
import type { Principal } from '../../domain/access/principal.ts';
import {
  RateLimitCounters,
  WindowCount,
  type WindowName,
  type WindowUsage,
} from '../../domain/access/rate-limit.ts';
import { ApiError, serviceUnavailable } from '../../domain/errors.ts';
import type { LedgerHead } from '../../domain/ledger/ledger.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { Admission, LimitStatus } from '../../domain/store.ts';
import { BanTracker } from '../access/bans.ts';
import { BatchQueue } from '../batch-queue.ts';
import type { Connection } from './connection.ts';
import type { DatabaseClock } from './database-clock.ts';
import { READ, WRITE } from './statements.ts';

/** A row of the statement `usage`. */
export interface UsageRow extends Limits {
  readonly accountId: string;
  readonly nowMs: number;
  readonly minuteLabel: number;
  readonly minuteUsed: number;
  readonly dayLabel: number;
  readonly dayUsed: number;
}

/** A row of the statement `charge`. */
interface ChargeRow extends UsageRow, LedgerHead {
  /** The number of the batch's requests of this account that were admitted. */
  readonly admitted: number;
  readonly accessVersion: number;
}

/** @param later Requests of the same batch that were admitted later; they are not counted. */
function countsOf(
  { minuteLabel, minuteUsed, dayLabel, dayUsed }: UsageRow,
  later: number,
): RateLimitCounters {
  return new RateLimitCounters(
    new WindowCount('minute', minuteLabel, minuteUsed - later),
    new WindowCount('day', dayLabel, dayUsed - later),
  );
}

function isSame(one: Limits, other: Limits): boolean {
  return one.perMinute === other.perMinute && one.perDay === other.perDay;
}

/** The exhausted window that resets last. */
function exhaustedWindow(windows: readonly WindowUsage[]): WindowName | undefined {
  return windows.findLast(({ remaining }) => remaining === 0)?.name;
}

function missingAccount(id: string): Error {
  return new Error(`Account ${id} has no row of usage.`);
}

/** The windows sent to a banned key may be this old: it can use neither. */
const BANNED_USAGE_REUSED_MS = 1_000;

/** The last known counts of an account, with the limits at that time. */
interface KnownUsage {
  readonly limits: Limits;
  readonly counts: RateLimitCounters;
  /** When the query was sent, by `performance.now()`. */
  readonly sentAtMs: number;
}

/** The database's decision about one request. */
interface Charge {
  readonly isAdmitted: boolean;
  readonly row: ChargeRow;
  /** The row's counts without the requests of the batch that were admitted after this one. */
  readonly counts: RateLimitCounters;
}

/**
 * The limits of many processes on one database. Each request is charged there, in a round trip shared by all requests
 * that arrive during the one before. An exhausted window needs no query.
 */
export class SharedLimits {
  readonly #connection: Connection;
  readonly #clock: DatabaseClock;
  readonly #banTracker: BanTracker;
  readonly #onAccessVersion: (version: number) => void;
  readonly #onCharge: (row: UsageRow) => void;
  readonly #charges = new BatchQueue<string, Charge | undefined>((accountIds) => this.#charge(accountIds));
  readonly #usages = new BatchQueue<string, UsageRow | undefined>((accountIds) => this.#usage(accountIds));
  /** The last known counts of each account. */
  readonly #known = new Map<string, KnownUsage>();

  constructor(
    connection: Connection,
    clock: DatabaseClock,
    observers: {
      onBan: (ban: Ban) => void;
      onAccessVersion: (version: number) => void;
      /** Called with the usage of an account after a charge. */
      onCharge: (row: UsageRow) => void;
    },
  ) {
    this.#connection = connection;
    this.#clock = clock;
    this.#banTracker = new BanTracker(observers.onBan);
    this.#onAccessVersion = observers.onAccessVersion;
    this.#onCharge = observers.onCharge;
  }

  admit(principal: Principal): MaybePromise<Admission> {
    const { key, account } = principal;
    const latestMs = this.#clock.latestMs();
    const ban = this.#banTracker.runningBan(key.id, latestMs);
    const known = this.#known.get(account.id);
    if (ban)
      return known ? this.#refuseBanned(ban, account, known.counts) : this.#refuseUnknown(ban, principal);
    if (known && isSame(known.limits, account.limits)) {
      known.counts.turnTo(latestMs);
      const windows = known.counts.usage(known.limits);
      const violated = exhaustedWindow(windows);
      // Counts only grow within a window, so an exhausted one stays exhausted.
      if (violated) return this.#refuse(principal, violated, windows, this.#clock.earliestMs());
    }
    return this.#submit(principal);
  }

  limitStatus({ key, account }: Principal): MaybePromise<LimitStatus> {
    const ban = this.#banTracker.runningBan(key.id, this.#clock.latestMs());
    const counts = this.#currentCounts(account, ban !== undefined);
    if (counts) return { windows: counts.usage(account.limits), ban, atMs: this.#clock.earliestMs() };
    return this.#readStatus(key.id, account);
  }

  /** Replaces the bans with the database's. Returns those that were lifted. */
  setBans(bans: readonly Ban[]): readonly Ban[] {
    return this.#banTracker.setBans(bans);
  }

  /** Resolves when no request is being charged. */
  drain(): Promise<void> {
    return this.#charges.drain();
  }

  #refuse(
    principal: Principal,
    violated: WindowName,
    windows: readonly WindowUsage[],
    atMs: number,
  ): Admission {
    return { windows, refusal: this.#banTracker.refuse(principal, violated, windows, atMs), atMs };
  }

  #refuseBanned(ban: Ban, { limits }: Account, counts: RateLimitCounters): Admission {
    const atMs = this.#clock.earliestMs();
    counts.turnTo(atMs);
    const windows = counts.usage(limits);
    return { windows, refusal: this.#banTracker.refuseBanned(ban, windows), atMs };
  }

  /** Refuses a banned key whose account this process has not seen yet, with its windows from the database. */
  async #refuseUnknown(ban: Ban, { account }: Principal): Promise<Admission> {
    try {
      const { counts } = await this.#usageOf(account);
      return this.#refuseBanned(ban, account, counts);
    } catch (cause) {
      return this.#undecided(account, cause);
    }
  }

  async #submit(principal: Principal): Promise<Admission> {
    let charge: Charge;
    try {
      const found = await this.#charges.submit(principal.account.id);
      if (!found) throw missingAccount(principal.account.id);
      charge = found;
    } catch (cause) {
      return this.#undecided(principal.account, cause);
    }
    const { isAdmitted, row, counts } = charge;
    const windows = counts.usage(row);
    const { nowMs: atMs, sequence, recordedAtMs } = row;
    const head = { sequence, recordedAtMs };
    if (isAdmitted) return { windows, refusal: undefined, atMs, head };
    // A request is not admitted only when one of them is exhausted.
    return this.#refuse(principal, exhaustedWindow(windows) as WindowName, windows, atMs);
  }

  #undecided(account: Account, cause: unknown): Admission {
    const atMs = this.#clock.earliestMs();
    const counts = this.#known.get(account.id)?.counts ?? new RateLimitCounters();
    counts.turnTo(atMs);
    const failure =
      cause instanceof ApiError
        ? cause
        : serviceUnavailable('The limits of the account cannot be checked now.', cause);
    return { windows: counts.usage(account.limits), refusal: undefined, failure, atMs };
  }

  /** The counts of an account, if they need no query. */
  #currentCounts({ id, limits }: Account, isBanned: boolean): RateLimitCounters | undefined {
    const known = this.#known.get(id);
    if (!known || !isSame(known.limits, limits)) return undefined;
    const { counts, sentAtMs } = known;
    counts.turnTo(this.#clock.latestMs());
    // While a window is exhausted, no instance admits a request that would change the counts.
    if (exhaustedWindow(counts.usage(limits))) return counts;
    if (!isBanned || performance.now() >= sentAtMs + BANNED_USAGE_REUSED_MS) return undefined;
    counts.turnTo(this.#clock.earliestMs());
    return counts;
  }

  async #readStatus(keyId: string, account: Account): Promise<LimitStatus> {
    const { row, counts } = await this.#usageOf(account);
    const ban = this.#banTracker.runningBan(keyId, row.nowMs);
    return { windows: counts.usage(row), ban, atMs: row.nowMs };
  }

  async #usageOf({ id }: Account): Promise<{ row: UsageRow; counts: RateLimitCounters }> {
    const row = await this.#usages.submit(id);
    if (!row) throw missingAccount(id);
    const counts = countsOf(row, 0);
    counts.turnTo(row.nowMs);
    return { row, counts };
  }

  async #usage(accountIds: readonly string[]): Promise<(UsageRow | undefined)[]> {
    const sentAtMs = performance.now();
    const values = [this.#clock.override, [...new Set(accountIds)]];
    const rows = await this.#connection.read<UsageRow & Record<string, unknown>>(READ.usage, values);
    if (rows[0]) this.#clock.note(rows[0].nowMs, sentAtMs);
    for (const row of rows) this.#remember(row, sentAtMs);
    const rowOf = new Map(rows.map((row) => [row.accountId, row]));
    return accountIds.map((id) => rowOf.get(id));
  }

  #remember(row: UsageRow, sentAtMs: number): void {
    const counts = countsOf(row, 0);
    counts.turnTo(row.nowMs);
    const { accountId, perMinute, perDay } = row;
    this.#known.set(accountId, { limits: { perMinute, perDay }, counts, sentAtMs });
  }

  /** Charges a batch. A missing account fails only its own requests. */
  async #charge(accountIds: readonly string[]): Promise<(Charge | undefined)[]> {
    const wanted = new Map<string, number>();
    for (const id of accountIds) wanted.set(id, (wanted.get(id) ?? 0) + 1);
    const sentAtMs = performance.now();
    const rows = await this.#connection.write<ChargeRow>(WRITE.charge, [
      this.#clock.override,
      [...wanted.keys()],
      [...wanted.values()],
    ]);
    const rowOf = new Map(rows.map((row) => [row.accountId, row]));
    const [first] = rows;
    if (first) {
      this.#clock.note(first.nowMs, sentAtMs);
      this.#onAccessVersion(first.accessVersion);
    }
    for (const row of rows) {
      this.#remember(row, sentAtMs);
      this.#onCharge(row);
    }
    const decided = new Map<string, number>();
    return accountIds.map((id) => {
      const row = rowOf.get(id);
      if (!row) return undefined;
      const before = decided.get(id) ?? 0;
      decided.set(id, before + 1);
      const isAdmitted = before < row.admitted;
      return { isAdmitted, row, counts: countsOf(row, isAdmitted ? row.admitted - before - 1 : 0) };
    });
  }
}
