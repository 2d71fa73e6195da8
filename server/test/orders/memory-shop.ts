import { NO_THRESHOLDS, type Thresholds } from '@petstore-inventory/shared/thresholds';
import type { OrderStep } from '@petstore-inventory/shared/words';
import { thresholdsOf } from '../../src/domain/ledger/alerts.ts';
import { type Author, FIRST_HASH, type Movement } from '../../src/domain/ledger/ledger.ts';
import { LedgerTransaction, type StockRules } from '../../src/domain/ledger/ledger-transaction.ts';
import { changedSale, dayOf, SALES_DAYS } from '../../src/domain/ledger/sales.ts';
import type { Stock } from '../../src/domain/ledger/stock.ts';
import { OrderBook } from '../../src/domain/orders/order-book.ts';
import type { Order } from '../../src/domain/orders/orders.ts';
import {
  execute,
  revertedBy,
  type FoundMovement,
  type WriteCommand,
  type WriteResult,
} from '../../src/domain/write-command.ts';

/** One group commit: what it reads first, and what it then decides on. */
interface Commit {
  readonly transaction: LedgerTransaction;
  readonly book: OrderBook;
  readonly stock: ReadonlyMap<bigint, Stock>;
  readonly orders: ReadonlyMap<number, Order>;
}

/** A step of an order that was done. */
export interface TakenStep {
  readonly name: OrderStep | 'place';
  readonly order: Order;
  readonly author: Author;
  readonly sequence: number;
}

/**
 * The domain on a database in memory. As the engines do, a commit reads copies, and then writes only what the
 * transaction and the order book report as changed.
 */
export class MemoryShop {
  readonly movements: Movement[] = [];
  /** The thresholds that decided about each movement, in the order of `movements`. */
  readonly decidedBy: Thresholds[] = [];
  /** Each step of an order, with the newest movement after it. */
  readonly steps: TakenStep[] = [];
  /** Units sold, by pet and day. */
  readonly sales = new Map<string, number>();
  readonly #stock: Map<bigint, Stock>;
  readonly #orders = new Map<number, Order>();
  readonly #rules: StockRules;
  #shop: Thresholds = NO_THRESHOLDS;
  #commit: Commit | undefined;

  constructor(stock: ReadonlyMap<bigint, Stock>, rules: StockRules) {
    this.#stock = new Map(stock);
    this.#rules = rules;
  }

  /** The stock with every command so far, those that are not committed yet included. */
  get stock(): ReadonlyMap<bigint, Stock> {
    return this.#commit?.stock ?? this.#stock;
  }

  /** The orders with every command so far. */
  get orders(): ReadonlyMap<number, Order> {
    return this.#commit?.orders ?? this.#orders;
  }

  get sequence(): number {
    return this.#commit?.transaction.sequence ?? this.movements.length;
  }

  /** Units of a pet that were sold in the last days, as the item of the pet needs them. */
  soldUnits(petId: bigint, nowMs: number): number {
    const days = Array.from({ length: SALES_DAYS }, (_, i) => dayOf(nowMs) - i);
    return days.reduce((sum, day) => sum + (this.sales.get(`${petId} ${day}`) ?? 0), 0);
  }

  run(command: WriteCommand, author: Author): WriteResult {
    this.#commit ??= this.#begin();
    const { transaction, book } = this.#commit;
    const known = revertedBy(command).flatMap((sequence) => this.#find(sequence) ?? []);
    const found = new Map(known.map((one) => [one.movement.sequence, one]));
    const before = transaction.movements.length;
    const result = execute({ author, command }, transaction, book, found);
    if (result.kind === 'order' && result.code === 'done' && result.order) {
      const name = command.kind === 'step' ? command.step : 'place';
      this.steps.push({ name, order: result.order, author, sequence: transaction.sequence });
    }
    for (const { petId } of transaction.movements.slice(before)) {
      this.decidedBy.push(thresholdsOf(this.stock.get(petId) ?? NO_THRESHOLDS, this.#shop));
    }
    return result;
  }

  /** Changes the thresholds of pets without their own, and decides about the level of each again. */
  setDefault(thresholds: Thresholds, author: Author): void {
    this.commit();
    this.#shop = thresholds;
    for (const [petId, { lowStockAt }] of this.#stock) {
      if (lowStockAt === null) this.run({ kind: 'change', change: { kind: 'thresholds', petId } }, author);
    }
    this.commit();
  }

  commit(): void {
    if (!this.#commit) return;
    const { transaction, book } = this.#commit;
    this.#commit = undefined;
    this.movements.push(...transaction.movements);
    for (const { petId, day, units } of transaction.sales) {
      const key = `${petId} ${day}`;
      this.sales.set(key, (this.sales.get(key) ?? 0) + units);
    }
    for (const [petId, stock] of transaction.changed()) this.#stock.set(petId, stock);
    for (const { order } of book.changed) this.#orders.set(order.orderId, order);
  }

  #begin(): Commit {
    const last = this.movements.at(-1);
    const head = last ?? { sequence: 0, recordedAtMs: 0, hash: FIRST_HASH };
    const [stock, orders] = [new Map(this.#stock), new Map(this.#orders)];
    const transaction = new LedgerTransaction(this.#rules, { head, stock, thresholds: this.#shop });
    return { transaction, book: new OrderBook(transaction, orders, this.#orders.size), stock, orders };
  }

  #find(sequence: number): FoundMovement | undefined {
    const movement = this.movements[sequence - 1];
    const revert = this.movements.find(({ revertedSequence }) => revertedSequence === sequence);
    if (!movement) return undefined;
    let [origin, reverts] = [movement, 0];
    for (; origin.kind === 'revert'; reverts += 1)
      origin = this.movements[(origin.revertedSequence ?? 0) - 1]!;
    return { movement, revertedBy: revert?.sequence ?? null, sale: changedSale(origin, reverts) };
  }
}
