import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Thresholds } from '@petstore-inventory/shared/thresholds';
import type { LedgerHead, Movement } from '../../domain/ledger/ledger.ts';
import type { StockRules } from '../../domain/ledger/ledger-transaction.ts';
import { changedSale, SALES_DAYS, type Sale } from '../../domain/ledger/sales.ts';
import type { Stock } from '../../domain/ledger/stock.ts';
import type { ChangedOrder } from '../../domain/orders/order-book.ts';
import { orderValues } from '../../domain/orders/order-text.ts';
import type { Order } from '../../domain/orders/orders.ts';
import type { EventPosition } from '../../domain/webhooks/events.ts';
import { type FoundMovement, petIdsOf, revertedBy, type WriteRequest } from '../../domain/write-command.ts';
import { type MovementRow, toMovement } from '../history/movement-row.ts';
import { type PurgeBatch, PurgeCursor } from '../idempotency/purge-cursor.ts';
import type { IdempotencyRecord, StoredOutcome } from '../idempotency/records.ts';
import { actionValues } from '../ledger/activity.ts';
import { type BatchOutcome, type BatchSnapshot, executeBatch } from '../ledger/apply-batch.ts';
import { addsEvent, eventValues } from '../ledger/batch-events.ts';
import { type ChainHeadRow, toChainHead } from '../ledger/ledger-bounds.ts';
import { movementValues } from '../ledger/movement-columns.ts';
import { type ShopThresholdsRow, toThresholds } from '../ledger/shop-thresholds.ts';
import { lineRows, type OrderRow, toOrder } from '../orders/order-rows.ts';
import { addRows } from './add-rows.ts';
import { LEDGER, prepare } from './statements.ts';
import { type PetLines, WrittenStock } from './written-stock.ts';

/** More than one, so that the number of old records falls. */
const DELETED_PER_RECORD = 4;

/** The movement at the beginning of a chain of reverts, and how many lead from it. */
interface Origin {
  readonly sequence: number;
  readonly reverts: number;
}

/** Writes to the ledger in a transaction of the caller that holds the write lock. */
export class LedgerWriter {
  readonly #statements: Record<keyof typeof LEDGER, StatementSync>;
  readonly #rules: StockRules;
  readonly #purgeCursor = new PurgeCursor();
  readonly #written: WrittenStock;
  /** The newest movement of the last `write`, if that recorded any. */
  newHead: LedgerHead | undefined;

  constructor(database: DatabaseSync, rules: StockRules) {
    this.#written = new WrittenStock(database);
    this.#statements = prepare(database, LEDGER);
    this.#rules = rules;
  }

  /** Executes the writes one after the other, and records their results. The caller reports the commit. */
  write(requests: readonly WriteRequest[]): readonly StoredOutcome[] {
    this.#written.begin();
    this.newHead = undefined;
    if (requests.length === 0) return [];
    const outcome = executeBatch(requests, this.#snapshot(requests), this.#rules);
    this.#record(outcome);
    this.#written.note(outcome);
    const newest = outcome.movements.at(-1);
    if (newest) this.newHead = { sequence: newest.sequence, recordedAtMs: newest.recordedAtMs };
    return outcome.results;
  }

  /** Called after the transaction of the last `write` is committed. */
  noteCommit(): void {
    this.#written.noteCommit();
  }

  /** Reads under the write lock, because another process may have written since the last batch. */
  #snapshot(requests: readonly WriteRequest[]): BatchSnapshot {
    const head =
      this.#written.head ?? toChainHead(this.#statements.chainHead.get() as ChainHeadRow | undefined);
    const stock = new Map<bigint, Stock>();
    const movements = new Map<number, FoundMovement>();
    const orders = new Map<number, Order>();
    const idempotencyRecords: IdempotencyRecord[] = [];
    let newestOrderId = 0;
    for (const { command, idempotency } of requests) {
      for (const sequence of revertedBy(command)) this.#findMovement(sequence, movements, stock);
      if (command.kind === 'step') this.#findOrder(command.orderId, orders, stock);
      else for (const petId of petIdsOf(command)) this.#findStock(petId, stock);
      if (command.kind === 'place') newestOrderId ||= this.#newestOrderId();
      const record = idempotency && this.#statements.idempotencyRecord.get(idempotency.scope);
      if (record) idempotencyRecords.push(record as unknown as IdempotencyRecord);
    }
    return {
      head,
      stock,
      thresholds: this.#thresholds(),
      movements,
      orders,
      newestOrderId,
      newestEvent: requests.some(({ command }) => addsEvent(command)) ? this.#newestEvent() : undefined,
      idempotencyRecords,
    };
  }

