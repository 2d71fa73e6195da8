import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PET_STATUSES } from '@petstore-inventory/shared/words';
import fc from 'fast-check';
import {
  type Author,
  FIRST_HASH,
  type Movement,
  movementHash,
  UNEXPLAINED,
} from '../../src/domain/ledger/ledger.ts';
import type { LedgerTransaction } from '../../src/domain/ledger/ledger-transaction.ts';
import { type Change, type Stock, stockTag } from '../../src/domain/ledger/stock.ts';
import { OrderBook } from '../../src/domain/orders/order-book.ts';
import {
  type BatchCommand,
  execute,
  type FoundMovement,
  type WriteCommand,
} from '../../src/domain/write-command.ts';
import { decodeResult, encodeResult } from '../../src/store/idempotency/records.ts';
import { RULES, stockOf as stock, stockAfter, transactionOn, UNRESERVED } from './stock-fixtures.ts';

const AUTHOR: Author = { actor: 'key_1', actorName: 'till', requestId: 'request', atMs: 5_000 };
const END = { sequence: 10, recordedAtMs: 4_000, hash: 'ab'.repeat(32) };

function transaction(pets: Readonly<Record<string, Stock>>, rules = RULES): LedgerTransaction {
  const held = Object.entries(pets).map(([id, one]) => [BigInt(id), one] as const);
  return transactionOn(new Map(held), END, rules);
}

function run(ledger: LedgerTransaction, command: WriteCommand, found?: FoundMovement) {
  const movements = new Map(found && [[found.movement.sequence, found]]);
  return execute({ author: AUTHOR, command }, ledger, new OrderBook(ledger, new Map(), 0), movements);
}

function set(petId: bigint, quantity: number, more: Partial<Change> = {}): Change {
  return { kind: 'set', petId, quantity, ...more } as Change;
}

function adjust(petId: bigint, delta: number, more: Partial<Change> = {}): Change {
  return { kind: 'adjust', petId, delta, ...more } as Change;
}

function batchOf(changes: readonly Change[], more: Partial<BatchCommand> = {}): BatchCommand {
  return { kind: 'batch', changes, errorPolicy: 'reject_everything', isDryRun: false, ...more };
}

function batchIn(ledger: LedgerTransaction, command: BatchCommand) {
  const result = run(ledger, command);
  assert.equal(result.kind, 'batch');
  return result;
}

test('a movement continues the ledger and the pet, records its author and reason, and hashes its predecessor', () => {
  const ledger = transaction({ 7: stock(5) });
  const explanation = {
    reason: 'sold' as const,
    note: 'two at once',
    referenceDocumentUri: 'https://shop.example/receipts/9',
    referenceId: '9',
    occurredAtMs: 1_500,
  };
  const outcome = ledger.apply(adjust(7n, -2, { explanation }), AUTHOR);
  assert.equal(outcome.code, 'done');
  const [movement] = ledger.movements as [Movement];
  const { hash, ...fields } = movement;
  assert.deepEqual(fields, {
    ...explanation,
    ...UNRESERVED,
    sequence: 11,
    previousSequence: 8,
    petId: 7n,
    version: 4,
    kind: 'adjust',
    quantityBefore: 5,
    quantityAfter: 3,
    statusBefore: 'available',
    statusAfter: 'available',
    actor: 'key_1',
    actorName: 'till',
    requestId: 'request',
    recordedAtMs: 5_000,
    revertedSequence: null,
  });
  assert.equal(hash, movementHash(END.hash, fields));
  assert.deepEqual(
    [...ledger.changed()],
    [[7n, stock(3, { version: 4, lastSequence: 11, updatedAtMs: 5_000 })]],
  );
});

test('a movement is never recorded as earlier than the one before it', () => {
  const ledger = transaction({ 7: stock(5) });
  ledger.apply(set(7n, 6), { ...AUTHOR, atMs: 1 });
  assert.equal(ledger.movements[0]?.recordedAtMs, END.recordedAtMs);
});

