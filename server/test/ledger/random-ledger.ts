import { NO_THRESHOLDS } from '@petstore-inventory/shared/thresholds';
import { PET_STATUSES, REASONS } from '@petstore-inventory/shared/words';
import fc from 'fast-check';
import { FIRST_HASH, type LedgerHead, type Movement, UNEXPLAINED } from '../../src/domain/ledger/ledger.ts';
import type { OrderMove } from '../../src/domain/ledger/ledger-transaction.ts';
import type { Stock } from '../../src/domain/ledger/stock.ts';
import { ImportedMovements } from '../../src/store/ledger/import-movements.ts';
import { RULES, stockAfter, transactionOn } from '../writes/stock-fixtures.ts';

/** The key `key-1` exists; of `key-2` only the id is left. */
export const ACTOR_NAMES = { cli: 'cli', 'key-1': "The till's", 'key-2': 'key-2' } as const;
type Actor = keyof typeof ACTOR_NAMES;
export const ACTORS = Object.keys(ACTOR_NAMES) as Actor[];

/** With both ends of int64, and one of those that no number holds. */
export const PET_IDS = [-(2n ** 63n), -1n, 7n, 9_007_199_254_740_993n, 2n ** 63n - 1n] as const;

/** A ledger, the resulting stock, and the movements that an operator has deleted. */
export interface ModelLedger {
  /** All of them, those that are gone as well. */
  readonly movements: readonly Movement[];
  /** Those that are there. */
  readonly kept: readonly Movement[];
  readonly stock: ReadonlyMap<bigint, Stock>;
  readonly start: LedgerHead;
}

interface Step {
  readonly pet: number;
  readonly kind: 'import' | 'set' | 'adjust' | 'status' | 'revert' | 'thresholds' | OrderMove['kind'];
  readonly number: number;
  readonly times: number;
  readonly waitMs: number;
  readonly actor: Actor;
  readonly reason: Movement['reason'];
}

const step: fc.Arbitrary<Step> = fc.record({
  // One of them has chains over several milestones.
  pet: fc.constantFrom(0, 1, 2, 2, 2, 2, 3, 4),
  kind: fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constantFrom('import', 'set', 'adjust', 'adjust', 'adjust', 'status', 'revert'),
    },
    {
      weight: 3,
      arbitrary: fc.constantFrom('reserve', 'reserve', 'release', 'deliver', 'return', 'thresholds'),
    },
  ),
  number: fc.nat(5),
  times: fc.integer({ min: 1, max: 30 }),
  waitMs: fc.constantFrom(0, 0, 1, 9),
  actor: fc.constantFrom(...ACTORS),
  reason: fc.constantFrom(null, ...REASONS.slice(0, 3)),
});

/** Ledgers of up to some hundred movements of few pets, many recorded at the same moment, pruned or not. */
export const ledgers: fc.Arbitrary<ModelLedger> = fc
  .tuple(fc.array(step, { maxLength: 60, size: 'max' }), fc.constantFrom(0, 0, 0.2, 0.5, 0.9, 1))
  .map(([steps, pruned]) => ledgerOf(steps, pruned));

function ledgerOf(steps: readonly Step[], pruned: number): ModelLedger {
  const movements: Movement[] = [];
  const stock = new Map<bigint, Stock>();
  let atMs = 1_000;
  for (const { times, waitMs, ...step } of steps) {
    atMs += waitMs;
    // Only adjustments are repeated: they make chains long.
    for (let i = 0; i < (step.kind === 'adjust' ? times : 1); i += 1) {
      movements.push(...movementsOf(step, { movements, stock, atMs }));
    }
  }
  const sequence = Math.floor(pruned * movements.length);
  const start = { sequence, recordedAtMs: movements[sequence - 1]?.recordedAtMs ?? 0 };
  const newest = new Set([...stock.values()].map(({ lastSequence }) => lastSequence));
  const kept = movements.filter((one) => one.sequence > sequence || newest.has(one.sequence));
  return { movements, kept, stock, start };
}

/** The ledger after this number of movements, before any prune. */
export function partOf({ movements }: ModelLedger, count: number): ModelLedger {
  const kept = movements.slice(0, count);
  const stock = new Map(kept.map((movement) => [movement.petId, stockAfter(movement)]));
  return { movements: kept, kept, stock, start: { sequence: 0, recordedAtMs: 0 } };
}

function movementsOf(
  { pet, kind, number, actor, reason }: Omit<Step, 'times' | 'waitMs'>,
  { movements, stock, atMs }: { movements: readonly Movement[]; stock: Map<bigint, Stock>; atMs: number },
): readonly Movement[] {
  const end = movements.at(-1) ?? { sequence: 0, recordedAtMs: 0, hash: FIRST_HASH };
  const petId = PET_IDS[pet] as bigint;
  const before = stock.get(petId);
  const status = PET_STATUSES[number % 3] as Stock['status'];
  if (!before || kind === 'import') {
    const made = new ImportedMovements(end, NO_THRESHOLDS, { actor: 'cli', requestId: null, atMs }).next({
      lowStockAt: before?.lowStockAt ?? null,
      restockAt: before?.restockAt ?? null,
      petId,
      quantity: number,
      status,
      quantityBefore: before?.quantity ?? null,
      statusBefore: before?.status ?? null,
      reserved: before?.reserved ?? null,
      alertBefore: before?.alertLevel ?? null,
      version: before?.version ?? null,
      lastSequence: before?.lastSequence ?? null,
    });
    stock.set(petId, stockAfter(made, before));
    return [made];
  }
  const transaction = transactionOn(stock, end, { ...RULES, statusPolicy: 'sold-at-zero', maxQuantity: 100 });
  const author = { actor, actorName: ACTOR_NAMES[actor], requestId: null, atMs };
  const explanation = { ...UNEXPLAINED, reason, note: number > 3 ? "It's \\ counted" : null };
  const change = { petId, explanation };
  const reverted = movements[(number * 31) % movements.length] as Movement;
  switch (kind) {
    case 'set':
      transaction.apply({ ...change, kind, quantity: number }, author);
      break;
    case 'status':
      transaction.apply({ ...change, kind, status }, author);
      break;
    case 'adjust':
      transaction.apply({ ...change, kind, delta: number - 2 || 1, takesReserved: number === 0 }, author);
      break;
    case 'thresholds':
      transaction.apply({ ...change, kind, lowStockAt: number, restockAt: number + 2 }, author);
      break;
    case 'revert':
      if (reverted.orderId === null && !movements.some((one) => one.revertedSequence === reverted.sequence)) {
        transaction.revert(reverted, author, { explanation });
      }
      break;
    default: {
      const held = kind === 'reserve' || kind === 'return' ? number : Math.min(number, before.reserved);
      if (held > 0)
        transaction.moveForOrder({ petId, kind, orderId: number, units: held, explanation }, author);
    }
  }
  return transaction.movements;
}
