import { Connection } from './connection.ts';
import { LISTEN, READ } from './statements.ts';

/** What a database has not answered by then, when the process is to end, is given up. */
const CLOSE_TIMEOUT_MS = 5_000;

/**
 * For statements that find everything by a key, however large the tables are: planning them anew, or compiling them,
 * costs more than to carry them out (DECISIONS.md).
 */
const BY_KEY = 'SET plan_cache_mode = force_generic_plan; SET jit = off';

export interface ConnectionsOptions {
  readonly url: string;
  /** A replica's address, for what need not be fresh. */
  readonly readUrl?: string | undefined;
  readonly onListingLost: () => void;
  readonly onReadingLost: () => void;
  /** Called soon after anybody has committed movements. */
  readonly onMovements: () => void;
}

/**
 * The connections of a serving process, each in pipeline mode; none waits for what another one is asked. Four are
 * held all the time; those for the history are opened when they are first needed.
 */
export class Connections {
  /** For charges. */
  readonly charging: Connection;
  /** For the ledger. */
  readonly writing: Connection;
  /** For the readings of the list. */
  readonly listing: Connection;
  /** For everything else that is read. */
  readonly reading: Connection;
  /** For what the ledger tells, which takes longer than the rest. */
  readonly history: Connection;
  /** For as much of that as need not be fresh, if the operator has a replica. */
  readonly replica: Connection | undefined;

  constructor({ url, readUrl, ...observers }: ConnectionsOptions) {
    // Counts survive a process; a crash of the server itself may forget the last ones, and only those.
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

  /** Opens those that are held all the time now, for a server may have room for fewer. */
  async open(): Promise<void> {
    await Promise.all(this.#held.map((connection) => connection.client()));
  }

  /** Asks on those that may be idle for long whether anybody is there, without waiting. */
  probe(): void {
    for (const connection of this.#all) if (connection !== this.reading) connection.probe(READ.probe);
  }

  /** Lets a last work end, then closes; a database that does not answer is given up after a while. */
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
