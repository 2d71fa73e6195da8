import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ActivityEntry, Movement } from '../src/api/schemas.ts';
import { recordEdit } from '../src/components/dialogs/record-edit.ts';
import {
  changeOf,
  isEdit,
  isOfManyPets,
  loggedEdits,
  whyOf,
} from '../src/components/movements/movement-facts.ts';
import { en } from '../src/texts/en.ts';
import { createFormat } from '../src/texts/format.ts';

test('an edit of a record sends the changed members, and names members that another person changed', () => {
  const seen = { name: 'Shop', plan: ['pro'] };
  const edit = recordEdit(seen, { name: 'Shop', plan: ['free'] }, { name: 'Store', plan: ['pro'] });
  assert.deepEqual(edit, { changes: { plan: ['free'] }, overwritten: [] });
  const both = recordEdit(seen, { name: 'Shop', plan: ['free'] }, { name: 'Shop', plan: ['business'] });
  assert.deepEqual(both, { changes: { plan: ['free'] }, overwritten: ['plan'] });
  // Both want the same.
  assert.deepEqual(recordEdit(seen, { ...seen, name: 'S' }, { ...seen, name: 'S' }).overwritten, []);
});

test('a count that confirms is no edit, and a new pet no import', () => {
  const movement = {
    kind: 'set',
    reason: 'cycle_count',
    delta: 0,
    quantityBefore: 4,
    quantityAfter: 4,
    reservedBefore: 1,
    reservedAfter: 1,
    statusBefore: 'available',
    statusAfter: 'available',
  } as Movement;
  const shown = (changes: Partial<Movement>) => {
    const changed = { ...movement, ...changes };
    return [changeOf(changed, en, createFormat('en-GB', 'now')).change, whyOf(changed, en)];
  };
  assert.deepEqual(shown({}), ['Confirmed', 'Count']);
  assert.deepEqual(shown({ kind: 'import', reason: null, statusBefore: null }), ['Added', 'New pet']);
  assert.deepEqual(shown({ kind: 'import', reason: null }), ['Edited', 'Details of the pet']);
  assert.deepEqual(shown({ kind: 'import', reason: null, delta: 2 }), ['+2', 'Import']);
  const change = { kind: 'import', reason: null, referenceId: 'blk_4fQ2n8Zk1bXw0aLr' } as const;
  assert.deepEqual(shown({ ...change, statusAfter: 'sold' }), ['Available → Sold', 'Status']);
  assert.deepEqual(shown(change), ['Edited', 'Details of the pet']);
});

test('an edit leads to its line in the activity log, and one of many pets to that of its change', () => {
  const edit = {
    ...{ kind: 'import', reason: null, referenceId: null, delta: 0 },
    ...{ reservedBefore: 0, reservedAfter: 0, statusBefore: 'sold', statusAfter: 'sold' },
  } as Movement;
  const kinds = (changes: Partial<Movement>) => {
    const movement = { ...edit, ...changes };
    return [isEdit(movement), isOfManyPets(movement)];
  };
  assert.deepEqual(kinds({}), [true, false]);
  assert.deepEqual(kinds({ referenceId: 'blk_4fQ2n8Zk1bXw0aLr' }), [false, true]);
  const others: Partial<Movement>[] = [
    { referenceId: 'imp_4fQ2n8Zk1bXw0aLr' },
    { referenceId: 'blk_4fQ2n8Zk1bXw0aLr/..' },
    { statusBefore: null },
    { delta: 1 },
    { kind: 'set' },
    // A till may choose such a reference.
    { kind: 'adjust', referenceId: 'blk_4fQ2n8Zk1bXw0aLr' },
  ];
  for (const changes of others) assert.deepEqual(kinds(changes), [false, false], JSON.stringify(changes));
});

test('an edit has a line of the log if its pet has one of the same moment', () => {
  const at = '2026-11-30T10:00:00.000Z';
  const edits = [1, 2, 3].map((sequence) => ({
    sequence,
    petId: String(sequence),
    recordedAt: at,
  })) as Movement[];
  const entries = [
    { target: '1', recordedAt: at },
    { target: '2', recordedAt: '2026-11-30T10:00:00.001Z' },
    { target: null, recordedAt: at },
  ] as ActivityEntry[];
  assert.deepEqual([...loggedEdits(edits, entries)], [1]);
});
