import fc from 'fast-check';
import { type Change, type History, type Operation, ORDER_KINDS, type Outcome } from './history.ts';

const quantity = fc.integer({ min: 0, max: 2 });
const version = fc.integer({ min: 1, max: 4 });
const status = fc.constantFrom('available' as const, 'sold' as const);
const delta = fc.constantFrom(-1, 1, 2);

const plain: fc.Arbitrary<Change> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('set' as const), quantity }) },
  {
    weight: 3,
    arbitrary: fc.record(
      { kind: fc.constant('adjust' as const), delta, takesReserved: fc.constant(true) },
      { requiredKeys: ['kind', 'delta'] },
    ),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom(...ORDER_KINDS), units: fc.constantFrom(1, 1, 2) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('status' as const), status }) },
  {
    weight: 2,
    arbitrary: fc.record(
      {
        kind: fc.constant('revert' as const),
        sequence: fc.constant(3),
        delta: fc.constantFrom(-1, 0, 1, 2),
        status: fc.constant({ from: 'available' as const, to: 'sold' as const }),
      },
      { requiredKeys: ['kind', 'sequence', 'delta'] },
    ),
  },
);
const conditions = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.record({ ifQuantity: quantity }) },
  { weight: 1, arbitrary: fc.record({ ifVersion: version }) },
);
const change = fc.tuple(plain, conditions).map(([made, held]): Change => ({ ...made, ...held }));
const action = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ kind: 'read' as const }) },
  { weight: 6, arbitrary: change },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('batch' as const),
      changes: fc.array(change, { minLength: 1, maxLength: 2 }),
    }),
  },
);
const reported = fc.record(
  { quantityBefore: quantity, quantity, reserved: quantity, version, status },
  { requiredKeys: [] },
);
const refusal = fc.constantFrom(
  'precondition_failed' as const,
  'conflict' as const,
  'insufficient_stock' as const,
);
const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ result: 'done' as const }) },
  { weight: 3, arbitrary: reported.map((facts) => ({ result: 'done' as const, ...facts })) },
  { weight: 1, arbitrary: refusal.map((why) => ({ result: 'refused' as const, refusal: why })) },
  { weight: 1, arbitrary: fc.constant({ result: 'failed' as const }) },
  { weight: 3, arbitrary: fc.constant({ result: 'unknown' as const }) },
);
const operation = fc
  .record({ client: fc.constant('a'), invokedAtMs: fc.nat(12), lastsMs: fc.nat(6), action, outcome })
  .map(({ lastsMs, ...made }): Operation => ({ ...made, returnedAtMs: made.invokedAtMs + lastsMs }));

/** Any few operations with any answers: some have an explanation, some do not. */
export const smallHistory: fc.Arbitrary<History> = fc
  .array(operation, { minLength: 1, maxLength: 6 })
  .map((operations) => ({
    petId: 7n,
    initial: { quantity: 1, reserved: 0, status: 'available', version: 1 },
    operations,
  }));
