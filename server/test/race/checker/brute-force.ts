import assert from 'node:assert/strict';
import type { History, Operation } from './history.ts';
import { explain, type State, stateOf } from './register.ts';

/** Whether any order at all explains a history, found by trying every one: for a handful of operations. */
export function explainsByForce({ initial, operations }: History): boolean {
  return explains(
    stateOf(initial),
    operations.filter(({ outcome }) => outcome.result !== 'failed'),
  );
}

function explains(state: State, left: readonly Operation[]): boolean {
  if (left.every(({ outcome }) => outcome.result === 'unknown')) return true;
  return left.some((operation) => {
    if (left.some((other) => isBefore(other, operation))) return false;
    const after = explain(state, operation);
    return after !== undefined && explains(after, left.toSpliced(left.indexOf(operation), 1));
  });
}

/** Asserts that an order holds every answered operation once, keeps to time, and explains each answer. */
export function assertWitness({ initial, operations }: History, witness: readonly Operation[]): void {
  const answered = operations.filter(
    ({ outcome }) => outcome.result === 'done' || outcome.result === 'refused',
  );
  const placed = new Set(witness);
  assert.equal(placed.size, witness.length);
  assert.ok(answered.every((operation) => placed.has(operation)));
  let state = stateOf(initial);
  let newestInvokedAtMs = Number.NEGATIVE_INFINITY;
  for (const operation of witness) {
    const returnedAtMs =
      operation.outcome.result === 'unknown' ? Number.POSITIVE_INFINITY : operation.returnedAtMs;
    assert.ok(returnedAtMs >= newestInvokedAtMs, 'the order contradicts time');
    newestInvokedAtMs = Math.max(newestInvokedAtMs, operation.invokedAtMs);
    const after = explain(state, operation);
    assert.ok(after, 'the answer contradicts the state at its position');
    state = after;
  }
}

function isBefore(one: Operation, other: Operation): boolean {
  return one.outcome.result !== 'unknown' && one.returnedAtMs < other.invokedAtMs;
}
