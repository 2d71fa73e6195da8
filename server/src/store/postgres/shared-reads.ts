import type { LedgerHead } from '../../domain/ledger/ledger.ts';
import { BatchQueue } from '../batch-queue.ts';
import { hexOf } from '../hex.ts';
import type { Connection, Statement } from './connection.ts';
import { READ } from './statements.ts';

/** The interval of look-ups for callers who have used up their guesses: one statement for all of them. */
const GUESSES_INTERVAL_MS = 250;

/**
 * Looks up credentials by the hashes of their secrets. Callers who wait at the same moment share one statement, so a
 * flood of credentials costs a few.
 */
export class HashReader<Row, Owner> {
  readonly #connection: Connection;
  readonly #statement: Statement;
  readonly #toOwner: (row: Row) => Owner;
  readonly #lookUps = new BatchQueue<Uint8Array, Owner | undefined>((hashes) => this.#read(hashes));
  readonly #guesses = new BatchQueue<Uint8Array, Owner | undefined>((hashes) => this.#read(hashes), {
    batchSize: 1_000,
    waiting: 10_000,
    pauseMs: GUESSES_INTERVAL_MS,
  });

  /** @param statement Its rows have the hash and the columns of `Row`. */
  constructor(connection: Connection, statement: Statement, toOwner: (row: Row) => Owner) {
    this.#connection = connection;
    this.#statement = statement;
    this.#toOwner = toOwner;
  }

  find(hash: Uint8Array, isGuess: boolean): Promise<Owner | undefined> {
    return (isGuess ? this.#guesses : this.#lookUps).submit(hash);
  }

  async #read(hashes: readonly Uint8Array[]): Promise<(Owner | undefined)[]> {
    const rows = await this.#connection.read<Row & { hash: Buffer }>(this.#statement, [hashes]);
    const ownerOf = new Map(rows.map(({ hash, ...row }) => [hexOf(hash), this.#toOwner(row as Row)]));
    return hashes.map((hash) => ownerOf.get(hexOf(hash)));
  }
}

/**
 * Reads the newest movement. Concurrent callers share one query; none gets the response to a query sent before its
 * call.
 */
export class NewestHead {
  readonly #connection: Connection;
  readonly #queue = new BatchQueue<undefined, LedgerHead>(
    async (askers) => {
      const head = await this.#ask();
      return askers.map(() => head);
    },
    { batchSize: 10_000, waiting: 10_000 },
  );

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  read(): Promise<LedgerHead> {
    return this.#queue.submit(undefined);
  }

  drain(): Promise<void> {
    return this.#queue.drain();
  }

  async #ask(): Promise<LedgerHead> {
    const [head] = await this.#connection.read<LedgerHead & Record<string, unknown>>(READ.head);
    return head as LedgerHead;
  }
}