  #thresholds(): Thresholds {
    this.#written.thresholds ??= toThresholds(
      this.#statements.shopThresholds.get() as ShopThresholdsRow | undefined,
    );
    return this.#written.thresholds;
  }

  #newestOrderId(): number {
    return (this.#statements.newestOrderId.get() as { orderId: number }).orderId;
  }

  #newestEvent(): EventPosition | undefined {
    return this.#statements.newestEvent.get() as unknown as EventPosition | undefined;
  }

  #findOrder(orderId: number, orders: Map<number, Order>, stock: Map<bigint, Stock>): void {
    if (orders.has(orderId)) return;
    const row = this.#statements.order.get(orderId) as OrderRow | undefined;
    if (!row) return;
    const order = toOrder(row);
    orders.set(orderId, order);
    for (const { petId } of order.lines) this.#findStock(petId, stock);
  }

  #findStock(petId: bigint, stock: Map<bigint, Stock>): void {
    if (stock.has(petId)) return;
    const found = this.#written.stockOf(petId) ?? (this.#statements.stock.get(petId) as Stock | undefined);
    if (found) stock.set(petId, found);
  }

  #findMovement(sequence: number, movements: Map<number, FoundMovement>, stock: Map<bigint, Stock>): void {
    const row = this.#statements.movement.get(sequence) as MovementRow | undefined;
    if (!row) return;
    const movement = toMovement(row);
    const revert = this.#statements.revertOf.get(sequence) as { sequence: number } | undefined;
    const found = { movement, revertedBy: revert?.sequence ?? null, sale: this.#changedSale(movement) };
    movements.set(sequence, found);
    this.#findStock(movement.petId, stock);
  }

  #changedSale(movement: Movement): Sale | undefined {
    if (movement.kind !== 'revert') return changedSale(movement, 0);
    const { sequence, reverts } = this.#statements.origin.get(movement.sequence) as unknown as Origin;
    const row = this.#statements.movement.get(sequence) as MovementRow | undefined;
    // Without a row, a prune deleted it.
    return row && changedSale(toMovement(row), reverts);
  }

  #record({ movements, changed, orders, sales, events, activity, idempotencyRecords }: BatchOutcome): void {
    const { recordMovement, recordMovements, addEvent, addEvents, addAction, saveIdempotencyRecord } =
      this.#statements;
    addRows(recordMovement, recordMovements, movements.map(movementValues));
    this.#setStock(changed, this.#recordOrders(orders));
    for (const sale of sales) this.#recordSale(sale);
    addRows(addEvent, addEvents, events.map(eventValues));
    for (const action of activity) addAction.run(...actionValues(action));
    for (const record of idempotencyRecords) saveIdempotencyRecord.run({ ...record });
    const newest = idempotencyRecords.at(-1);
    if (newest) this.#deleteIdempotencyRecords(idempotencyRecords.length, newest.createdAtMs);
  }

  /** @param lines The lines of pets with new ones: a new line reserves units, so its pet is among the changed. */
  #setStock(changed: BatchOutcome['changed'], lines: ReadonlyMap<bigint, PetLines>): void {
    const { setStock, setStockAndLines } = this.#statements;
    for (const [petId, stock] of changed) {
      const { quantity, status, version, lastSequence, updatedAtMs } = stock;
      const { reserved, alertLevel, lowStockAt, restockAt } = stock;
      const facts = [reserved, alertLevel, lowStockAt, restockAt];
      const values = [quantity, status, version, lastSequence, updatedAtMs, ...facts];
      const withNew = lines.get(petId);
      if (withNew) setStockAndLines.run(...values, withNew.newestId, withNew.count, petId);
      else setStock.run(...values, petId);
    }
  }

  /** Returns the lines of the pets with new ones. */
  #recordOrders(orders: readonly ChangedOrder[]): ReadonlyMap<bigint, PetLines> {
    const { addOrder, addOrders, addLine, addLines, setOrder, setLine } = this.#statements;
    const added = orders.filter(({ isNew }) => isNew).map(({ order }) => order);
    addRows(addOrder, addOrders, added.map(orderValues));
    const linesOfPets = new Map<bigint, PetLines>();
    const rows = added.flatMap(lineRows).map(({ id, orderId, petId, quantity, delivered, returned }) => {
      const before = linesOfPets.get(petId) ?? this.#linesOf(petId);
      const after = { newestId: id, count: before.count + 1 };
      linesOfPets.set(petId, after);
      return [id, orderId, petId, quantity, delivered, returned, before.newestId, after.count];
    });
    addRows(addLine, addLines, rows);
    for (const [petId, lines] of linesOfPets) this.#written.noteLines(petId, lines);
    for (const { order, isNew, hasNewCounts } of orders) {
      if (isNew) continue;
      setOrder.run(order.status, order.version, order.updatedAtMs, order.orderId);
      if (!hasNewCounts) continue;
      for (const { id, delivered, returned } of lineRows(order)) setLine.run(delivered, returned, id);
    }
    return linesOfPets;
  }

  #linesOf(petId: bigint): PetLines {
    return this.#written.linesOf(petId) ?? (this.#statements.petLines.get(petId) as unknown as PetLines);
  }

  #recordSale({ petId, day, units }: Sale): void {
    if (units < 0) this.#statements.takeSale.run(-units, petId, day);
    else {
      this.#statements.addSale.run(petId, day, units);
      this.#statements.deleteSales.run(petId, day - SALES_DAYS);
    }
  }

  /** Bounded, because the commit waits for it: examines a few records per added record. */
  #deleteIdempotencyRecords(added: number, nowMs: number): void {
    const { purgeBatch, deleteIdempotencyRecords } = this.#statements;
    const { after, oldMs } = this.#purgeCursor.next(nowMs);
    const most = DELETED_PER_RECORD * added;
    const batch = purgeBatch.get({ after, oldMs, nowMs, most }) as unknown as PurgeBatch;
    if (batch.last !== null) deleteIdempotencyRecords.run(after, batch.last, oldMs);
    this.#purgeCursor.note(batch);
  }
}
