import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Ban } from '../../domain/access/bans.ts';
import { banEventData, quotaEventData, type ReportedBan } from '../../domain/management/usage-events.ts';
import type { RecordedEventType } from '../../domain/webhooks/events.ts';
import { numbered, prepare, WRITE } from './statements.ts';
import type { QuotaNotice } from './writer-messages.ts';

const STATEMENTS = {
  saveBan: WRITE.saveBan,
  noteQuota: WRITE.noteQuota,
  addAccountEvent: WRITE.addAccountEvent,
};

/** Writes bans and reached quotas with their events, in the caller's transaction. */
export class AccountEventWriter {
  readonly #statements: Record<keyof typeof STATEMENTS, StatementSync>;

  constructor(database: DatabaseSync) {
    this.#statements = prepare(database, STATEMENTS);
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
    this.#statements.addAccountEvent.run(numbered([type, accountId, data, atMs]));
  }
}
