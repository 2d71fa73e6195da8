import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MovementBlock } from '../../src/http/live/movement-events.ts';
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
