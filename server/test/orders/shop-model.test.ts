import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ORDER_STATUSES, ORDER_STEPS } from '@petstore-inventory/shared/words';
import fc from 'fast-check';
import { STATUS_POLICIES } from '../../src/domain/inventory.ts';
import { FIRST_HASH, type Movement, movementHash } from '../../src/domain/ledger/ledger.ts';
import type { StockRules } from '../../src/domain/ledger/ledger-transaction.ts';
import { availableOf, type Stock } from '../../src/domain/ledger/stock.ts';
import { type Order, reservedUnits } from '../../src/domain/orders/orders.ts';
import type { WriteCommand, WriteResult } from '../../src/domain/write-command.ts';
import { stockOf } from '../writes/stock-fixtures.ts';
import { HistoryRun } from './history-run.ts';
import type { MemoryShop } from './memory-shop.ts';
import { type HistoryStep, histories, PET_IDS } from './random-commands.ts';
import { ShopModel } from './shop-model.ts';

/** Of each status policy. */
const RUNS = 400;

const START: ReadonlyMap<bigint, Stock> = new Map(
  [20, 9, 0].map((quantity, i) => {
    const none = {
      version: 0,
      lastSequence: 0,
      updatedAtMs: 0,
      alertLevel: quantity === 0 ? 'out' : null,
    } as const;
    return [PET_IDS[i] as bigint, stockOf(quantity, none)];
  }),
);

/** A history that runs on the domain and on the model. */
class Comparison {
  readonly model: ShopModel;
  readonly #run: HistoryRun;
  readonly #met: Map<string, number>;

  constructor(rules: StockRules, met: Map<string, number>) {
    this.#run = new HistoryRun({ stock: START, rules, startMs: 1_000 });
    const pets = [...START].map(([petId, { quantity: onHand, status, lowStockAt, restockAt }]) => {
      return [petId, { onHand, status, lowStockAt, restockAt }] as const;
    });
    this.model = new ShopModel(new Map(pets), rules);
    this.#met = met;
  }

  get shop(): MemoryShop {
    return this.#run.shop;
  }

  take(step: HistoryStep): void {
    const executed = this.#run.take(step);
    if (!executed) return;
    const { command, result } = executed;
    if (command.kind === 'step') {
      this.#meet(command.step, this.model.orders[command.orderId - 1]?.status ?? 'none');
    }
    assert.deepEqual(outcomeOf(result), this.#expected(command));
    this.#meet(command.kind, result.code);
    if (command.kind === 'batch' && result.kind === 'batch') {
      for (const [i, { kind }] of command.changes.entries())
        if (kind === 'revert') this.#meet('row', String(result.rows[i]?.code));
    }
    this.#assertState();
  }

  #meet(...names: readonly string[]): void {
    const name = names.join(' ');
    this.#met.set(name, (this.#met.get(name) ?? 0) + 1);
  }

