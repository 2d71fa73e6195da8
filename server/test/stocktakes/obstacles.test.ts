import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_QUANTITY } from '@petstore-inventory/shared/limits';
import { Obstacles } from '../../src/store/stocktakes/obstacles.ts';
import { revertOrder } from '../../src/store/stocktakes/stocktake-lines.ts';

const MOST = MAX_QUANTITY;

test('a refusal near 2^53 names the exact result, and why it is refused', () => {
  const cases: readonly [number, number[], string][] = [
    [MOST, [MOST, MOST], `result=${3n * BigInt(MOST)}`],
    [MOST, [MOST, MOST], `would have ${3n * BigInt(MOST)}, more than ${MOST}.`],
    [0, [-MOST, -MOST, 1], `would have ${1n - 2n * BigInt(MOST)}.`],
    [
      5,
      [MOST, -6],
      `would have ${MOST - 1}, but no order of the changes keeps a quantity within its limits.`,
    ],
  ];
  for (const [quantity, changes, text] of cases) {
    const obstacles = new Obstacles(MOST);
    obstacles.add(1n, quantity, changes);
    assert.throws(
      () => obstacles.refuse('undone'),
      ({ message, headers }: Error & { headers: Record<string, string> }) =>
        `${message} ${headers['Inventory-Pets']}`.includes(text),
      text,
    );
  }
});

test('reverts near 2^53 are ordered so that each has room', () => {
  const orderOf = (quantity: number, ...deltas: readonly number[]) =>
    revertOrder(
      quantity,
      deltas.map((delta, sequence) => ({ sequence, delta })),
    ).map(({ sequence }) => sequence);
  assert.deepEqual(orderOf(MOST, -1, 1), [1, 0]);
  assert.deepEqual(orderOf(MOST - 1, -2, 3), [1, 0]);
  assert.deepEqual(orderOf(MOST, -MOST, 1, MOST - 1), [2, 1, 0]);
  assert.deepEqual(orderOf(0, -MOST, MOST), [0, 1]);
  assert.deepEqual(orderOf(MOST, -1, -1), [0, 1], 'the writes refuse what has no room');
});
