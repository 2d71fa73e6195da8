import {
  banEventData,
  quotaEventData,
  type ReachedQuota,
  type ReportedBan,
  reachedLevels,
} from '../../domain/management/usage-events.ts';
import type { StoreOptions } from '../store-options.ts';
import type { Connection } from './connection.ts';
import type { DatabaseClock } from './database-clock.ts';
import type { UsageRow } from './shared-limits.ts';
import { LOCK, READ, WRITE } from './statements.ts';

/** How often a process looks for what another one left unreported when it ended. */
const SEARCH_INTERVAL_MS = 60_000;
/** An import may hold the ledger for long. */
const FAILURE_BACKOFF_MS = 5_000;

type BanRow = ReportedBan & { readonly id: number } & Record<string, unknown>;
type QuotaRow = ReachedQuota & Record<string, unknown>;

/**
 * Records events of bans and quotas. The rows that they report are durable before, and name no event yet; so no crash
 * loses an event, and none is recorded twice. A ban itself does not wait for the ledger's lock, which an import may hold for
 * minutes.
 */
export class AccountEvents {
  readonly #reading: Connection;
  readonly #writing: Connection;
  readonly #clock: DatabaseClock;
  /** The newest day and level of each account for which this process has searched. */
  readonly #searched = new Map<string, string>();
  #isDue = true;
  #notBeforeMs = 0;
  #nextSearchMs = 0;
  #isLate = false;

  /** @param writing Its other queries may wait for the ledger's lock. */
  constructor(reading: Connection, writing: Connection, clock: DatabaseClock) {
    this.#reading = reading;
    this.#writing = writing;
    this.#clock = clock;
  }

  /** Called after a ban is durable. */
  noteBan(): void {
    this.#isDue = true;
  }

  noteUsage({ accountId, dayLabel, dayUsed, perDay }: UsageRow): void {
    const level = reachedLevels(dayUsed, perDay).at(-1);
    if (level === undefined) return;
    const reached = `${dayLabel} ${level}`;
    if (this.#searched.get(accountId) === reached) return;
    this.#searched.set(accountId, reached);
    this.#isDue = true;
  }

  /** Records events, and reports the first failure: what cannot be recorded now is found again. */
  async tryRecord(onError: StoreOptions['onError']): Promise<void> {
    try {
      await this.record();
      this.#isLate = false;
    } catch (cause) {
      if (!this.#isLate) {
        onError('Events of bans and quotas cannot be recorded yet; they will be later.', cause);
      }
      this.#isLate = true;
    }
  }

  /** Records bans and quotas without an event. Called once per second. */
  async record(): Promise<void> {
    const nowMs = performance.now();
    if (nowMs < this.#notBeforeMs || !(this.#isDue || nowMs >= this.#nextSearchMs)) return;
    this.#isDue = false;
    try {
      const [bans, quotas] = await Promise.all([
        this.#reading.read<BanRow>(READ.unreportedBans),
        this.#reading.read<QuotaRow>(READ.reachedQuotas, [this.#clock.override]),
      ]);
      if (bans.length + quotas.length > 0) await this.#write(bans, quotas);
      this.#nextSearchMs = nowMs + SEARCH_INTERVAL_MS;
    } catch (cause) {
      this.#isDue = true;
      this.#notBeforeMs = nowMs + FAILURE_BACKOFF_MS;
      throw cause;
    }
  }

  async #write(bans: readonly BanRow[], quotas: readonly QuotaRow[]): Promise<void> {
    const nowMs = this.#clock.earliestMs();
    const quotaColumns = (['accountId', 'dayLabel', 'percent'] as const).map((name) =>
      quotas.map((quota) => quota[name]),
    );
    // Before the transaction begins: an error within it would leave the ledger locked.
    const reportedBans = [
      bans.map(({ id }) => id),
      bans.map(({ accountId }) => accountId),
      bans.map(banEventData),
      nowMs,
    ];
    const reportedQuotas = [...quotaColumns, quotas.map(quotaEventData), nowMs];
    const client = await this.#writing.client();
    await Promise.all([
      client.query('BEGIN'),
      client.query('SET LOCAL lock_timeout = 250'),
      client.query(LOCK.ledger),
      client.query({ ...WRITE.reportBans, values: reportedBans }),
      client.query({ ...WRITE.reportQuotas, values: reportedQuotas }),
      client.query('COMMIT'),
    ]);
  }
}
