import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { UsagePurge } from '../usage/usage-history.ts';
import { numbered, prepare, WRITE } from './statements.ts';
import type { FinishedMinute, SavedCount } from './writer-messages.ts';

const STATEMENTS = {
  saveUsage: WRITE.saveUsage,
  finishedMinutes: WRITE.finishedMinutes,
  addMinute: WRITE.addMinute,
  noteFinishedMinutes: WRITE.noteFinishedMinutes,
  lastOfBatch: WRITE.lastOfBatch,
  purgeUsage: WRITE.purgeUsage,
  purgeQuotaNotices: WRITE.purgeQuotaNotices,
};

/** Writes the counts of requests, in the caller's transaction. */
export class UsageWriter {
  readonly #statements: Record<keyof typeof STATEMENTS, StatementSync>;
  readonly #purge = new UsagePurge();

  constructor(database: DatabaseSync) {
    this.#statements = prepare(database, STATEMENTS);
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
    const { last } = lastOfBatch.get(numbered([after])) as { last: string | null };
    const { changes } = purgeUsage.run(numbered([after, minute, hour, day]));
    purgeQuotaNotices.run(numbered([after, dayLabel]));
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
