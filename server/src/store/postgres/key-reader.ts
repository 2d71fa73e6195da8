import type { Principal } from '../../domain/access/api-key.ts';
import { type KeyRow, toPrincipal } from '../access/key-row.ts';
import { BatchQueue } from '../batch-queue.ts';
import { hexOf } from '../hex.ts';
import type { Connection } from './connection.ts';
import { READ } from './statements.ts';

/** The interval of look-ups for callers who have used up their guesses: one statement for all of them. */
const GUESSES_INTERVAL_MS = 250;

/** Looks up keys. Callers who wait at the same moment share one statement, so a flood of keys costs a few. */
export class KeyReader {
  readonly #connection: Connection;
  readonly #lookUps = new BatchQueue<Uint8Array, Principal | undefined>((hashes) => this.#read(hashes));
  readonly #guesses = new BatchQueue<Uint8Array, Principal | undefined>((hashes) => this.#read(hashes), {
    batchSize: 1_000,
    waiting: 10_000,
    pauseMs: GUESSES_INTERVAL_MS,
  });

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  find(hash: Uint8Array, isGuess: boolean): Promise<Principal | undefined> {
    return (isGuess ? this.#guesses : this.#lookUps).submit(hash);
  }

  async #read(hashes: readonly Uint8Array[]): Promise<(Principal | undefined)[]> {
    const rows = await this.#connection.read<KeyRow & { hash: Buffer }>(READ.key, [hashes]);
    const principalOf = new Map(rows.map(({ hash, ...row }) => [hexOf(hash), toPrincipal(row)]));
    return hashes.map((hash) => principalOf.get(hexOf(hash)));
  }
}
