import type { Movement } from '../../domain/ledger/ledger.ts';
import {
  type LedgerState,
  LedgerTransaction,
  type StockRules,
} from '../../domain/ledger/ledger-transaction.ts';
import type { Sale } from '../../domain/ledger/sales.ts';
import type { Stock } from '../../domain/ledger/stock.ts';
import type { Action, ActionAuthor } from '../../domain/management/activity.ts';
import { type ChangedOrder, OrderBook } from '../../domain/orders/order-book.ts';
import type { Order } from '../../domain/orders/orders.ts';
import type { EventPosition, RecordedEvent } from '../../domain/webhooks/events.ts';
import { execute, type FoundMovement, isDone, type WriteRequest } from '../../domain/write-command.ts';
import { type IdempotencyRecord, IdempotencyRecords, type StoredOutcome } from '../idempotency/records.ts';
import { BatchEvents } from './batch-events.ts';

/** What a batch of writes needs of a database, read under the ledger's lock. */
export interface BatchSnapshot extends LedgerState {
  /** Orders named by steps, by id; the batch mutates this map. */
  readonly orders: Map<number, Order>;
  /** The largest orderId there is, if an order is placed. */
  readonly newestOrderId: number;
  /** The newest recorded event, if a write may add one. */
  readonly newestEvent: EventPosition | undefined;
  /** The movements to revert, by their sequences. */
  readonly movements: ReadonlyMap<number, FoundMovement>;
  /** Stored results of the `Idempotency-Key`s that the writes name. */
  readonly idempotencyRecords: Iterable<IdempotencyRecord>;
}

/** Result of a batch: one per write, and everything to write, in one transaction. */
export interface BatchOutcome {
  readonly results: readonly StoredOutcome[];
  readonly movements: readonly Movement[];
  readonly changed: ReadonlyArray<readonly [bigint, Stock]>;
  readonly orders: readonly ChangedOrder[];
  readonly sales: readonly Sale[];
  readonly events: readonly RecordedEvent[];
  readonly activity: readonly RecordedAction[];
  readonly idempotencyRecords: readonly IdempotencyRecord[];
}

/** A line of the activity log to write. */
export interface RecordedAction extends Action {
  readonly author: ActionAuthor;
  readonly recordedAtMs: number;
}

/** Executes the writes of one commit, one after the other. No database decides anything about them. */
export function executeBatch(
  requests: readonly WriteRequest[],
  snapshot: BatchSnapshot,
  rules: StockRules,
): BatchOutcome {
  const transaction = new LedgerTransaction(rules, snapshot);
  const orders = new OrderBook(transaction, snapshot.orders, snapshot.newestOrderId);
  const records = new IdempotencyRecords(snapshot.idempotencyRecords);
  const events = new BatchEvents(snapshot.newestEvent);
  const activity: RecordedAction[] = [];
  const results = requests.map((request): StoredOutcome => {
    const { idempotency, command, author } = request;
    const known = idempotency && records.find(idempotency, author.atMs);
    if (known) return known;
    if (idempotency?.isRepeatOnly) return { kind: 'key_reused' };
    const result = execute(request, transaction, orders, snapshot.movements);
    const at = { sequence: transaction.sequence, recordedAtMs: transaction.recordedAt(author) };
    events.note(command, result, author, at);
    if (request.activity && isDone(result))
      activity.push({ ...request.activity, author, recordedAtMs: at.recordedAtMs });
    if (idempotency) records.add(idempotency, result, author.atMs);
    return { kind: 'written', result };
  });
  const { movements, sales } = transaction;
  return {
    results,
    movements,
    changed: [...transaction.changed()],
    orders: orders.changed,
    sales,
    events: events.added,
    activity,
    idempotencyRecords: records.added,
  };
}
