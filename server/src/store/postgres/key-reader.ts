import type { KeyHolder } from '../../domain/api-key.ts';
import { type KeyRow, toKeyHolder } from '../access/key-row.ts';
import { BatchQueue } from '../batch-queue.ts';
import type { Connection } from './connection.ts';
import { READ } from './statements.ts';

/** Look-ups for callers who have used up their guesses: one statement per so many milliseconds, for all of them. */
const GUESSES_INTERVAL_MS = 250;

/** Looks up keys. Callers who wait at the same moment share one statement, so a flood of keys costs a few. */
export class KeyReader {
  readonly #connection: Connection;
  readonly #lookUps = new BatchQueue<Uint8Array, KeyHolder | undefined>((hashes) => this.#read(hashes));
  readonly #guesses = new BatchQueue<Uint8Array, KeyHolder | undefined>((hashes) => this.#read(hashes), {
    batchSize: 1_000,
    waiting: 10_000,
    pauseMs: GUESSES_INTERVAL_MS,
  });

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  find(hash: Uint8Array, isGuess: boolean): Promise<KeyHolder | undefined> {
    return (isGuess ? this.#guesses : this.#lookUps).submit(hash);
  }

  async #read(hashes: readonly Uint8Array[]): Promise<(KeyHolder | undefined)[]> {
    const rows = await this.#connection.read<KeyRow & { hash: Buffer }>(READ.key, [hashes]);
    const holderOf = new Map(rows.map(({ hash, ...row }) => [hash.toString('hex'), toKeyHolder(row)]));
    return hashes.map((hash) => holderOf.get(Buffer.from(hash).toString('hex')));
  }
}
