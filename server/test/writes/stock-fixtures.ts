import { NO_THRESHOLDS } from '@petstore-inventory/shared/thresholds';
import type { ChainHead, Movement } from '../../src/domain/ledger/ledger.ts';
import { LedgerTransaction, type StockRules } from '../../src/domain/ledger/ledger-transaction.ts';
import type { Stock } from '../../src/domain/ledger/stock.ts';

/** The rules of a shop without options. */
export const RULES: StockRules = { statusPolicy: 'unchanged', maxQuantity: 1_000, orderHoldMs: null };

/** Stock that was changed before a test. */
export function stockOf(quantity: number, more: Partial<Stock> = {}): Stock {
  return {
    quantity,
    reserved: 0,
    status: 'available',
    version: 3,
    lastSequence: 8,
    updatedAtMs: 2_000,
    alertLevel: null,
    ...NO_THRESHOLDS,
    ...more,
  };
}

/** The members of a movement that only reservations, orders and alerts set. */
export const UNRESERVED = {
  reservedBefore: 0,
  reservedAfter: 0,
  alertBefore: null,
  alertAfter: null,
  orderId: null,
} as const satisfies Partial<Movement>;

/** A transaction in a shop without default thresholds. */
export function transactionOn(
  stock: Map<bigint, Stock>,
  head: ChainHead,
  rules: StockRules = RULES,
): LedgerTransaction {
  return new LedgerTransaction(rules, { head, stock, thresholds: NO_THRESHOLDS });
}

/** The stock after a movement that did not change the pet's thresholds. */
export function stockAfter(movement: Movement, { lowStockAt, restockAt } = NO_THRESHOLDS): Stock {
  return {
    quantity: movement.quantityAfter,
    reserved: movement.reservedAfter,
    status: movement.statusAfter,
    version: movement.version,
    lastSequence: movement.sequence,
    updatedAtMs: movement.recordedAtMs,
    alertLevel: movement.alertAfter,
    lowStockAt,
    restockAt,
  };
}
