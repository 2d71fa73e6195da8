import { Connection } from './connection.ts';
import { LISTEN, READ } from './statements.ts';

/** When the process ends, queries without a response by then are given up. */
const CLOSE_TIMEOUT_MS = 5_000;

/**
 * For statements that find rows by key, however large the tables are: to plan them again, or to compile them, costs
 * more than to run them (DECISIONS.md).
 */
const BY_KEY = 'SET plan_cache_mode = force_generic_plan; SET jit = off';

export interface ConnectionsOptions {
  readonly url: string;
  /** The address of a replica, for older history. */
  readonly readUrl?: string | undefined;
  readonly onListingLost: () => void;
  readonly onReadingLost: () => void;
  /** Called soon after any process has committed movements. */
  readonly onMovements: () => void;
}

/**
 * The connections of a serving process, each in pipeline mode; none waits for the queries of another. Four stay open.
 * Those for the history open when they are first needed.
 */
export class Connections {
  /** For charges. */
  readonly charging: Connection;
  /** For the ledger. */
  readonly writing: Connection;
  /** For the readings of the list. */
  readonly listing: Connection;
  /** For all other reads. */
  readonly reading: Connection;
  /** For the history, which takes longer than the rest. */
  readonly history: Connection;
  /** For history that a replica can serve, if there is one. */
  readonly replica: Connection | undefined;

  constructor({ url, readUrl, ...observers }: ConnectionsOptions) {
    // Counts survive a process. A crash of the server may lose the last ones, and only those.
    this.charging = new Connection(url, { session: `SET synchronous_commit = off; ${BY_KEY}` });
    this.writing = new Connection(url);
    this.listing = new Connection(url, { onLost: observers.onListingLost });
    this.reading = new Connection(url, {
      session: LISTEN,
      onLost: observers.onReadingLost,
      onNotification: observers.onMovements,
    });
    this.history = new Connection(url, { session: BY_KEY });
    this.replica = readUrl === undefined ? undefined : new Connection(readUrl, { session: BY_KEY });
  }

  /** Opens the permanent connections now, because the server may have room for fewer. */
  async open(): Promise<void> {
    await Promise.all(this.#held.map((connection) => connection.client()));
  }

  /** Checks the connections that may be idle for long, without waiting. */
  probe(): void {
    for (const connection of this.#all) if (connection !== this.reading) connection.probe(READ.probe);
  }

  /** Waits for a last command, then closes. A database that does not respond is given up after a while. */
  async close(lastWork: () => Promise<void>): Promise<void> {
    const deadline = setTimeout(() => {
      for (const connection of this.#all) connection.cut();
    }, CLOSE_TIMEOUT_MS);
    await lastWork();
    await Promise.all(this.#all.map((connection) => connection.close()));
    clearTimeout(deadline);
  }

  get #held(): readonly Connection[] {
    return [this.charging, this.writing, this.listing, this.reading];
  }

  get #all(): readonly Connection[] {
    return [...this.#held, this.history, ...(this.replica ? [this.replica] : [])];
  }
}
