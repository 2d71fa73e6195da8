import { Connection } from './connection.ts';
import { READ } from './statements.ts';

/** What a database has not answered by then, when the process is to end, is given up. */
const CLOSED_WITHIN_MS = 5_000;

/** The four connections of a serving process, each in pipeline mode; none waits for what another one is asked. */
export class Connections {
  /** For charges. */
  readonly charging: Connection;
  /** For the ledger. */
  readonly writing: Connection;
  /** For the readings of the list. */
  readonly listing: Connection;
  /** For everything else that is read. */
  readonly reading: Connection;

  constructor(url: string, observers: { onListingLost: () => void; onReadingLost: () => void }) {
    // Counts survive a process; a crash of the server itself may forget the last ones, and only those. Every table of
    // a charge is found by its key, so planning it anew each time brings nothing (DECISIONS.md).
    this.charging = new Connection(url, {
      session: 'SET synchronous_commit = off; SET plan_cache_mode = force_generic_plan',
    });
    this.writing = new Connection(url);
    this.listing = new Connection(url, { onLost: observers.onListingLost });
    this.reading = new Connection(url, { onLost: observers.onReadingLost });
  }

  /** Opens all of them now, for a server may have room for fewer. */
  async open(): Promise<void> {
    await Promise.all(this.#all.map((connection) => connection.client()));
  }

  /** Asks on those that may be idle for long whether anybody is there, without waiting. */
  probe(): void {
    for (const connection of [this.charging, this.writing, this.listing]) connection.probe(READ.probe);
  }

  /** Lets a last work end, then closes; a database that does not answer is given up after a while. */
  async close(lastWork: () => Promise<void>): Promise<void> {
    const deadline = setTimeout(() => {
      for (const connection of this.#all) connection.cut();
    }, CLOSED_WITHIN_MS);
    await lastWork();
    await Promise.all(this.#all.map((connection) => connection.close()));
    clearTimeout(deadline);
  }

  get #all(): readonly Connection[] {
    return [this.charging, this.writing, this.listing, this.reading];
  }
}
