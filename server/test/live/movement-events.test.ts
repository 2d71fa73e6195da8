import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MovementBlock } from '../../src/http/live/movement-events.ts';
import { MovementRing } from '../../src/http/live/movement-ring.ts';
import { MemoryLedger } from './memory-ledger.ts';

test('the events of a block are in memory of their own, without the buffer that Node shares between small ones', async () => {
  const source = new MemoryLedger();
  source.append(3);
  const head = await source.ledger.head();
  const { movements } = await source.ledger.listMovements({
    filter: { after: 0 },
    order: 'asc',
    limit: 3,
    head,
  });
  const block = new MovementBlock(movements);
  assert.equal(block.eventsAfter(0).buffer.byteLength, block.byteLength);
  assert.equal(block.eventCount, 3);
  const text = Buffer.from(block.eventsAfter(1)).toString();
  assert.deepEqual(
    [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => id),
    ['2', '3'],
  );
});

test('a ring keeps the newest blocks within its bytes and its events', async () => {
  const source = new MemoryLedger();
  source.append(10);
  const { movements } = await source.ledger.listMovements({
    filter: { after: 0 },
    order: 'asc',
    limit: 10,
    head: source.headNow(),
  });
  const blocks = [0, 2, 4, 6, 8].map((after) => new MovementBlock(movements.slice(after, after + 2)));
  const [first, second, third] = blocks.map(({ byteLength }) => byteLength) as [number, number, number];
  const many = Number.POSITIVE_INFINITY;
  for (const ring of [new MovementRing(first + second + third - 1, many), new MovementRing(many, 5)]) {
    for (const block of blocks.slice(0, 3)) ring.push(block);
    assert.deepEqual([ring.start, ring.end], [2, 6]);
    assert.equal(ring.find(1), undefined);
    assert.equal(ring.find(2), blocks[1]);
    assert.equal(ring.find(5), blocks[2]);
  }
});
