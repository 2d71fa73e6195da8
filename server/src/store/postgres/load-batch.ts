import type pg from 'pg';
import { changedSale } from '../../domain/ledger/sales.ts';
import type { Stock } from '../../domain/ledger/stock.ts';
import type { EventPosition } from '../../domain/webhooks/events.ts';
import { type FoundMovement, petIdsOf, revertedBy, type WriteRequest } from '../../domain/write-command.ts';
import { type MovementRow, toMovement } from '../history/movement-row.ts';
import type { IdempotencyRecord } from '../idempotency/records.ts';
import type { BatchSnapshot } from '../ledger/apply-batch.ts';
import { addsEvent } from '../ledger/batch-events.ts';
import { type ChainHeadRow, toChainHead } from '../ledger/ledger-bounds.ts';
import { type ShopThresholdsRow, toThresholds } from '../ledger/shop-thresholds.ts';
import { type OrderRow, toOrder } from '../orders/order-rows.ts';
import { type Statement, sendTogether } from './connection.ts';
import type { SafetySettings } from './server/server-safety.ts';
import { LOCK, WRITE } from './statements.ts';

/** The keys of everything that the writes of a batch read. */
export interface BatchKeys {
  readonly petIds: readonly string[];
  /** Movements to revert. */
  readonly sequences: readonly number[];
  /** Orders with a step. */
  readonly orderIds: readonly number[];
  readonly placesOrders: boolean;
  readonly addsEvents: boolean;
  /** Scopes of the `Idempotency-Key`s. */
  readonly scopes: readonly string[];
}

interface StockRow extends Stock {
  readonly petId: string;
}

type BatchState = (ChainHeadRow | { readonly sequence: null }) & ShopThresholdsRow & SafetySettings;

interface RevertedRow extends MovementRow {
  readonly revertedBy: number | null;
}

/** The movement from which as many reverts lead to the movement `of`. */
interface OriginRow extends MovementRow {
  readonly of: number;
  readonly reverts: number;
}

export function batchKeysOf(requests: readonly WriteRequest[]): BatchKeys {
  const petIds = new Set<string>();
  const sequences = new Set<number>();
  const orderIds = new Set<number>();
  const scopes = new Set<string>();
  for (const { command, idempotency } of requests) {
    for (const petId of petIdsOf(command)) petIds.add(String(petId));
    for (const sequence of revertedBy(command)) sequences.add(sequence);
    if (command.kind === 'step') orderIds.add(command.orderId);
    if (idempotency) scopes.add(idempotency.scope);
  }
  return {
    petIds: [...petIds],
    sequences: [...sequences],
    orderIds: [...orderIds],
    placesOrders: requests.some(({ command }) => command.kind === 'place'),
    addsEvents: requests.some(({ command }) => addsEvent(command)),
    scopes: [...scopes],
  };
}

/** What a batch needs. */
export interface ReadBatch {
  readonly snapshot: BatchSnapshot;
  /** Settings of the session that will commit the batch. */
  readonly settings: SafetySettings;
}

/**
 * Begins a transaction with the ledger's lock, and reads what a batch needs, in one round trip. Each statement sees
 * what was committed before it began, and so everything written under the lock before.
 */
export async function loadBatch(client: pg.Client, keys: BatchKeys): Promise<ReadBatch> {
  const [, , read] = await sendTogether(client, () =>
    Promise.all([client.query('BEGIN'), client.query(LOCK.ledger), readBatch(client, keys)]),
  );
  return read;
}

/** Reads what a batch needs, in one round trip, within a transaction of the caller that holds the ledger's lock. */
export async function readBatch(client: pg.Client, keys: BatchKeys): Promise<ReadBatch> {
  const { petIds, sequences, orderIds, scopes } = keys;
  const stockOf = (statement: Statement, names: readonly unknown[]) =>
    rowsOf<StockRow>(client, statement, names);
  const [state, stock, stockOfMovements, stockOfOrders, ...rest] = await Promise.all([
    readState(client),
    stockOf(WRITE.stock, petIds),
    // Before the movements: a prune may delete one between two statements, and a movement that is found needs its stock.
    stockOf(WRITE.stockOfMovements, sequences),
    stockOf(WRITE.stockOfOrders, orderIds),
    rowsOf<RevertedRow>(client, WRITE.reverted, sequences),
    rowsOf<OriginRow>(client, WRITE.origins, sequences),
    rowsOf<OrderRow>(client, WRITE.orders, orderIds),
    keys.placesOrders ? readNewestOrderId(client) : 0,
    keys.addsEvents ? readNewestEvent(client) : undefined,
    rowsOf<IdempotencyRecord>(client, WRITE.idempotencyRecords, scopes),
  ]);
  const [reverted, origins, orders, newestOrderId, newestEvent, idempotencyRecords] = rest;
  const allStock = [...stock, ...stockOfMovements, ...stockOfOrders];
  const snapshot = {
    head: toChainHead(state.sequence === null ? undefined : state),
    thresholds: toThresholds(state),
    stock: new Map(allStock.map(({ petId, ...row }) => [BigInt(petId), row])),
    movements: foundMovements(reverted, origins),
    orders: new Map(orders.map((row) => [row.orderId, toOrder(row)])),
    newestOrderId,
    newestEvent,
    idempotencyRecords,
  };
  return { snapshot, settings: state };
}

async function readState(client: pg.Client): Promise<BatchState> {
  const { rows } = await client.query<BatchState & pg.QueryResultRow>(WRITE.batchState);
  return rows[0] as BatchState;
}

async function readNewestOrderId(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ orderId: number }>(WRITE.newestOrderId);
  return rows[0]?.orderId ?? 0;
}

async function readNewestEvent(client: pg.Client): Promise<EventPosition | undefined> {
  const { rows } = await client.query<{ sequence: number; number: number }>(WRITE.newestEvent);
  return rows[0];
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

function foundMovements(
  rows: readonly RevertedRow[],
  origins: readonly OriginRow[],
): ReadonlyMap<number, FoundMovement> {
  const sales = new Map(origins.map((row) => [row.of, changedSale(toMovement(row), row.reverts)]));
  return new Map(
    rows.map((row) => {
      const movement = toMovement(row);
      const sale = movement.kind === 'revert' ? sales.get(row.sequence) : changedSale(movement, 0);
      return [row.sequence, { movement, revertedBy: row.revertedBy, sale }];
    }),
  );
}