  #expected(command: WriteCommand): unknown {
    const { model } = this;
    switch (command.kind) {
      case 'place':
        return lineOutcome(model.place(command, this.#run.nowMs));
      case 'step':
        return lineOutcome(model.step(command, this.#run.nowMs));
      case 'change':
        return model.change(command.change).code;
      case 'revert':
        return model.revert(command).code;
      case 'batch':
        return model.batch(command);
    }
  }

  /** The stock and the orders are those of the model, and reserved units are those of open lines. */
  #assertState(): void {
    const { model, shop } = this;
    const ordered = [...shop.orders.values()];
    assert.equal(shop.sequence, model.entries.length, 'movements');
    assert.deepEqual(
      ordered.map(orderFacts),
      model.orders.map((order, i) => ({ orderId: i + 1, ...order })),
    );
    for (const [petId, pet] of model.pets) {
      const { quantity, reserved, status, lowStockAt, restockAt } = shop.stock.get(petId) as Stock;
      assert.deepEqual({ onHand: quantity, status, lowStockAt, restockAt }, pet, `pet ${petId}`);
      assert.equal(reserved, model.reserved(petId), `reserved of pet ${petId}`);
      assert.equal(reserved, openUnits(ordered, petId), `open lines of pet ${petId}`);
    }
  }
}

function outcomeOf(result: WriteResult): unknown {
  if (result.kind === 'order') return lineOutcome(result);
  return result.kind === 'batch' ? result.rows.map(({ code }) => code) : result.code;
}

function lineOutcome({ code, line }: { readonly code: string; readonly line?: number | null }) {
  return { code, line: line ?? null };
}

function orderFacts({ orderId, status, version, expiresAtMs, lines }: Order) {
  const facts = lines.map(({ quantity: ordered, ...line }) => ({ ordered, ...line }));
  return { orderId, status, version, expiresAtMs, lines: facts };
}

function openUnits(orders: readonly Order[], petId: bigint): number {
  const units = orders.flatMap((order) =>
    order.lines.filter((line) => line.petId === petId).map((line) => reservedUnits(order, line)),
  );
  return units.reduce((sum, one) => sum + one, 0);
}

/** Each movement continues its pet and the chain, and moves what its kind may move. */
function assertLedger(movements: readonly Movement[], stock: ReadonlyMap<bigint, Stock>): void {
  const held = new Map(START);
  let hash = FIRST_HASH;
  for (const [i, movement] of movements.entries()) {
    const before = held.get(movement.petId) as Stock;
    const { quantityAfter: quantity, reservedAfter: reserved, statusAfter: status } = movement;
    assert.deepEqual(
      [movement.quantityBefore, movement.reservedBefore, movement.statusBefore, movement.alertBefore],
      [before.quantity, before.reserved, before.status, before.alertLevel],
    );
    assert.deepEqual([movement.sequence, movement.version], [i + 1, before.version + 1]);
    hash = movementHash(hash, movement);
    assert.equal(movement.hash, hash);
    assertMove(movement);
    held.set(movement.petId, {
      ...{ quantity, reserved, status, version: movement.version, alertLevel: movement.alertAfter },
      ...{ lastSequence: movement.sequence, updatedAtMs: movement.recordedAtMs },
      ...{ lowStockAt: null, restockAt: null },
    });
  }
  for (const [petId, { lowStockAt: _, restockAt: __, ...last }] of stock) {
    const { lowStockAt: _low, restockAt: _restock, ...replayed } = held.get(petId) as Stock;
    assert.deepEqual(last, replayed, `the balance of pet ${petId} is the sum of its movements`);
  }
}

const MOVES: Readonly<Record<string, readonly [quantity: number, reserved: number]>> = {
  reserve: [0, 1],
  release: [0, -1],
  deliver: [-1, -1],
  return: [1, 0],
};

function assertMove(movement: Movement): void {
  const { kind, orderId, quantityBefore, quantityAfter, reservedBefore, reservedAfter } = movement;
  const [quantity, reserved] = [quantityAfter - quantityBefore, reservedAfter - reservedBefore];
  assert.ok(quantityAfter >= 0 && reservedAfter >= 0);
  assert.equal(orderId !== null, kind in MOVES);
  const [ofQuantity, ofReserved] = MOVES[kind] ?? [Math.sign(quantity), 0];
  const units = Math.max(Math.abs(quantity), Math.abs(reserved));
  assert.deepEqual([quantity, reserved], [ofQuantity * units + 0, ofReserved * units + 0], kind);
  assert.ok(!(kind in MOVES) || units > 0, kind);
  const available = availableOf({ quantity: quantityAfter, reserved: reservedAfter });
  assert.ok(kind !== 'reserve' || available >= 0, 'no reservation makes available units negative');
}

/** What all histories together must have met: each step from each status, and each code that a command can have. */
const MET = [
  ...ORDER_STEPS.flatMap((step) => [...ORDER_STATUSES, 'none'].map((status) => `${step} ${status}`)),
  ...['done', 'expiry_passed', 'not_found', 'insufficient_stock'].map((code) => `place ${code}`),
  ...['done', 'no_such_order', 'invalid_transition', 'expiry_passed'].map((code) => `step ${code}`),
  ...['no_such_line', 'too_many_units', 'insufficient_stock', 'too_much_stock'].map((code) => `step ${code}`),
  ...['done', 'not_found', 'insufficient_stock', 'stock_reserved', 'too_much_stock'].map(
    (code) => `change ${code}`,
  ),
  ...['done', 'no_such_movement', 'already_reverted', 'movement_of_order'].map((code) => `revert ${code}`),
  ...['stock_reserved', 'nothing_to_revert'].map((code) => `revert ${code}`),
  ...['done', 'rejected'].map((code) => `batch ${code}`),
  ...['done', 'no_such_movement', 'already_reverted', 'movement_of_order'].map((code) => `row ${code}`),
];

test('orders and stock are those of the model after every step, under each status policy', () => {
  const met = new Map<string, number>();
  for (const statusPolicy of STATUS_POLICIES) {
    const rules = { statusPolicy, maxQuantity: 20, orderHoldMs: 30 };
    const property = fc.property(histories({ minLength: 20, maxLength: 80 }), (steps) => {
      const comparison = new Comparison(rules, met);
      for (const step of steps) comparison.take(step);
      const { shop } = comparison;
      shop.commit();
      assertLedger(shop.movements, shop.stock);
    });
    fc.assert(property, { numRuns: RUNS });
  }
  assert.deepEqual(
    MET.filter((name) => !met.has(name)),
    [],
  );
});
