import pg from 'pg';
import type { PetStatus, StatusPolicy } from '../../domain/inventory.ts';
import {
  type LedgerHead,
  type Movement,
  movementOf,
  type QuantityChange,
  type Stock,
} from '../../domain/ledger.ts';
import { BatchQueue } from '../batch-queue.ts';
import { notWritten, unconfirmed } from '../refusals.ts';
import type { CommitObserver } from '../store-options.ts';
import { type Connection, isConnectionLoss, mayAskAgain } from './connection.ts';
import { LOCK, READ, WRITE } from './statements.ts';

interface StockRow extends Stock {
  readonly petId: string;
}

/** What came of a change: the pet's status, or `null` where there is no such pet. */
type ChangeResult = PetStatus | null;

/** What came of each change of a batch, and what is to be written. */
interface Reckoning {
  readonly results: ChangeResult[];
  readonly movements: Movement[];
}

/**
 * Writes to the ledger, for one process of many. A batch is one transaction of two round trips: under the ledger's
 * lock, which all processes take, the stock of its pets is read, then their movements and new stock are written.
 * So sequences have no gaps and are in commit order.
 */
export class LedgerWriter {
  readonly #connection: Connection;
  readonly #policy: StatusPolicy;
  readonly #onCommit: CommitObserver;
  readonly #queue = new BatchQueue<QuantityChange, ChangeResult>((changes) => this.#commit(changes));

  constructor(connection: Connection, policy: StatusPolicy, onCommit: CommitObserver) {
    this.#connection = connection;
    this.#policy = policy;
    this.#onCommit = onCommit;
  }

  /** Resolves when the change is durable, with the pet's status. */
  setQuantity(change: QuantityChange): Promise<ChangeResult> {
    return this.#queue.submit(change);
  }

  drain(): Promise<void> {
    return this.#queue.drain();
  }

  async #commit(changes: readonly QuantityChange[]): Promise<ChangeResult[]> {
    const startedAtMs = performance.now();
    const { client, head, stock } = await this.#begin(changes);
    const { results, movements } = this.#reckon(changes, head, stock);
    await finish(client, movements);
    this.#onCommit(changes.length, performance.now() - startedAtMs);
    return results;
  }

  /** Takes the ledger's lock and reads what the batch needs. A connection that breaks here has changed nothing. */
  async #begin(changes: readonly QuantityChange[]): Promise<Begun> {
    const petIds = [...new Set(changes.map(({ petId }) => String(petId)))];
    try {
      return await this.#beginOnce(petIds);
    } catch (error) {
      if (!mayAskAgain(error)) throw notWritten(error, isBusy(error));
    }
    return this.#beginOnce(petIds).catch((error: unknown) => {
      throw notWritten(error, isBusy(error));
    });
  }

  async #beginOnce(petIds: readonly string[]): Promise<Begun> {
    const client = await this.#connection.client();
    try {
      return await begin(client, petIds);
    } catch (error) {
      rollBack(client);
      this.#connection.forgetEnded(client, error);
      throw error;
    }
  }

  /** Applies the changes one after the other, as if each were alone. */
  #reckon(changes: readonly QuantityChange[], before: LedgerHead, stock: Map<bigint, Stock>): Reckoning {
    let head = before;
    const movements: Movement[] = [];
    const results = changes.map((change) => {
      const held = stock.get(change.petId);
      if (!held) return null;
      const movement = movementOf(change, held, head, this.#policy);
      if (!movement) return held.status;
      const { sequence, quantityAfter: quantity, statusAfter: status } = movement;
      stock.set(change.petId, { quantity, status, lastSequence: sequence });
      movements.push(movement);
      head = movement;
      return status;
    });
    return { results, movements };
  }
}

interface Begun {
  readonly client: pg.Client;
  readonly head: LedgerHead;
  readonly stock: Map<bigint, Stock>;
}

async function begin(client: pg.Client, petIds: readonly string[]): Promise<Begun> {
  const [, , newest, found] = await Promise.all([
    client.query('BEGIN'),
    client.query(LOCK.ledger),
    client.query<LedgerHead & pg.QueryResultRow>(READ.head),
    client.query<StockRow>({ ...WRITE.stock, values: [petIds] }),
  ]);
  const stock = new Map(found.rows.map(({ petId, ...row }) => [BigInt(petId), row]));
  return { client, head: newest.rows[0] as LedgerHead, stock };
}

async function finish(client: pg.Client, movements: readonly Movement[]): Promise<void> {
  if (movements.length === 0) return rollBack(client);
  const writing = [
    client.query({ ...WRITE.recordMovements, values: columnsOf(movements) }),
    client.query({ ...WRITE.setStock, values: lastColumnsOf(movements) }),
  ];
  const committing = client.query('COMMIT');
  // Looked at when the writing is done; until then its failure is not one that nobody handles.
  committing.catch(() => undefined);
  try {
    await Promise.all(writing);
  } catch (error) {
    await committing.catch(() => undefined);
    // A statement that the server refused has rolled the batch back; a connection that broke tells nothing.
    throw error instanceof pg.DatabaseError && !isConnectionLoss(error)
      ? notWritten(error, isBusy(error))
      : unconfirmed(error);
  }
  const { command } = await committing.catch((error: unknown) => {
    throw unconfirmed(error);
  });
  if (command !== 'COMMIT') throw notWritten(new Error(`The server answered COMMIT with ${command}.`));
}

/** Nobody waits for it: the next batch stands behind it on the same connection. */
function rollBack(client: pg.Client): void {
  client.query('ROLLBACK').catch(() => undefined);
}

/** SQLSTATE lock_not_available and query_canceled: another process kept the ledger too long. */
const BUSY = new Set(['55P03', '57014']);

function isBusy(error: unknown): boolean {
  return error instanceof pg.DatabaseError && BUSY.has(error.code ?? '');
}

function columnsOf(movements: readonly Movement[]): unknown[][] {
  return [
    movements.map(({ sequence }) => sequence),
    movements.map(({ previousSequence }) => previousSequence),
    movements.map(({ petId }) => String(petId)),
    movements.map(({ kind }) => kind),
    movements.map(({ quantityBefore }) => quantityBefore),
    movements.map(({ quantityAfter }) => quantityAfter),
    movements.map(({ statusBefore }) => statusBefore),
    movements.map(({ statusAfter }) => statusAfter),
    movements.map(({ actor }) => actor),
    movements.map(({ requestId }) => requestId),
    movements.map(({ recordedAtMs }) => recordedAtMs),
  ];
}

/** The last movement of each pet, and how many there are. */
function lastColumnsOf(movements: readonly Movement[]): unknown[][] {
  const counts = new Map<bigint, number>();
  for (const { petId } of movements) counts.set(petId, (counts.get(petId) ?? 0) + 1);
  const last = [...new Map(movements.map((movement) => [movement.petId, movement])).values()];
  return [
    last.map(({ petId }) => String(petId)),
    last.map(({ quantityAfter }) => quantityAfter),
    last.map(({ statusAfter }) => statusAfter),
    last.map(({ sequence }) => sequence),
    last.map(({ petId }) => counts.get(petId)),
    last.map(({ recordedAtMs }) => recordedAtMs),
  ];
}
