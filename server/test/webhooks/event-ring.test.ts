import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventRing, type RingEntry } from '../../src/webhooks/queues/event-ring.ts';

const MEBIBYTE = 1_024 * 1_024;

/** An event of one movement. */
function entryOf(sequence: number, characters = 2): RingEntry {
  const position = { sequence, number: 0 };
  const body = 'x'.repeat(characters);
  return { message: { position, body } } as unknown as RingEntry;
}

const sequencesOf = (ring: EventRing, after: number) =>
  Array.from(ring.after({ sequence: after, number: 0 }), ({ message }) => message.position.sequence);

test('a ring that is full names the last event that it has dropped, and has all after it', () => {
  const ring = new EventRing({ sequence: 10, number: 1 }, 8);
  for (let sequence = 11; sequence <= 18; sequence += 1) ring.add(entryOf(sequence));
  assert.deepEqual(ring.from, { sequence: 10, number: 1 });
  ring.add(entryOf(19));
  assert.deepEqual(ring.from, { sequence: 13, number: 0 });
  assert.deepEqual(sequencesOf(ring, 13), [14, 15, 16, 17, 18, 19]);
  assert.deepEqual(sequencesOf(ring, 17), [18, 19]);
});

test('a ring of large events drops some at 8 MiB, and then takes as many again', () => {
  const ring = new EventRing({ sequence: 0, number: 0 }, 1_000);
  for (let sequence = 1; sequence <= 8; sequence += 1) ring.add(entryOf(sequence, MEBIBYTE));
  assert.equal(ring.from.sequence, 0);
  ring.add(entryOf(9, MEBIBYTE));
  assert.deepEqual([ring.from.sequence, sequencesOf(ring, 0)], [3, [4, 5, 6, 7, 8, 9]]);
  for (let sequence = 10; sequence <= 11; sequence += 1) ring.add(entryOf(sequence, MEBIBYTE));
  assert.equal(ring.from.sequence, 3);
});
