import { CredentialUses } from '../access/credential-uses.ts';
import { type PurgeBatch, PurgeCursor } from '../idempotency/purge-cursor.ts';
import { type PurgedBatch, UsagePurge } from '../usage/usage-history.ts';
import type { Connection, Statement } from './connection.ts';
import type { DatabaseClock } from './database-clock.ts';
import { WRITE } from './statements.ts';

/** Idempotency records checked per poll for their age: more than arrive in the meantime. */
const PURGED_RECORDS_PER_POLL = 5_000;

/** Periodic writes of a process; no request waits for them. */
export class DeferredWrites {
  readonly #connection: Connection;
  readonly #clock: DatabaseClock;
  readonly #keyUses = new CredentialUses();
  readonly #sessionUses = new CredentialUses();
  readonly #purgeCursor = new PurgeCursor();
  readonly #usagePurge = new UsagePurge();

  constructor(connection: Connection, clock: DatabaseClock) {
    this.#connection = connection;
    this.#clock = clock;
  }

  noteKeyUse(keyId: string, nowMs: number): void {
    this.#keyUses.note(keyId, nowMs);
  }

  noteSessionUse(sessionId: string, nowMs: number): void {
    this.#sessionUses.note(sessionId, nowMs);
  }

  /** Writes uses of keys and sessions. Those that cannot be written now are kept for the next time. */
  async writeUses(): Promise<void> {
    await this.#writeUses(this.#keyUses, WRITE.saveKeyUses);
    await this.#writeUses(this.#sessionUses, WRITE.saveSessionUses);
  }

  async #writeUses(pending: CredentialUses, statement: Statement): Promise<void> {
    const uses = pending.take();
    if (uses.length === 0) return;
    try {
      const nowMs = this.#clock.latestMs();
      const values = [uses.map(({ id }) => id), uses.map(({ usedAtMs }) => usedAtMs), nowMs];
      await this.#connection.write(statement, values);
    } catch (cause) {
      pending.requeue(uses);
      throw cause;
    }
  }

  /** Deletes some of the old idempotency records, and of the old usage; no commit waits for this. */
  async deleteOld(): Promise<void> {
    await this.#deleteIdempotencyRecords();
    await this.#deleteUsage();
  }

  async #deleteIdempotencyRecords(): Promise<void> {
    const { after, oldMs, nowMs } = this.#purgeCursor.next(this.#clock.earliestMs());
    const values = [after, oldMs, nowMs, PURGED_RECORDS_PER_POLL];
    const [batch] = await this.#connection.write<PurgeBatch & Record<string, unknown>>(
      WRITE.deleteIdempotencyRecords,
      values,
    );
    if (batch) this.#purgeCursor.note(batch);
  }

  async #deleteUsage(): Promise<void> {
    const bounds = this.#usagePurge.next(this.#clock.earliestMs());
    if (!bounds) return;
    const { after, minute, hour, day, dayLabel } = bounds;
    const [batch] = await this.#connection.write<PurgedBatch & Record<string, unknown>>(WRITE.purgeUsage, [
      after,
      minute,
      hour,
      day,
      dayLabel,
    ]);
    if (batch) this.#usagePurge.note(batch);
  }
}
