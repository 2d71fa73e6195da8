import type pg from 'pg';
import type { ChainHead } from '../../domain/ledger/ledger.ts';
import type { ReplicaResult } from '../history/ledger-reader.ts';
import type { Connection, Statement } from './connection.ts';
import { READ } from './statements.ts';

/** The primary responds faster than a replica that takes longer than this. */
const RESPONSE_TIMEOUT_MS = 1_000;
/** After an error, a timeout or another ledger, the replica is not used for this time. */
const FAILURE_BACKOFF_MS = 5_000;
/**
 * A movement confirmed by the primary counts as confirmed for this time; after it the primary may be another server.
 */
const CONFIRMED_FOR_MS = 1_000;

/** A movement that identifies all history up to it, because its hash covers all of it. */
export type HistoryPoint = Pick<ChainHead, 'sequence' | 'hash'>;

interface ReplicaHead extends HistoryPoint {
  /** The hash of the requested movement. */
  readonly knownHash: string | null;
}

/**
 * A server whose failures no caller sees: callers then use the primary. It may lag behind, follow another server
 * since a failover, or have another ledger, so a result is used only as far as its history is confirmed.
 */
export class ReadReplica {
  readonly #connection: Connection;
  readonly #hashAt: (sequence: number) => Promise<string | undefined>;
  #known: HistoryPoint = { sequence: 0, hash: '' };
  #confirmedUntilMs = 0;
  #backoffUntilMs = 0;

  /** @param hashAt Reads the hash of a movement from the primary. */
  constructor(connection: Connection, hashAt: (sequence: number) => Promise<string | undefined>) {
    this.#connection = connection;
    this.#hashAt = hashAt;
  }

  /** What `use` makes of the rows; `undefined` where they are too old or cannot be trusted. */
  async ask<Row, T>(
    statement: Statement,
    values: readonly unknown[],
    use: (rows: readonly Row[]) => ReplicaResult<T> | undefined,
  ): Promise<T | undefined> {
    if (performance.now() < this.#backoffUntilMs) return undefined;
    try {
      const known = this.#known;
      const [rows, head] = await inTime(this.#askTogether<Row>(statement, values, known.sequence));
      const used = use(rows);
      if (!used) return undefined;
      const isKnown = known === this.#known && performance.now() < this.#confirmedUntilMs;
      const confirmed = isKnown && head?.knownHash === known.hash ? known.sequence : 0;
      if (used.upTo > confirmed) await this.#confirm(head);
      return used.answer;
    } catch {
      this.#backoffUntilMs = performance.now() + FAILURE_BACKOFF_MS;
      return undefined;
    }
  }

  /** In one round trip, and from one server: the head is read after the rows, and so is not older than they are. */
  async #askTogether<Row>(
    statement: Statement,
    values: readonly unknown[],
    known: number,
  ): Promise<readonly [readonly Row[], ReplicaHead | undefined]> {
    const client = await this.#connection.client();
    try {
      const [answer, head] = await Promise.all([
        client.query<Row & pg.QueryResultRow>({ ...statement, values: [...values] }),
        client.query<ReplicaHead & pg.QueryResultRow>({ ...READ.replicaHead, values: [known] }),
      ]);
      return [answer.rows, head.rows[0]];
    } catch (error) {
      this.#connection.forgetEnded(client, error);
      throw error;
    }
  }

  /** @throws Error when the primary has another history than the replica up to this head. */
  async #confirm(head: ReplicaHead | undefined): Promise<void> {
    const startedAtMs = performance.now();
    if (!head || (await this.#hashAt(head.sequence)) !== head.hash) {
      throw new Error('The replica has another history.');
    }
    this.#known = { sequence: head.sequence, hash: head.hash };
    this.#confirmedUntilMs = startedAtMs + CONFIRMED_FOR_MS;
  }
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The replica did not answer in time.')), RESPONSE_TIMEOUT_MS);
  });
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
