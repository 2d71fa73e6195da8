import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountFor } from './accounted.ts';
import type { History, Operation } from './history.ts';
import { type LedgerRow, ledgerFaults } from './ledger-invariants.ts';

/** Two pets with three movements each, every movement from a separate request. */
const ROWS: readonly LedgerRow[] = [
  row({ sequence: 1, petId: 1n, before: 0, after: 5, actor: 'cli', kind: 'import' }),
  row({ sequence: 2, petId: 2n, before: 0, after: 9, actor: 'cli', kind: 'import' }),
  row({ sequence: 3, petId: 1n, before: 5, after: 7, previousSequence: 1, idempotencyKey: 'k3' }),
  row({ sequence: 4, petId: 2n, before: 9, after: 4, previousSequence: 2, idempotencyKey: 'k4' }),
  row({ sequence: 5, petId: 1n, before: 7, after: 6, previousSequence: 3, idempotencyKey: 'k5' }),
  row({ sequence: 6, petId: 2n, before: 4, after: 0, previousSequence: 4, idempotencyKey: 'k6' }),
];
const STOCKS = [
  { petId: 1n, quantity: 6, version: 3 },
  { petId: 2n, quantity: 0, version: 3 },
];

function row(given: Partial<LedgerRow> & Pick<LedgerRow, 'sequence' | 'before' | 'after'>): LedgerRow {
  const made = {
    previousSequence: null,
    petId: 1n,
    kind: 'adjustment',
    actor: 'a',
    requestId: `request ${given.sequence}`,
    ...given,
  };
  return { delta: made.after - made.before, ...made };
}

function changed(sequence: number, change: Partial<LedgerRow>): LedgerRow[] {
  return ROWS.map((each) => (each.sequence === sequence ? { ...each, ...change } : each));
}

test('a sound ledger has no fault', () => {
  assert.deepEqual(ledgerFaults(ROWS, STOCKS), []);
  assert.deepEqual(ledgerFaults(ROWS.toReversed(), STOCKS), [], 'the order of the rows does not matter');
});

const BROKEN: Readonly<Record<string, { rows: readonly LedgerRow[]; fault: RegExp }>> = {
  'a gap': { rows: ROWS.filter(({ sequence }) => sequence !== 4), fault: /Movement 5 follows movement 3/ },
  'a lost beginning': { rows: ROWS.slice(1), fault: /Movement 2 follows movement 0/ },
  'a sequence twice': { rows: [...ROWS, ROWS[5]!], fault: /Movement 6 follows movement 6/ },
  'a delta that is not the difference': { rows: changed(3, { delta: 3 }), fault: /5 and 3 do not make 7/ },
  'a pair that does not meet': {
    rows: changed(5, { before: 8, delta: -2 }),
    fault: /begins at 8.*was at 7/,
  },
  'a wrong chain': { rows: changed(5, { previousSequence: 1 }), fault: /names 1 .* which is 3/ },
  'a quantity below zero': { rows: changed(6, { after: -1, delta: -5 }), fault: /below zero: 4 to -1/ },
  'a wrong balance': { rows: changed(6, { after: 1, delta: -3 }), fault: /has quantity 0.*make 1/ },
  'a pet without stock': { rows: changed(6, { petId: 3n }), fault: /Pet 3 has movements, but no stock/ },
  'a key applied twice': { rows: changed(6, { idempotencyKey: 'k4' }), fault: /k4 .*movements 4, 6/ },
};

for (const [title, { rows, fault }] of Object.entries(BROKEN)) {
  test(`a ledger is faulted for ${title}`, () => {
    assert.match(ledgerFaults(rows, STOCKS).join('\n'), fault);
  });
}

test('a version must count the movements', () => {
  assert.match(
    ledgerFaults(ROWS, [{ ...STOCKS[0]!, version: 4 }, STOCKS[1]!]).join(),
    /version 4, but 3 movements/,
  );
});

function adjusted(given: Partial<Operation>): Operation {
  return {
    client: 'a',
    invokedAtMs: 0,
    returnedAtMs: 1,
    action: { kind: 'adjust', delta: 2 },
    outcome: { result: 'done' },
    actor: 'a',
    ...given,
  };
}

