import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertWitness, explainsByForce } from './brute-force.ts';
import { type Action, type History, knownAt, type Operation, type Outcome } from './history.ts';
import { checkLinearizable } from './linearizable.ts';
import { smallHistory } from './small-history.ts';
import { isSkippedDaily } from '../../support/long-test.ts';

const BEGIN = { quantity: 5, reserved: 0, status: 'available', version: 1 } as const;

/** Client, invocation, return, action and outcome. */
type Line = readonly [client: string, from: number, to: number, action: Action, outcome: Outcome];

const read = { kind: 'read' } as const;
const set = (quantity: number) => ({ kind: 'set', quantity }) as const;
const adjust = (delta: number) => ({ kind: 'adjust', delta }) as const;
const unsold = (sequence: number) =>
  ({ kind: 'revert', sequence, delta: 0, status: { from: 'available', to: 'sold' } }) as const;
const saw = (quantity: number, version?: number) =>
  ({ result: 'done', quantity, ...(version === undefined ? {} : { version }) }) as const;
const done = { result: 'done' } as const;
const unknown = { result: 'unknown' } as const;
const refused = (refusal: 'precondition_failed' | 'conflict' | 'insufficient_stock') =>
  ({ result: 'refused', refusal }) as const;

function history(lines: readonly Line[]): History {
  const operations = lines.map(([client, invokedAtMs, returnedAtMs, action, outcome]): Operation => ({
    client,
    invokedAtMs,
    returnedAtMs,
    action,
    outcome,
  }));
  return { petId: 7n, initial: BEGIN, operations };
}

const EXPLAINED: Readonly<Record<string, readonly Line[]>> = {
  'nothing at all': [],
  'a read concurrent with a write may see the old value or the new one (Lamport 1986)': [
    ['a', 0, 10, set(9), done],
    ['b', 1, 4, read, saw(5)],
    ['c', 2, 5, read, saw(9)],
  ],
  'overlapping writes may take effect in either order (Herlihy and Wing 1990)': [
    ['a', 0, 10, set(1), done],
    ['b', 1, 9, set(2), done],
    ['c', 11, 12, read, saw(1)],
  ],
  'a write without an answer may take effect long after later reads': [
    ['a', 0, 1, set(9), unknown],
    ['b', 10, 11, read, saw(5)],
    ['b', 9_012, 9_013, read, saw(9)],
  ],
  'a write without an answer may never take effect': [
    ['a', 0, 1, adjust(-5), unknown],
    ['b', 10, 11, adjust(-5), { ...done, quantityBefore: 5, quantity: 0 }],
    ['b', 12, 13, adjust(-1), refused('insufficient_stock')],
  ],
  'an unknown compare-and-set takes effect where it can': [
    ['a', 0, 1, { ...set(8), ifQuantity: 6 }, unknown],
    ['b', 10, 11, adjust(1), done],
    ['b', 12, 13, read, saw(8)],
  ],
  'a set to the current value raises no version': [
    ['a', 0, 1, set(5), { ...done, version: 1, sequence: null }],
    ['a', 2, 3, { kind: 'status', status: 'sold' }, { ...done, version: 2 }],
    ['a', 4, 5, { ...adjust(1), ifVersion: 2 }, saw(6, 3)],
  ],
  'a batch is applied in order, with a running check': [
    ['a', 0, 1, { kind: 'batch', changes: [adjust(-5), adjust(2)] }, saw(2, 3)],
    ['a', 2, 3, { kind: 'batch', changes: [adjust(-3), adjust(9)] }, refused('insufficient_stock')],
    ['a', 4, 5, read, saw(2, 3)],
  ],
  'a revert undoes a movement after later ones, and is refused a second time': [
    ['a', 0, 1, adjust(3), { ...saw(8, 2), sequence: 11 }],
    ['b', 2, 3, adjust(1), saw(9, 3)],
    ['a', 4, 5, { kind: 'revert', sequence: 11, delta: 3 }, saw(6, 4)],
    ['b', 6, 7, { kind: 'revert', sequence: 11, delta: 3 }, refused('conflict')],
  ],
  'a revert of a status gives it back where it still is': [
    ['a', 0, 1, { kind: 'status', status: 'sold' }, { ...saw(5, 2), status: 'sold' }],
    ['b', 2, 3, adjust(1), saw(6, 3)],
    ['a', 4, 5, unsold(12), { ...saw(6, 4), status: 'available' }],
    ['b', 6, 7, unsold(13), refused('conflict')],
  ],
  'an unknown revert that only the refusal of a second revert reveals': [
    ['a', 0, 1, { kind: 'revert', sequence: 11, delta: 3 }, unknown],
    ['b', 2, 3, set(5), done],
    ['b', 4, 5, { kind: 'revert', sequence: 11, delta: 3 }, refused('conflict')],
    ['b', 6, 7, read, saw(5)],
  ],
};

