import assert from 'node:assert/strict';
import type { OrderStep } from '@petstore-inventory/shared/words';
import { type Author, UNEXPLAINED } from '../../src/domain/ledger/ledger.ts';
import { availableOf, type Change, type Stock } from '../../src/domain/ledger/stock.ts';
import type { OrderOutcome } from '../../src/domain/orders/order-book.ts';
import type { OrderStepCommand, PlaceOrderCommand } from '../../src/domain/orders/orders.ts';
import { RULES, stockOf } from '../writes/stock-fixtures.ts';
import { MemoryShop } from './memory-shop.ts';

export const HOLD_MS = 1_000;
export const NOW_MS = 50_000;

/** A shop with pets 1, 2 and 3, of which 10, 5 and 1 are in stock. */
export class OrderShop extends MemoryShop {
  nowMs = NOW_MS;

  constructor() {
    const none = { version: 0, lastSequence: 0, updatedAtMs: 0 };
    const stock = [10, 5, 1].map((quantity, i) => [BigInt(i + 1), stockOf(quantity, none)] as const);
    super(new Map(stock), { ...RULES, orderHoldMs: HOLD_MS });
  }

  place(units: Readonly<Record<number, number>>, more: Partial<PlaceOrderCommand> = {}): OrderOutcome {
    const lines = Object.entries(units).map(([petId, quantity]) => ({ petId: BigInt(petId), quantity }));
    return this.#order({ kind: 'place', lines, explanation: UNEXPLAINED, ...more });
  }

  step(step: OrderStep, orderId = 1, more: Partial<OrderStepCommand> = {}): OrderOutcome {
    return this.#order({ kind: 'step', step, orderId, ...more });
  }

  change(change: Change): string {
    const result = this.run({ kind: 'change', change }, this.#author());
    assert.ok(result.kind === 'single');
    return result.code;
  }

  /** Quantity, reserved and available units. */
  units(petId: bigint): readonly number[] {
    const stock = this.stock.get(petId) as Stock;
    return [stock.quantity, stock.reserved, availableOf(stock)];
  }

  /** Everything that a refused command must not change. */
  state(): unknown {
    return structuredClone([this.sequence, [...this.stock], [...this.orders]]);
  }

  #order(command: PlaceOrderCommand | OrderStepCommand): OrderOutcome {
    const result = this.run(command, this.#author());
    assert.ok(result.kind === 'order');
    return result;
  }

  #author(): Author {
    return { actor: 'key_1', actorName: 'till', requestId: null, atMs: this.nowMs };
  }
}
