import { IDEMPOTENCY_TTL_MS } from '../../domain/write-command.ts';

/** How often what was passed over, because its time is in the future, is looked at again. */
const RECHECK_INTERVAL_MS = 60_000;

/** What a portion of answers in the order of their ids was found to be; the old ones of it are deleted. */
export interface PurgePortion {
  /** The first one that is still kept, for it is not old yet. */
  readonly firstKept: number | null;
  /** The first one that has a time in the future: a clock was wrong. */
  readonly firstAhead: number | null;
  readonly last: number | null;
}

/** The bounds of the next portion. */
export interface PurgeQuery {
  /** It begins after this id. */
  readonly after: number;
  /** Old is what was given by then. */
  readonly oldMs: number;
  readonly nowMs: number;
}

/**
 * Where the purging of kept answers has got to. Their ids are in the order of time, so it waits at the first one that
 * is not old yet, and never passes twice where something was deleted: before a database has cleaned up there, that
 * would take longer each time. Answers from the future do not stop it; they are looked at again from time to time.
 */
export class PurgeCursor {
  #after = 0;
  #firstAhead: number | undefined;
  readonly #elapsedMs: () => number;
  #recheckAtMs: number;

  /** @param elapsedMs A clock that only goes forward. */
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

  note({ firstKept, firstAhead, last }: PurgePortion): void {
    const reached = firstKept === null ? last : firstKept - 1;
    if (reached !== null) this.#after = Math.max(this.#after, reached);
    if (firstAhead !== null && firstAhead <= this.#after) this.#firstAhead ??= firstAhead;
  }
}