const UNEXPLAINED: Readonly<Record<string, readonly Line[]>> = {
  'a read of an overwritten value, although each client sees its own order (Attiya and Welch 1994)': [
    ['a', 0, 1, set(9), done],
    ['b', 2, 3, read, saw(5)],
  ],
  'the new value and then the old one, while the write is still running (Lamport 1986: regular, not atomic)':
    [
      ['a', 0, 10, set(9), done],
      ['b', 1, 3, read, saw(9)],
      ['c', 4, 6, read, saw(5)],
    ],
  'overlapping writes seen in both orders': [
    ['a', 0, 10, set(1), done],
    ['b', 0, 10, set(2), done],
    ['c', 11, 12, read, saw(1)],
    ['c', 13, 14, read, saw(2)],
  ],
  'a lost update': [
    ['a', 0, 10, adjust(1), done],
    ['b', 0, 10, adjust(1), done],
    ['c', 11, 12, read, saw(6)],
  ],
  'two compare-and-sets from one quantity': [
    ['a', 0, 10, { ...set(6), ifQuantity: 5 }, done],
    ['b', 0, 10, { ...set(7), ifQuantity: 5 }, done],
  ],
  'two changes of one version': [
    ['a', 0, 10, { ...adjust(1), ifVersion: 1 }, done],
    ['b', 0, 10, { ...adjust(1), ifVersion: 1 }, done],
  ],
  'a refusal of a version that did not change': [
    ['a', 0, 1, { ...adjust(1), ifVersion: 1 }, refused('precondition_failed')],
  ],
  'stock sold twice': [
    ['a', 0, 10, adjust(-3), done],
    ['b', 0, 10, adjust(-3), done],
  ],
  'a retry applied twice': [
    ['a', 0, 10, adjust(2), done],
    ['a', 11, 12, read, saw(9)],
  ],
  'a value that was rolled back': [
    ['a', 0, 10, set(9), { result: 'failed' }],
    ['b', 1, 9, read, saw(9)],
  ],
  'an unknown write that takes effect, and is then gone': [
    ['a', 0, 1, set(9), unknown],
    ['b', 2, 3, read, saw(9)],
    ['b', 4, 5, read, saw(5)],
  ],
  'a set to the current value that raised the version': [['a', 0, 1, set(5), saw(5, 2)]],
  'half of a batch': [
    ['a', 0, 10, { kind: 'batch', changes: [adjust(1), adjust(1)] }, done],
    ['b', 0, 10, read, saw(6)],
  ],
  'a movement reverted twice': [
    ['a', 0, 1, { kind: 'revert', sequence: 1, delta: 1 }, done],
    ['b', 2, 3, { kind: 'revert', sequence: 1, delta: 1 }, done],
  ],
};

for (const [title, lines] of Object.entries(EXPLAINED)) {
  test(`explained: ${title}`, () => {
    const made = history(lines);
    const verdict = checkLinearizable(made);
    assert.ok(verdict.isLinearizable, verdict.isLinearizable ? '' : verdict.message);
    assertWitness(made, verdict.witness);
  });
}

for (const [title, lines] of Object.entries(UNEXPLAINED)) {
  test(`not explained: ${title}`, () => {
    assert.equal(checkLinearizable(history(lines)).isLinearizable, false);
  });
}

test('a refutation reports the unexplained answer, the order before it, and the possible stock', () => {
  const verdict = checkLinearizable(
    history([
      ['a', 0, 1, set(9), { ...done, quantityBefore: 5 }],
      ['b', 2, 8, adjust(1), unknown],
      ['c', 3, 4, read, saw(7)],
      ['c', 5, 6, read, saw(9)],
    ]),
  );
  assert.ok(!verdict.isLinearizable);
  assert.equal(verdict.prefix.operations.length, 3);
  assert.equal(
    verdict.message,
    [
      'Pet 7: no order of the first 3 operations gets past',
      '  [3.000, 4.000] c: read -> done quantity 7',
      'One order that explains every answer before it:',
      '  [0.000, 1.000] a: set 9 -> done quantityBefore 5',
      'Possible stock then:',
      '  quantity 9, available, version 2',
      '  quantity 10, available, version 3',
      'Running, with or without an effect before it:',
      '  [2.000, never] b: adjust +1 -> unknown',
    ].join('\n'),
  );
});

test('a history that would take too long is not decided, and that is an error', () => {
  const made = history([
    ['a', 0, 9, set(1), done],
    ['b', 0, 9, set(2), done],
  ]);
  assert.throws(() => checkLinearizable(made, { maxPoints: 1 }), /^Error: Not decided, so perhaps not/);
});

test('the checker agrees with trying every order, and refutes the shortest prefix that can be refuted', (t) => {
  if (isSkippedDaily(t)) return;
  let explained = 0;
  let refuted = 0;
  const property = fc.property(smallHistory, (made) => {
    const verdict = checkLinearizable(made);
    assert.equal(verdict.isLinearizable, explainsByForce(made));
    if (verdict.isLinearizable) {
      explained += 1;
      assertWitness(made, verdict.witness);
    } else {
      refuted += 1;
      const { operations } = verdict.prefix;
      const answered = operations.filter(({ outcome }) => outcome.result !== 'unknown');
      const untilMs = Math.max(...answered.map(({ returnedAtMs }) => returnedAtMs));
      assert.equal(explainsByForce(verdict.prefix), false);
      assert.equal(explainsByForce(knownAt(made, untilMs - 1)), true);
    }
  });
  fc.assert(property, { seed: 1, numRuns: 3_000 });
  assert.ok(explained > 300 && refuted > 300, `${explained} explained, ${refuted} refuted`);
});
