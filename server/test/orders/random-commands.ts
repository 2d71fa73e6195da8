import { NO_THRESHOLDS, type Thresholds } from '@petstore-inventory/shared/thresholds';
import { ORDER_STEPS, PET_STATUSES } from '@petstore-inventory/shared/words';
import fc, { type Arbitrary } from 'fast-check';
import { UNEXPLAINED } from '../../src/domain/ledger/ledger.ts';
import type { Change } from '../../src/domain/ledger/stock.ts';
import { ERROR_POLICIES, type RevertChange, type WriteCommand } from '../../src/domain/write-command.ts';

export const PET_IDS = [7n, 9_007_199_254_740_993n, -(2n ** 63n)] as const;
const NO_PET = 8n;

/** What the commands so far have made. */
export interface Made {
  readonly orders: number;
  readonly movements: number;
  readonly nowMs: number;
}

/**
 * One step of a random history. A command counts backwards: 0 is the newest order or movement, -1 is the one that does
 * not exist yet. Its expiry is milliseconds from now on.
 */
export type HistoryStep =
  | { readonly kind: 'command'; readonly relative: WriteCommand }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'commit' }
  | { readonly kind: 'default'; readonly thresholds: Thresholds };

/** The command with the orders, movements and times there are. */
export function resolved(relative: WriteCommand, { orders, movements, nowMs }: Made): WriteCommand {
  switch (relative.kind) {
    case 'place':
      return typeof relative.expiresAtMs === 'number'
        ? { ...relative, expiresAtMs: nowMs + relative.expiresAtMs }
        : relative;
    case 'step':
      return { ...relative, orderId: Math.max(1, orders - relative.orderId) };
    case 'revert':
      return { ...relative, sequence: Math.max(1, movements - relative.sequence) };
    case 'batch':
      return {
        ...relative,
        changes: relative.changes.map((change) =>
          change.kind === 'revert'
            ? { ...change, sequence: Math.max(1, movements - change.sequence) }
            : change,
        ),
      };
    default:
      return relative;
  }
}

const petIds = fc.constantFrom(...PET_IDS);
const mostlyKnown = fc.oneof({ weight: 30, arbitrary: petIds }, fc.constant(NO_PET));
const explanations = fc
  .constantFrom(null, null, 'sold', 'cycle_count', 'received')
  .map((reason) => ({ ...UNEXPLAINED, reason }) as const);

export const thresholds: Arbitrary<Thresholds> = fc.oneof(
  fc.constant(NO_THRESHOLDS),
  fc
    .tuple(fc.nat(6), fc.option(fc.integer({ min: 1, max: 5 })))
    .map(([lowStockAt, more]) => ({ lowStockAt, restockAt: more === null ? null : lowStockAt + more })),
);

const counts: Arbitrary<Change> = fc.oneof(
  fc.record({
    kind: fc.constant('set' as const),
    petId: mostlyKnown,
    quantity: fc.oneof(fc.nat(20), fc.constant(20)),
    explanation: explanations,
  }),
  fc.record({
    kind: fc.constant('adjust' as const),
    petId: mostlyKnown,
    delta: fc.integer({ min: -6, max: 6 }),
    takesReserved: fc.boolean(),
    explanation: explanations,
  }),
);

const changes: Arbitrary<Change> = fc.oneof(
  { weight: 6, arbitrary: counts },
  fc.record({
    kind: fc.constant('status' as const),
    petId: petIds,
    status: fc.constantFrom(...PET_STATUSES),
  }),
  fc.tuple(petIds, thresholds).map(([petId, chosen]) => ({ kind: 'thresholds' as const, petId, ...chosen })),
);

const lines = fc.uniqueArray(fc.record({ petId: mostlyKnown, quantity: fc.constantFrom(1, 1, 2, 2, 3, 5) }), {
  minLength: 1,
  maxLength: 3,
  selector: ({ petId }) => petId,
});
const placements: Arbitrary<WriteCommand> = fc.record({
  kind: fc.constant('place' as const),
  lines,
  expiresAtMs: fc.constantFrom(undefined, undefined, undefined, null, null, null, 0, 3, 25),
  explanation: explanations,
});

const stepLines = fc.uniqueArray(
  fc.record({ petId: petIds, quantity: fc.constantFrom(undefined, 1, 1, 2, 3, 6) }),
  { minLength: 1, maxLength: 3, selector: ({ petId }) => petId },
);
/** Mostly one of the newest. */
const places = fc.constantFrom(-1, 0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 5, 6);
const steps: Arbitrary<WriteCommand> = fc
  .record({
    step: fc.oneof(fc.constantFrom(...ORDER_STEPS), {
      weight: 2,
      arbitrary: fc.constantFrom('approve' as const, 'deliver' as const, 'return' as const),
    }),
    orderId: places,
    lines: fc.oneof(fc.constant(undefined), stepLines),
    isForced: fc.constantFrom(false, false, false, true),
    explanation: fc.option(explanations, { nil: undefined }),
  })
  .map(({ lines: some, ...rest }) => {
    const isPartial = rest.step === 'deliver' || rest.step === 'return';
    return { kind: 'step', ...rest, ...(isPartial && { lines: some }) };
  });

const reverts: Arbitrary<WriteCommand> = fc.record({
  kind: fc.constant('revert' as const),
  sequence: places,
  takesReserved: fc.boolean(),
  explanation: explanations,
});

const revertRows: Arbitrary<RevertChange> = fc.record({
  kind: fc.constant('revert' as const),
  petId: petIds,
  sequence: places,
  takesReserved: fc.boolean(),
  explanation: explanations,
});

const batches: Arbitrary<WriteCommand> = fc.record({
  kind: fc.constant('batch' as const),
  changes: fc.array(fc.oneof({ weight: 3, arbitrary: counts }, revertRows), { minLength: 1, maxLength: 4 }),
  errorPolicy: fc.constantFrom(...ERROR_POLICIES),
  isDryRun: fc.constantFrom(false, false, false, true),
});

/** Commands of all kinds that a shop executes. */
export const commands: Arbitrary<WriteCommand> = fc.oneof(
  { weight: 5, arbitrary: placements },
  { weight: 9, arbitrary: steps },
  { weight: 5, arbitrary: changes.map((change) => ({ kind: 'change' as const, change })) },
  { weight: 1, arbitrary: reverts },
  { weight: 1, arbitrary: batches },
);

interface HistoryOptions {
  readonly minLength: number;
  readonly maxLength: number;
  /** Whether the default thresholds change. */
  readonly hasDefaults?: boolean;
}

export function histories({ hasDefaults = false, ...length }: HistoryOptions): Arbitrary<HistoryStep[]> {
  const step: Arbitrary<HistoryStep> = fc.oneof(
    { weight: 30, arbitrary: commands.map((relative) => ({ kind: 'command' as const, relative })) },
    { weight: 5, arbitrary: fc.constant({ kind: 'commit' as const }) },
    { weight: 3, arbitrary: fc.constantFrom(1, 2, 5, 15).map((ms) => ({ kind: 'wait' as const, ms })) },
    {
      weight: hasDefaults ? 2 : 0,
      arbitrary: thresholds.map((chosen) => ({ kind: 'default' as const, thresholds: chosen })),
    },
  );
  return fc.array(step, { ...length, size: 'max' });
}