test('a change to the current value succeeds and records nothing', () => {
  const ledger = transaction({ 7: stock(5) });
  assert.deepEqual(ledger.apply(set(7n, 5), AUTHOR), {
    code: 'done',
    before: stock(5),
    stock: stock(5),
    movement: undefined,
  });
  assert.deepEqual(ledger.movements, []);
  assert.deepEqual([...ledger.changed()], []);
});

test('a refused change reports its reason and changes nothing', () => {
  const refusals: [Change, string][] = [
    [adjust(7n, -6), 'insufficient_stock'],
    [adjust(7n, 996), 'too_much_stock'],
    [set(7n, 1_001), 'too_much_stock'],
    [set(7n, 6, { changeFromQuantity: 4 }), 'conflict'],
    [set(7n, 5, { changeFromQuantity: 4 }), 'conflict'],
    [set(7n, 6, { ifMatch: ['2-8-1jk'] }), 'precondition_failed'],
    [set(7n, 6, { ifMatch: [] }), 'precondition_failed'],
    [set(7n, 6, { ifNoneMatch: '*' }), 'precondition_failed'],
    [set(7n, 5, { ifNoneMatch: ['other', stockTag(stock(5))] }), 'precondition_failed'],
    [set(7n, 6, { ifMatch: '*', ifNoneMatch: '*', changeFromQuantity: 4 }), 'precondition_failed'],
  ];
  for (const [change, code] of refusals) {
    const ledger = transaction({ 7: stock(5) });
    assert.deepEqual(ledger.apply(change, AUTHOR), { code, stock: stock(5) });
    assert.deepEqual(ledger.movements, []);
  }
  assert.deepEqual(transaction({}).apply(set(7n, 5), AUTHOR), { code: 'not_found' });
});

test('one of several tags, or a star, is enough', () => {
  for (const ifMatch of ['*' as const, ['other', stockTag(stock(5))]]) {
    assert.equal(transaction({ 7: stock(5) }).apply(set(7n, 6, { ifMatch }), AUTHOR).code, 'done');
  }
});

test('If-None-Match tags other than the current one permit a change', () => {
  for (const ifNoneMatch of [[], ['other']]) {
    assert.equal(transaction({ 7: stock(5) }).apply(set(7n, 6, { ifNoneMatch }), AUTHOR).code, 'done');
  }
});

test('stock above a ceiling that was lowered can be taken from, and not added to', () => {
  const above = { 7: stock(2_000) };
  assert.equal(transaction(above).apply(adjust(7n, -1), AUTHOR).code, 'done');
  assert.equal(transaction(above).apply(adjust(7n, 1), AUTHOR).code, 'too_much_stock');
});

test('under sold-at-zero the status follows every kind of change of quantity, and back on a revert', () => {
  const ledger = transaction({ 7: stock(5) }, { ...RULES, statusPolicy: 'sold-at-zero' });
  ledger.apply(adjust(7n, -5), AUTHOR);
  assert.equal(ledger.stockOf(7n)?.status, 'sold');
  ledger.revert(ledger.movements[0] as Movement, AUTHOR, {});
  assert.deepEqual([ledger.stockOf(7n)?.quantity, ledger.stockOf(7n)?.status], [5, 'available']);
});

test('a revert undoes a movement after later ones, once, and not below zero', () => {
  const ledger = transaction({ 7: stock(5) });
  ledger.apply(adjust(7n, 10), AUTHOR);
  ledger.apply(set(7n, 12), AUTHOR);
  const [added] = ledger.movements as [Movement];
  const revert = { kind: 'revert' as const, sequence: added.sequence };
  const found = { movement: added, revertedBy: null, sale: undefined };
  const first = run(ledger, revert, found);
  assert.equal(first.code, 'done');
  assert.equal(ledger.stockOf(7n)?.quantity, 2);
  const second = run(ledger, revert, found);
  assert.deepEqual([second.code, second.kind === 'single' && second.revertedBy], ['already_reverted', 13]);

  const poor = transaction({ 7: stock(5) });
  poor.apply(adjust(7n, 10), AUTHOR);
  poor.apply(set(7n, 1), AUTHOR);
  const refused = run(poor, revert, {
    movement: poor.movements[0] as Movement,
    revertedBy: null,
    sale: undefined,
  });
  assert.equal(refused.code, 'insufficient_stock');
});

