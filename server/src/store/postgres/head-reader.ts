import type { LedgerHead } from '../../domain/ledger/ledger.ts';
import { BatchQueue } from '../batch-queue.ts';
import type { Connection } from './connection.ts';
import { READ } from './statements.ts';

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
