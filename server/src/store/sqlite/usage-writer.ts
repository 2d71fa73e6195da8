import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Ban } from '../../domain/access/bans.ts';
import { banEventData, quotaEventData, type ReportedBan } from '../../domain/management/usage-events.ts';
import type { RecordedEventType } from '../../domain/webhooks/events.ts';
import { UsagePurge } from '../usage/usage-history.ts';
import { ACCOUNT_EVENTS, prepare, USAGE } from './statements.ts';
import type { FinishedMinute, QuotaNotice, SavedCount } from './writer-messages.ts';

/** Writes the counts of requests, in the caller's transaction. */
export class UsageWriter {
  readonly #statements: Record<keyof typeof USAGE, StatementSync>;
  readonly #purge = new UsagePurge();

  constructor(database: DatabaseSync) {
    this.#statements = prepare(database, USAGE);
  }

  save({
    counts,
    minutes,
  }: {
    readonly counts: readonly SavedCount[];
    readonly minutes: readonly FinishedMinute[];
  }): void {
    this.#addMinutes(minutes);
    for (const count of counts) this.#statements.saveUsage.run({ ...count });
  }

  /** Deletes a batch of the periods that are old at this moment. */
  purge(nowMs: number): void {
    const bounds = this.#purge.next(nowMs);
    if (!bounds) return;
    const { after, minute, hour, day, dayLabel } = bounds;
    const { lastOfBatch, purgeUsage, purgeQuotaNotices } = this.#statements;
    const { last } = lastOfBatch.get(after) as { last: string | null };
    const { changes } = purgeUsage.run(after, minute, hour, day);
    purgeQuotaNotices.run(after, dayLabel);
    this.#purge.note({ last, deleted: Number(changes) });
  }

  /** Adds to the history. A minute that an unconfirmed commit has added already is left out. */
  #addMinutes(minutes: readonly FinishedMinute[]): void {
    const last = minutes.at(-1)?.number;
    if (last === undefined) return;
    const { finishedMinutes, addMinute, noteFinishedMinutes } = this.#statements;
    const { finished } = finishedMinutes.get() as { finished: number };
    for (const { number, ...minute } of minutes) if (number > finished) addMinute.run(minute);
    if (last > finished) noteFinishedMinutes.run(last);
  }
}

/** Writes bans and reached quotas with their events, in the caller's transaction. */
export class AccountEventWriter {
  readonly #statements: Record<keyof typeof ACCOUNT_EVENTS, StatementSync>;

  constructor(database: DatabaseSync) {
    this.#statements = prepare(database, ACCOUNT_EVENTS);
  }

  saveBan(ban: Ban): void {
    const key = this.#statements.saveBan.get({ ...ban }) as
      | Pick<ReportedBan, 'hint' | 'accountId'>
      | undefined;
    if (!key) return;
    this.#addEvent('api_key.banned', key.accountId, banEventData({ ...ban, ...key }), ban.bannedAtMs);
  }

  /** Adds the event of a level that the account has not reached on this day before. */
  noteQuota(quota: QuotaNotice): void {
    const { accountId, dayLabel, percent, atMs } = quota;
    if (this.#statements.noteQuota.run({ accountId, dayLabel, percent }).changes === 0) return;
    this.#addEvent('quota.reached', accountId, quotaEventData(quota), atMs);
  }

  #addEvent(type: RecordedEventType, accountId: string, data: string, atMs: number): void {
    this.#statements.addAccountEvent.run(type, accountId, data, atMs);
  }
}
