import type { Ban } from '../../domain/bans.ts';
import { PendingBans } from '../access/pending-bans.ts';
import type { Connection } from './connection.ts';
import { READ, WRITE } from './statements.ts';

/**
 * Bans as many processes share them: each writes down what it imposes, and reads them all again when the access data
 * has changed.
 */
export class SharedBans {
  readonly #writing: Connection;
  readonly #reading: Connection;
  readonly #onBans: (bans: readonly Ban[]) => void;
  /** Those that this process imposed and the database does not have yet. */
  readonly pending: PendingBans;
  /** The version of the access data whose bans are known here. */
  #version = -1;

  /**
   * @param writing The connection whose commits do not wait for the disk; a ban's does.
   * @param reading Answers in the order in which it is asked.
   */
  constructor(
    writing: Connection,
    reading: Connection,
    observers: {
      onBans: (bans: readonly Ban[]) => void;
      onError: (message: string, cause: unknown) => void;
    },
  ) {
    this.#writing = writing;
    this.#reading = reading;
    this.#onBans = observers.onBans;
    this.pending = new PendingBans((ban) => this.#write(ban), observers.onError);
  }

  /** Sees to it that the bans of a version of the access data, or a later one, are known. */
  async follow(version: number): Promise<void> {
    if (version === this.#version) return;
    await this.#read();
    this.#version = version;
  }

  async #read(): Promise<void> {
    const saved = await this.#reading.read<Ban & Record<string, unknown>>(READ.bans);
    this.#onBans(this.pending.mergeWith(saved));
  }

  async #write({ keyId, level, bannedAtMs, endsAtMs }: Ban): Promise<void> {
    const client = await this.#writing.client();
    await Promise.all([
      client.query('BEGIN'),
      // Back to what the server's own configuration says: a ban is told when it is on disk. But charges stand behind
      // it, and are not to wait for whoever holds the access data.
      client.query('SET LOCAL synchronous_commit TO DEFAULT; SET LOCAL lock_timeout = 250'),
      client.query({ ...WRITE.lockBans, values: [keyId] }),
      client.query({ ...WRITE.saveBan, values: [keyId, level, bannedAtMs, endsAtMs] }),
      client.query('COMMIT'),
    ]);
    // It counts as pending until a question asked after the commit is answered: one asked before may not know it.
    await this.#read();
  }
}