test('a revert keeps a status that was changed later', () => {
  const ledger = transaction({ 7: stock(5) });
  ledger.apply({ kind: 'status', petId: 7n, status: 'pending' }, AUTHOR);
  ledger.apply({ kind: 'status', petId: 7n, status: 'sold' }, AUTHOR);
  const outcome = ledger.revert(ledger.movements[0] as Movement, AUTHOR, {});
  assert.equal(outcome.code, 'nothing_to_revert');
});

test('a batch applies a pet that it names twice in order, with a check that runs along', () => {
  const ledger = transaction({ 7: stock(5), 8: stock(1) });
  const done = batchIn(ledger, batchOf([adjust(7n, -3), adjust(8n, 1), adjust(7n, -2)]));
  assert.equal(done.code, 'done');
  assert.deepEqual(
    done.rows.map(({ before, after, sequence }) => [before?.quantity, after?.quantity, sequence]),
    [
      [5, 2, 11],
      [1, 2, 12],
      [2, 0, 13],
    ],
  );
  const refused = batchIn(transaction({ 7: stock(5) }), batchOf([adjust(7n, -3), adjust(7n, -3)]));
  assert.deepEqual(
    [refused.code, refused.rows.map(({ code }) => code)],
    ['rejected', ['done', 'insufficient_stock']],
  );
});

test('a rejected batch leaves everything unchanged, also earlier writes of the commit', () => {
  const ledger = transaction({ 7: stock(5), 8: stock(1) });
  ledger.apply(set(7n, 6), AUTHOR);
  const [movements, stocks] = [[...ledger.movements], [...ledger.changed()]];
  batchIn(ledger, batchOf([set(7n, 9), set(8n, 3), adjust(8n, -9)]));
  assert.deepEqual(ledger.movements, movements);
  assert.deepEqual([...ledger.changed()], stocks);
  ledger.apply(set(8n, 2), AUTHOR);
  assert.equal(ledger.movements.at(-1)?.sequence, 12);
  assert.equal(
    ledger.movements.at(-1)?.hash,
    movementHash(movements[0]?.hash as string, ledger.movements[1] as Movement),
  );
});

test('a rejected batch sells nothing, and leaves earlier sales of the commit', () => {
  const ledger = transaction({ 7: stock(5), 8: stock(1) });
  const explanation = { ...UNEXPLAINED, reason: 'sold' as const };
  ledger.apply(adjust(7n, -1, { explanation }), AUTHOR);
  const [sale] = ledger.sales;
  assert.equal(sale?.units, 1);
  batchIn(ledger, batchOf([adjust(7n, -2, { explanation }), adjust(8n, -9)]));
  assert.deepEqual(ledger.sales, [sale]);
});

test('failed rows are left out if the batch allows it', () => {
  const ledger = transaction({ 7: stock(5) });
  const command = batchOf([adjust(7n, -9), adjust(7n, -1), set(9n, 1)], {
    errorPolicy: 'reject_failed_rows',
  });
  const { code, rows } = batchIn(ledger, command);
  assert.deepEqual(
    [code, rows.map((row) => row.code)],
    ['done', ['insufficient_stock', 'done', 'not_found']],
  );
  assert.equal(ledger.stockOf(7n)?.quantity, 4);
});

test('a plan is applied while its pets are unchanged, and not afterwards', () => {
  const changes = [adjust(7n, -1), set(8n, 4)];
  const pets = { 7: stock(5), 8: stock(1), 9: stock(1) };
  const ledger = transaction(pets);
  const dry = batchIn(ledger, batchOf(changes, { isDryRun: true }));
  assert.deepEqual(ledger.movements, []);
  assert.deepEqual(
    dry.rows.map(({ before, after, sequence }) => [before?.quantity, after?.quantity, sequence]),
    [
      [5, 4, null],
      [1, 4, null],
    ],
  );
  ledger.apply(set(9n, 2), AUTHOR);
  const planned = batchOf(changes, { planId: dry.planId });
  assert.equal(batchIn(ledger, planned).code, 'done');
  assert.equal(batchIn(ledger, planned).code, 'plan_changed');
  assert.equal(ledger.movements.length, 3);
  const other = batchOf([adjust(7n, -2), set(8n, 4)], { planId: dry.planId });
  assert.equal(batchIn(transaction(pets), other).code, 'plan_changed');
});