/** The movements 1, 3 and 5 of pet 1, with the operations of its clients. */
function account(...operations: readonly Operation[]) {
  const history: History = {
    petId: 1n,
    initial: { quantity: 5, reserved: 0, status: 'available', version: 1 },
    operations,
  };
  const rows = ROWS.filter(({ petId }) => petId === 1n).toReversed();
  const { faults, histories } = accountFor(rows, [history], 2);
  const sequences = histories[0]!.operations.map(({ outcome }) =>
    'sequence' in outcome ? outcome.sequence : undefined,
  );
  return { faults: faults.join('\n'), sequences };
}

const third = adjusted({ idempotencyKey: 'k3' });
const fifth = adjusted({ action: { kind: 'set', quantity: 6 }, requestIds: ['lost', 'request 5'] });

test('each movement is found by key, by request id or by sequence, and its sequence is filled in', () => {
  const bySequence = adjusted({ outcome: { result: 'done', sequence: 3 } });
  assert.deepEqual(account(third, fifth), { faults: '', sequences: [3, 5] });
  assert.deepEqual(account(bySequence, fifth), { faults: '', sequences: [3, 5] });
});

test('an unknown operation without a trace is matched by its change, once, or had no effect', () => {
  const lost = adjusted({ outcome: { result: 'unknown' } });
  const other = adjusted({ action: { kind: 'adjust', delta: -4 }, outcome: { result: 'unknown' } });
  assert.deepEqual(account(other, lost, { ...lost }, fifth), { faults: '', sequences: [null, 3, null, 5] });
  const ofAnother = adjusted({ outcome: { result: 'unknown' }, actor: 'b' });
  assert.match(account(ofAnother, fifth).faults, /No operation requested movement 3/);
  const ofOtherKey = adjusted({ outcome: { result: 'unknown' }, idempotencyKey: 'k9' });
  assert.match(account(ofOtherKey, fifth).faults, /No operation requested movement 3/);
});

test('an unknown set that might be either of two movements leaves the other one to the operation that needs it', () => {
  const either = adjusted({ action: { kind: 'set', quantity: 7 }, outcome: { result: 'unknown' } });
  const adjustOnly = adjusted({ outcome: { result: 'unknown' }, invokedAtMs: 5 });
  assert.equal(account(either, adjustOnly, fifth).faults, '');
});

const UNSOUND: Readonly<Record<string, { operations: readonly Operation[]; fault: RegExp }>> = {
  'an acknowledged one that is missing': {
    operations: [third, fifth, adjusted({ idempotencyKey: 'k9' })],
    fault: /lost: .*adjust \+2/,
  },
  'a refused one that is there': {
    operations: [adjusted({ ...third, outcome: { result: 'refused', refusal: 'conflict' } }), fifth],
    fault: /records an unsuccessful operation.*movements 3/,
  },
  'a failed one that is there': {
    operations: [adjusted({ ...third, outcome: { result: 'failed' } }), fifth],
    fault: /records an unsuccessful operation.*movements 3/,
  },
  'one that is there twice': {
    operations: [adjusted({ idempotencyKey: 'k3', requestIds: ['request 5'] })],
    fault: /Not the requested change, once: .*movements 3, 5/,
  },
  'an unknown one that is there twice': {
    operations: [
      adjusted({ idempotencyKey: 'k3', requestIds: ['request 5'], outcome: { result: 'unknown' } }),
    ],
    fault: /Not the requested change, once: .*movements 3, 5/,
  },
  'one that did something else': {
    operations: [adjusted({ ...third, action: { kind: 'adjust', delta: 3 } }), fifth],
    fault: /Not the requested change, once: .*adjust \+3/,
  },
  'one whose answer names another movement': {
    operations: [adjusted({ ...third, outcome: { result: 'done', sequence: 4 } }), fifth],
    fault: /Not the requested change, once/,
  },
  'one of another actor': {
    operations: [adjusted({ ...third, actor: 'b' }), fifth],
    fault: /Movements 3 name another actor than b/,
  },
  'one of another request': {
    operations: [adjusted({ ...third, requestId: 'request 4' }), fifth],
    fault: /Movements 3 name another request than request 4/,
  },
  'a movement without an operation': { operations: [third], fault: /No operation requested movement 5/ },
};

for (const [title, { operations, fault }] of Object.entries(UNSOUND)) {
  test(`the account faults ${title}`, () => {
    assert.match(account(...operations).faults, fault);
  });
}
