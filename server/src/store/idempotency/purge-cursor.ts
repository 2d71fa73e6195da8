import { IDEMPOTENCY_TTL_MS } from '../../domain/write-command.ts';

/** The interval at which records with a time in the future are checked again. */
const RECHECK_INTERVAL_MS = 60_000;

/** Result of one purge step over records in order of ids; old records are deleted. */
export interface PurgeBatch {
  /** The first one that is not old yet. */
  readonly firstKept: number | null;
  /** The first one with a time in the future: a clock was wrong. */
  readonly firstAhead: number | null;
  readonly last: number | null;
}

/** The bounds of the next batch. */
interface PurgeQuery {
  /** The next read begins after this id. */
  readonly after: number;
  /** Records up to this time are old. */
  readonly oldMs: number;
  readonly nowMs: number;
}

/**
 * The position of the purge of idempotency records. Ids are in order of time, so it waits at the first record that is
 * not old yet. It never reads deleted rows twice: until the database has cleaned them up, that would take longer each
 * time. Records with a time in the future do not stop it; they are checked again at an interval.
 */
export class PurgeCursor {
  #after = 0;
  #firstAhead: number | undefined;
  readonly #elapsedMs: () => number;
  #recheckAtMs: number;

  /** @param elapsedMs A monotonic clock. */
  constructor(elapsedMs = () => performance.now()) {
    this.#elapsedMs = elapsedMs;
    this.#recheckAtMs = elapsedMs() + RECHECK_INTERVAL_MS;
  }

  next(nowMs: number): PurgeQuery {
    if (this.#firstAhead !== undefined && this.#elapsedMs() >= this.#recheckAtMs) {
      this.#after = Math.min(this.#after, this.#firstAhead - 1);
      this.#firstAhead = undefined;
      this.#recheckAtMs = this.#elapsedMs() + RECHECK_INTERVAL_MS;
    }
    return { after: this.#after, oldMs: nowMs - IDEMPOTENCY_TTL_MS, nowMs };
  }

  note({ firstKept, firstAhead, last }: PurgeBatch): void {
    const reached = firstKept === null ? last : firstKept - 1;
    if (reached !== null) this.#after = Math.max(this.#after, reached);
    if (firstAhead !== null && firstAhead <= this.#after) this.#firstAhead ??= firstAhead;
  }
}