test('a result that is kept is the same when it is read again', () => {
  const ledger = transaction({ '9007199254740993': stock(5) });
  const pet = 9_007_199_254_740_993n;
  for (const command of [
    { kind: 'change' as const, change: adjust(pet, -1) },
    batchOf([adjust(pet, -1), adjust(1n, 1)], { errorPolicy: 'reject_failed_rows' }),
  ]) {
    const result = run(ledger, command);
    assert.deepEqual(decodeResult(encodeResult(result)), result);
  }
});

test('a batch of a thousand rows is kept in less than 40 KB, and is the same when it is read again', () => {
  const petId = (i: number) => 9_007_199_254_740_993n + BigInt(i);
  const pets = Array.from({ length: 1_000 }, (_, i) => [petId(i), stock(i % 90, { version: i })] as const);
  const ledger = transactionOn(new Map(pets), END);
  const changes = pets.map(([id], i) => adjust(id, (i % 7) - 3));
  const result = batchIn(ledger, batchOf(changes, { errorPolicy: 'reject_failed_rows' }));
  const text = encodeResult(result);
  assert.ok(text.length < 40_000, `${text.length} characters`);
  assert.deepEqual(decodeResult(text), result);
  assert.throws(() => decodeResult(text.slice(0, -100)), 'a truncated result is damaged');
});

test('a movement that was made earlier in the same commit can be reverted in it', () => {
  const ledger = transaction({ 7: stock(5) });
  const made = run(ledger, { kind: 'change', change: adjust(7n, 3) });
  assert.ok(made.kind === 'single' && made.movement);
  const revert = { kind: 'revert' as const, sequence: made.movement.sequence };
  const taken = run(ledger, revert);
  assert.ok(taken.kind === 'single');
  assert.deepEqual([taken.code, taken.petId, taken.stock?.quantity], ['done', 7n, 5]);
  assert.equal(taken.movement?.revertedSequence, made.movement.sequence);
  const again = run(ledger, revert);
  assert.deepEqual([again.code, again.kind === 'single' && again.revertedBy], ['already_reverted', 12]);
  const none = run(ledger, { ...revert, sequence: 13 });
  assert.equal(none.code, 'no_such_movement');
});

test('under sold-at-zero a revert after later changes leaves the status that its quantity requires', () => {
  const sold = stock(0, { status: 'sold' });
  const ledger = transaction({ 7: sold }, { ...RULES, statusPolicy: 'sold-at-zero' });
  ledger.apply(adjust(7n, 5), AUTHOR);
  ledger.apply(adjust(7n, 7), AUTHOR);
  assert.equal(ledger.revert(ledger.movements[0] as Movement, AUTHOR, {}).code, 'done');
  const { quantity, status } = ledger.stockOf(7n) as Stock;
  assert.deepEqual([quantity, status], [7, 'available']);
});

const petIds = fc.constantFrom(1n, 2n, 3n);
const changes: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), petId: petIds, quantity: fc.nat(20) }),
  fc.record({ kind: fc.constant('adjust' as const), petId: petIds, delta: fc.integer({ min: -9, max: 9 }) }),
  fc.record({
    kind: fc.constant('status' as const),
    petId: petIds,
    status: fc.constantFrom(...PET_STATUSES),
  }),
);
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ change: changes }) },
    { weight: 1, arbitrary: fc.record({ revert: fc.nat(30) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        batch: fc.array(changes, { minLength: 1, maxLength: 5 }),
        isDryRun: fc.boolean(),
      }),
    },
  ),
  { maxLength: 40 },
);

