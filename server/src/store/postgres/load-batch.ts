import type pg from 'pg';
import type { Stock } from '../../domain/stock.ts';
import { type FoundMovement, petIdsOf, type WriteRequest } from '../../domain/write-command.ts';
import { type MovementRow, toMovement } from '../history/movement-row.ts';
import type { IdempotencyRecord } from '../idempotency/records.ts';
import type { BatchSnapshot } from '../ledger/apply-batch.ts';
import { type ChainHeadRow, toChainHead } from '../ledger/ledger-bounds.ts';
import type { Statement } from './connection.ts';
import { LOCK, WRITE } from './statements.ts';

/** The keys of everything that the writes of a batch read. */
export interface BatchKeys {
  readonly petIds: readonly string[];
  /** Movements to revert. */
  readonly sequences: readonly number[];
  /** Of the `Idempotency-Key`s. */
  readonly scopes: readonly string[];
}

interface StockRow extends Stock {
  readonly petId: string;
}

interface RevertedRow extends MovementRow {
  readonly revertedBy: number | null;
  /** The stock of its pet. */
  readonly heldQuantity: Stock['quantity'];
  readonly heldStatus: Stock['status'];
  readonly heldVersion: number;
  readonly heldSequence: number;
  readonly heldSinceMs: number;
}

export function batchKeysOf(requests: readonly WriteRequest[]): BatchKeys {
  const petIds = new Set<string>();
  const sequences = new Set<number>();
  const scopes = new Set<string>();
  for (const { command, idempotency } of requests) {
    for (const petId of petIdsOf(command)) petIds.add(String(petId));
    if (command.kind === 'revert') sequences.add(command.sequence);
    if (idempotency) scopes.add(idempotency.scope);
  }
  return { petIds: [...petIds], sequences: [...sequences], scopes: [...scopes] };
}

/**
 * Begins a transaction with the ledger's lock, and reads what a batch needs, in one round trip. Each statement sees
 * what was committed before it began, and so everything written under the lock before.
 */
export async function loadBatch(client: pg.Client, keys: BatchKeys): Promise<BatchSnapshot> {
  const { petIds, sequences, scopes } = keys;
  const [, , head, stock, reverted, idempotencyRecords] = await Promise.all([
    client.query('BEGIN'),
    client.query(LOCK.ledger),
    client.query<ChainHeadRow>(WRITE.chainHead),
    rowsOf<StockRow>(client, WRITE.stock, petIds),
    rowsOf<RevertedRow>(client, WRITE.reverted, sequences),
    rowsOf<IdempotencyRecord>(client, WRITE.idempotencyRecords, scopes),
  ]);
  return {
    head: toChainHead(head.rows[0]),
    stock: new Map([
      ...stock.map(({ petId, ...row }) => [BigInt(petId), row] as const),
      ...reverted.map(heldStock),
    ]),
    movements: new Map(reverted.map((row) => [row.sequence, foundMovement(row)])),
    idempotencyRecords,
  };
}

/** The rows with these keys; no query without keys. */
async function rowsOf<Row>(
  client: pg.Client,
  statement: Statement,
  names: readonly unknown[],
): Promise<readonly Row[]> {
  if (names.length === 0) return [];
  const { rows } = await client.query<Row & pg.QueryResultRow>({ ...statement, values: [names] });
  return rows;
}

function foundMovement(row: RevertedRow): FoundMovement {
  return { movement: toMovement(row), revertedBy: row.revertedBy };
}

function heldStock(row: RevertedRow): readonly [bigint, Stock] {
  const stock = {
    quantity: row.heldQuantity,
    status: row.heldStatus,
    version: row.heldVersion,
    lastSequence: row.heldSequence,
    updatedAtMs: row.heldSinceMs,
  };
  return [BigInt(row.petId), stock];
}
