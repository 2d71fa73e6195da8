import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertWitness } from './brute-force.ts';
import { checkBySequence } from './by-sequence.ts';
import type { Action, History, Operation, Outcome } from './history.ts';
import { checkLinearizable } from './linearizable.ts';
import { explain, stateOf } from './register.ts';
import { smallHistory } from './small-history.ts';
import { isSkippedDaily } from '../../support/long-test.ts';

type Line = readonly [from: number, to: number, action: Action, outcome: Outcome];

const read = { kind: 'read' } as const;
const adjust = (delta: number) => ({ kind: 'adjust', delta }) as const;
const saw = (quantity: number) => ({ result: 'done', quantity }) as const;
const made = (sequence: number | null) => ({ result: 'done', sequence }) as const;

function check(lines: readonly Line[]) {
  const operations = lines.map(([invokedAtMs, returnedAtMs, action, outcome]): Operation => ({
    client: 'a',
    invokedAtMs,
    returnedAtMs,
    action,
    outcome,
  }));
  const history: History = {
    petId: 7n,
    initial: { quantity: 5, reserved: 0, status: 'available', version: 1 },
    operations,
  };
  const verdict = checkBySequence(history);
  if (verdict.isLinearizable) assertWitness(history, verdict.witness);
  return verdict;
}

const REFUTED: Readonly<Record<string, { lines: readonly Line[]; why: RegExp }>> = {
  'movements in an order against time, although the quantities fit': {
    lines: [
      [0, 1, adjust(1), made(12)],
      [2, 3, adjust(1), made(11)],
    ],
    why: /had returned before an earlier movement was requested/,
  },
  'two operations whose answers name one movement': {
    lines: [
      [0, 9, adjust(1), made(11)],
      [0, 9, adjust(1), made(11)],
    ],
    why: /shares its movement/,
  },
  'a movement that does not follow from the one before': {
    lines: [
      [0, 9, adjust(1), { ...made(11), quantity: 6 }],
      [0, 9, adjust(1), { ...made(12), quantity: 6 }],
    ],
    why: /does not follow from quantity 6, available, version 2/,
  },
  'a read of a change that is requested later': {
    lines: [
      [0, 1, read, saw(6)],
      [2, 3, adjust(1), made(11)],
    ],
    why: /was true at none of the times.* quantity 5, available, version 1$/,
  },
  'a read of an overwritten value': {
    lines: [
      [0, 1, adjust(1), made(11)],
      [2, 3, read, saw(5)],
    ],
    why: /was true at none/,
  },
  'a read that sees less than an earlier one': {
    lines: [
      [0, 9, adjust(1), made(11)],
      [1, 2, read, saw(6)],
      [3, 4, read, saw(5)],
    ],
    why: /was true at none/,
  },
  'a read that sees an unknown operation without a movement': {
    lines: [
      [0, 1, adjust(1), { result: 'unknown', sequence: null }],
      [2, 3, read, saw(6)],
    ],
    why: /was true at none/,
  },
  'an acknowledged change without a movement': {
    lines: [[0, 1, adjust(1), made(null)]],
    why: /none of the times/,
  },
};

for (const [title, { lines, why }] of Object.entries(REFUTED)) {
  test(`the order of the ledger refutes ${title}`, () => {
    const verdict = check(lines);
    assert.ok(!verdict.isLinearizable);
    assert.match(verdict.message, why);
  });
}

test('an unknown operation takes effect at the position of its movement, even after a long delay', () => {
  const verdict = check([
    [0, 1, adjust(1), { result: 'unknown', sequence: 12 }],
    [50, 51, adjust(2), made(11)],
    [52, 53, read, saw(7)],
    [54, 55, read, saw(8)],
  ]);
  assert.ok(verdict.isLinearizable);
});

test('the order of a witness is accepted, and every other accepted order has a witness', (t) => {
  if (isSkippedDaily(t)) return;
  let refuted = 0;
  const property = fc.property(smallHistory, fc.infiniteStream(fc.nat()), (history, numbers) => {
    const verdict = checkLinearizable(history);
    if (!verdict.isLinearizable) return;
    const recorded = recordedBy(history, verdict.witness);
    const inOrder = withSequences(history, recorded);
    const accepted = checkBySequence(inOrder);
    assert.ok(accepted.isLinearizable, accepted.isLinearizable ? '' : accepted.message);
    assertWitness(inOrder, accepted.witness);

    const shuffled = recorded
      .map((operation) => ({ operation, at: numbers.next().value }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ operation }) => operation);
    const inDisorder = withSequences(history, shuffled);
    const other = checkBySequence(inDisorder);
    if (other.isLinearizable) assertWitness(inDisorder, other.witness);
    else refuted += 1;
  });
  fc.assert(property, { seed: 1, numRuns: 5_000 });
  assert.ok(refuted > 50, `${refuted} refuted`);
});

/** The operations that record something in an order that explains the history. */
function recordedBy({ initial }: History, witness: readonly Operation[]): Operation[] {
  let state = stateOf(initial);
  return witness.filter((operation) => {
    const before = state;
    state = explain(before, operation) ?? before;
    return state !== before;
  });
}

/** The history as its ledger would complete it. */
function withSequences(history: History, recorded: readonly Operation[]): History {
  const operations = history.operations.map((operation): Operation => {
    const { action, outcome } = operation;
    const hasNone = action.kind === 'read' || outcome.result === 'refused' || outcome.result === 'failed';
    if (hasNone) return operation;
    const index = recorded.indexOf(operation);
    return { ...operation, outcome: { ...outcome, sequence: index === -1 ? null : index + 2 } };
  });
  return { ...history, operations };
}
