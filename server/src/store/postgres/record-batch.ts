import type pg from 'pg';
import { changesOfDays } from '../../domain/ledger/sales.ts';
import type { Stock } from '../../domain/ledger/stock.ts';
import type { ChangedOrder } from '../../domain/orders/order-book.ts';
import { orderValues } from '../../domain/orders/order-text.ts';
import type { IdempotencyRecord } from '../idempotency/records.ts';
import { actionValues } from '../ledger/activity.ts';
import type { BatchOutcome } from '../ledger/apply-batch.ts';
import { eventValues } from '../ledger/batch-events.ts';
import { movementArrays } from '../ledger/movement-columns.ts';
import { lineRows } from '../orders/order-rows.ts';
import { WRITE } from './statements.ts';

/** Whether a batch has nothing to write. */
export function isEmpty({ movements, orders, activity, idempotencyRecords }: BatchOutcome): boolean {
  return [movements, orders, activity, idempotencyRecords].every(({ length }) => length === 0);
}

/** Sends all that a batch writes, in a transaction of the caller, without waiting between. */
export function recordBatch(client: pg.Client, outcome: BatchOutcome): Promise<unknown>[] {
  const { movements, changed, orders, sales, events, activity, idempotencyRecords } = outcome;
  const sent: Promise<unknown>[] = [];
  if (movements.length > 0) {
    sent.push(
      client.query({ ...WRITE.recordMovements, values: movementArrays(movements) }),
      client.query({ ...WRITE.setStock, values: columnsOf(changed.map(stockValues)) }),
    );
  }
  sent.push(...recordOrders(client, orders));
  if (sales.length > 0) {
    const values = columnsOf(
      changesOfDays(sales).map(({ petId, day, added, least, most, hasSale }) => [
        ...[petId, day, added, least, most].map(String),
        hasSale,
      ]),
    );
    sent.push(client.query({ ...WRITE.addSales, values }));
  }
  if (events.length > 0) {
    sent.push(client.query({ ...WRITE.addEvents, values: columnsOf(events.map(eventValues)) }));
  }
  if (activity.length > 0) {
    sent.push(client.query({ ...WRITE.addActions, values: columnsOf(activity.map(actionValues)) }));
  }
  if (idempotencyRecords.length > 0) {
    sent.push(
      client.query({
        ...WRITE.saveIdempotencyRecords,
        values: columnsOf(idempotencyRecords.map(recordValues)),
      }),
    );
  }
  return sent;
}

function recordOrders(client: pg.Client, changed: readonly ChangedOrder[]): Promise<unknown>[] {
  const added = changed.filter(({ isNew }) => isNew).map(({ order }) => order);
  const known = changed.filter(({ isNew }) => !isNew);
  const counted = known.filter(({ hasNewCounts }) => hasNewCounts).flatMap(({ order }) => lineRows(order));
  const sent: Promise<unknown>[] = [];
  if (added.length > 0) {
    const lines = added.flatMap(lineRows);
    sent.push(
      client.query({ ...WRITE.addOrders, values: columnsOf(added.map(orderValues)) }),
      client.query({
        ...WRITE.addLines,
        values: columnsOf(
          lines.map(({ id, orderId, petId, quantity, delivered, returned }) => [
            id,
            orderId,
            String(petId),
            quantity,
            delivered,
            returned,
          ]),
        ),
      }),
    );
  }
  if (known.length > 0) {
    const values = columnsOf(
      known.map(({ order }) => [order.orderId, order.status, order.version, order.updatedAtMs]),
    );
    sent.push(client.query({ ...WRITE.setOrders, values }));
  }
  if (counted.length > 0) {
    const values = columnsOf(counted.map(({ id, delivered, returned }) => [id, delivered, returned]));
    sent.push(client.query({ ...WRITE.setLines, values }));
  }
  return sent;
}

/** An array per column from at least one row. */
function columnsOf(rows: readonly (readonly unknown[])[]): unknown[][] {
  return (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]));
}

function stockValues([petId, stock]: readonly [bigint, Stock]): unknown[] {
  const { quantity, status, version, lastSequence, updatedAtMs, reserved, alertLevel } = stock;
  const thresholds = [stock.lowStockAt, stock.restockAt];
  return [
    String(petId),
    quantity,
    status,
    version,
    lastSequence,
    updatedAtMs,
    reserved,
    alertLevel,
    ...thresholds,
  ];
}

function recordValues({ scope, fingerprint, result, createdAtMs }: IdempotencyRecord): unknown[] {
  return [scope, fingerprint, result, createdAtMs];
}
