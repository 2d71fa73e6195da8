import pg from 'pg';
import { NotReady } from '../../domain/errors.ts';
import type { StockRules } from '../../domain/ledger/ledger-transaction.ts';
import { type WriteOutcome, type WriteRequest, weightOf } from '../../domain/write-command.ts';
import { BatchQueue } from '../batch-queue.ts';
import { notWritten, unconfirmed } from '../errors.ts';
import { decodeOutcome, type StoredOutcome } from '../idempotency/records.ts';
import { type BatchOutcome, executeBatch } from '../ledger/apply-batch.ts';
import type { CommitObserver } from '../store-options.ts';
import { type Connection, isConnectionLoss, isRetryable, sendTogether } from './connection.ts';
import { type BatchKeys, batchKeysOf, loadBatch, type ReadBatch } from './load-batch.ts';
import { isEmpty, recordBatch } from './record-batch.ts';
import { findUnsafeSetting, type SafetySettings } from './server/server-safety.ts';
import { READ } from './statements.ts';

/** A commit that takes longer is reported by `/readyz`: a synchronous standby may be missing. */
const SLOW_COMMIT_MS = 2_000;

interface LedgerWriterOptions {
  readonly rules: StockRules;
  /** Settings of the server whose unsafe value the operator accepts. */
  readonly acceptedUnsafe: readonly string[];
  readonly onCommit: CommitObserver;
  /** Called after movements were committed. */
  readonly onMovements: () => void;
}

interface LoadedBatch extends ReadBatch {
  readonly client: pg.Client;
}

/**
 * Writes to the ledger, for one process of many. A batch is one transaction of two round trips. Under the ledger's
 * lock, which all processes take, it reads the stock of its pets. Then it writes their movements, the new stock and
 * the idempotency records. So sequences have no gaps and are in commit order.
 */
export class LedgerWriter {
  readonly #connection: Connection;
  readonly #options: LedgerWriterOptions;
  readonly #queue = new BatchQueue<WriteRequest, StoredOutcome>(
    (requests) => this.#commit(requests),
    undefined,
    weightOf,
  );

  #isBusy = false;
  #committingSinceMs: number | undefined;

  constructor(connection: Connection, options: LedgerWriterOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  /**
   * Resolves when the server that changes are sent to can be written to; rejects with `NotReady` when not. During a
   * batch nothing is asked: the answer would wait as long as the batch waits for the ledger.
   */
  async checkHealth(): Promise<void> {
    const committingMs = performance.now() - (this.#committingSinceMs ?? Number.POSITIVE_INFINITY);
    if (committingMs > SLOW_COMMIT_MS) throw new NotReady('The database does not confirm changes.');
    if (this.#isBusy) return;
    const [health] = await this.#connection.read<SafetySettings & { isWritable: boolean }>(READ.health);
    if (!health?.isWritable) throw new NotReady('The database can only be read: it may be a replica now.');
    const unsafe = findUnsafeSetting(health, this.#options.acceptedUnsafe);
    if (unsafe) throw unsafe;
  }

  /** Resolves with the result when the write is durable. */
  async write(request: WriteRequest): Promise<WriteOutcome> {
    return decodeOutcome(await this.#queue.submit(request));
  }

  drain(): Promise<void> {
    return this.#queue.drain();
  }

  async #commit(requests: readonly WriteRequest[]): Promise<readonly StoredOutcome[]> {
    this.#isBusy = true;
    try {
      return await this.#commitBatch(requests);
    } finally {
      this.#isBusy = false;
      this.#committingSinceMs = undefined;
    }
  }

  async #commitBatch(requests: readonly WriteRequest[]): Promise<readonly StoredOutcome[]> {
    const startedAtMs = performance.now();
    const loaded = await this.#load(batchKeysOf(requests));
    const outcome = this.#execute(requests, loaded);
    this.#committingSinceMs = performance.now();
    await finish(loaded.client, outcome);
    this.#options.onCommit(requests.length, performance.now() - startedAtMs, () => requests);
    if (outcome.movements.length > 0) this.#options.onMovements();
    return outcome.results;
  }

  /** An error here, such as a damaged record, must not leave the ledger locked. */
  #execute(requests: readonly WriteRequest[], { client, snapshot, settings }: LoadedBatch): BatchOutcome {
    try {
      // Not only at the start: a reload changes the settings, and a failover the server.
      const unsafe = findUnsafeSetting(settings, this.#options.acceptedUnsafe);
      if (unsafe) throw unsafe;
      return executeBatch(requests, snapshot, this.#options.rules);
    } catch (error) {
      rollBack(client);
      throw notWritten(error);
    }
  }

  /** Takes the ledger's lock and reads what the batch needs. A connection that breaks here has changed nothing. */
  async #load(keys: BatchKeys): Promise<LoadedBatch> {
    try {
      return await this.#loadOnce(keys);
    } catch (error) {
      if (!isRetryable(error)) throw notWritten(error, isBusy(error));
    }
    return this.#loadOnce(keys).catch((error: unknown) => {
      throw notWritten(error, isBusy(error));
    });
  }

  async #loadOnce(keys: BatchKeys): Promise<LoadedBatch> {
    const client = await this.#connection.client();
    try {
      return { client, ...(await loadBatch(client, keys)) };
    } catch (error) {
      rollBack(client);
      this.#connection.forgetEnded(client, error);
      throw error;
    }
  }
}

async function finish(client: pg.Client, outcome: BatchOutcome): Promise<void> {
  if (isEmpty(outcome)) return rollBack(client);
  const { writing, committing } = sendTogether(client, () => ({
    writing: sendBatch(client, outcome),
    committing: client.query('COMMIT'),
  }));
  // Awaited below; until then its failure must not be an unhandled rejection.
  committing.catch(() => undefined);
  try {
    await Promise.all(writing);
  } catch (error) {
    await committing.catch(() => undefined);
    // A refused statement has rolled the batch back. After a broken connection the result is unknown.
    throw error instanceof pg.DatabaseError && !isConnectionLoss(error)
      ? notWritten(error, isBusy(error))
      : unconfirmed(error);
  }
  const { command } = await committing.catch((error: unknown) => {
    throw unconfirmed(error);
  });
  if (command !== 'COMMIT') throw notWritten(new Error(`The server answered COMMIT with ${command}.`));
}

/** An error here must not leave the ledger locked, nor a part of the batch to the next commit. */
function sendBatch(client: pg.Client, outcome: BatchOutcome): Promise<unknown>[] {
  try {
    return recordBatch(client, outcome);
  } catch (error) {
    rollBack(client);
    throw notWritten(error);
  }
}

/** Not awaited: the next batch is queued behind it on the same connection. */
function rollBack(client: pg.Client): void {
  client.query('ROLLBACK').catch(() => undefined);
}

/** SQLSTATE lock_not_available and query_canceled: another process kept the ledger too long. */
const BUSY = new Set(['55P03', '57014']);

function isBusy(error: unknown): boolean {
  return error instanceof pg.DatabaseError && BUSY.has(error.code ?? '');
}