test('for any changes, deltas add up to the stock, nothing is negative, and every movement continues its pet', () => {
  fc.assert(
    fc.property(steps, (requested) => {
      const start = { 1: stock(0), 2: stock(3), 3: stock(9) };
      const ledger = transaction(start);
      for (const step of requested) {
        if ('change' in step) ledger.apply(step.change, AUTHOR);
        else if ('batch' in step) batchIn(ledger, batchOf(step.batch, { isDryRun: step.isDryRun }));
        else {
          const movement = ledger.movements[step.revert];
          const command = { kind: 'revert' as const, sequence: movement?.sequence ?? 0 };
          run(ledger, command, movement && { movement, revertedBy: null, sale: undefined });
        }
      }
      const held = new Map<bigint, Stock>(Object.entries(start).map(([id, one]) => [BigInt(id), one]));
      let hash = END.hash;
      for (const [i, movement] of ledger.movements.entries()) {
        const before = held.get(movement.petId) as Stock;
        assert.equal(movement.sequence, END.sequence + 1 + i);
        assert.deepEqual(
          [movement.quantityBefore, movement.statusBefore, movement.version, movement.previousSequence],
          [before.quantity, before.status, before.version + 1, before.lastSequence],
        );
        assert.ok(movement.quantityAfter >= 0);
        hash = movementHash(hash, movement);
        assert.equal(movement.hash, hash);
        held.set(movement.petId, stockAfter(movement));
      }
      for (const [petId, after] of held) assert.deepEqual(ledger.stockOf(petId), after);
      const reverted = ledger.movements.flatMap(({ revertedSequence }) => revertedSequence ?? []);
      assert.equal(new Set(reverted).size, reverted.length, 'no movement is reverted twice');
    }),
    { numRuns: 300 },
  );
});

test('to revert everything, newest first, leads back to where it began', () => {
  fc.assert(
    fc.property(fc.array(changes, { maxLength: 30 }), (requested) => {
      const ledger = transaction({ 1: stock(0), 2: stock(3), 3: stock(9) });
      for (const change of requested) ledger.apply(change, AUTHOR);
      for (const movement of [...ledger.movements].reverse()) {
        assert.equal(ledger.revert(movement, AUTHOR, {}).code, 'done');
      }
      assert.deepEqual(
        [1n, 2n, 3n].map((petId) => [ledger.stockOf(petId)?.quantity, ledger.stockOf(petId)?.status]),
        [0, 3, 9].map((quantity) => [quantity, 'available']),
      );
    }),
    { numRuns: 200 },
  );
});

test('the hash is SHA-256 over a JSON array with documented fields', () => {
  const movement = {
    sequence: 1,
    previousSequence: null,
    petId: 9_007_199_254_740_993n,
    version: 1,
    kind: 'import' as const,
    quantityBefore: 0,
    quantityAfter: 12,
    statusBefore: null,
    statusAfter: 'available' as const,
    reservedBefore: 2,
    reservedAfter: 3,
    alertBefore: 'out' as const,
    alertAfter: 'low' as const,
    orderId: 41,
    reason: 'received' as const,
    note: 'Kiste "3" \u0007 ä',
    referenceDocumentUri: 'https://shop.example/r/1',
    referenceId: 'r-1',
    occurredAtMs: 1_795_230_000_000,
    actor: 'key_4fQ2n8Zk1bXw0aLr',
    requestId: 'mxmjw-up-2s',
    recordedAtMs: 1_795_230_060_000,
    revertedSequence: null,
  };
  // By another program: sha256 of the text, whose strings are escaped as RFC 8259 section 7 has it.
  assert.equal(
    movementHash(FIRST_HASH, movement),
    '5e1e709d087a48a6dd0b09959d6f999337db4cd4f5c0bc62f9eb2bdaf939d8fb',
  );
});

test('a rejected batch leaves no revert behind for a write of the same commit', () => {
  const ledger = transaction({ 7: stock(5) });
  ledger.apply(adjust(7n, 3), AUTHOR);
  const revert = { kind: 'revert', petId: 7n, sequence: ledger.sequence } as const;
  const batch = batchOf([]);
  const codesOf = (changes: BatchCommand['changes']) =>
    batchIn(ledger, { ...batch, changes }).rows.map(({ code }) => code);
  assert.deepEqual(codesOf([revert, revert]), ['done', 'already_reverted']);
  assert.equal(ledger.stockOf(7n)?.quantity, 8);
  assert.deepEqual(codesOf([revert]), ['done']);
  assert.equal(ledger.stockOf(7n)?.quantity, 5);
});
