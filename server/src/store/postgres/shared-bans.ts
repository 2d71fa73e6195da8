import type { Ban } from '../../domain/access/bans.ts';
import { PendingBans } from '../access/bans.ts';
import type { Connection } from './connection.ts';
import { READ, WRITE } from './statements.ts';

/** Bans that many processes share: each writes its own, and reads all of them again when the access data changed. */
export class SharedBans {
  readonly #writing: Connection;
  readonly #reading: Connection;
  readonly #onBans: (bans: readonly Ban[]) => void;
  readonly #onSaved: () => void;
  /** Bans that this process imposed and the database does not have yet. */
  readonly pending: PendingBans;
  /** The version of the access data whose bans are known here. */
  #version = -1;

  /**
   * @param writing The connection whose commits do not wait for the disk; a ban's commit does.
   * @param reading It responds in the order of the queries.
   */
  constructor(
    writing: Connection,
    reading: Connection,
    observers: {
      onBans: (bans: readonly Ban[]) => void;
      /** Called after a ban of this process is durable. */
      onSaved: () => void;
      onError: (message: string, cause: unknown) => void;
    },
  ) {
    this.#writing = writing;
    this.#reading = reading;
    this.#onBans = observers.onBans;
    this.#onSaved = observers.onSaved;
    this.pending = new PendingBans((ban) => this.#write(ban), observers.onError);
  }

  /** Reads the bans if the known ones are older than this version of the access data. */
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
      // A ban must be durable, whatever the server's own setting. But charges wait behind it, and must not wait for a
      // lock on the access data.
      client.query('SET LOCAL synchronous_commit = on; SET LOCAL lock_timeout = 250'),
      client.query({ ...WRITE.lockBans, values: [keyId] }),
      client.query({ ...WRITE.saveBan, values: [keyId, level, bannedAtMs, endsAtMs] }),
      client.query('COMMIT'),
    ]);
    this.#onSaved();
    // The ban is pending until a query sent after the commit has its response: an earlier query may not see it.
    await this.#read();
  }
}
