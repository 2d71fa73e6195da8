import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_QUANTITY } from '@petstore-inventory/shared/limits';
import { Obstacles } from '../../src/store/stocktakes/obstacles.ts';
import { revertOrder } from '../../src/store/stocktakes/revert-order.ts';

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

/** Whether the reverts in this order keep the quantity within its limits. */
function keepsLimits(quantity: number, deltas: readonly number[]): boolean {
  let units = BigInt(quantity);
  return deltas.every((delta) => {
    units -= BigInt(delta);
    return units >= 0n && units <= BigInt(MOST);
  });
}

function hasOrder(quantity: number, deltas: readonly number[]): boolean {
  if (deltas.length === 0) return true;
  return deltas.some(
    (delta, i) => keepsLimits(quantity, [delta]) && hasOrder(quantity - delta, deltas.toSpliced(i, 1)),
  );
}

const ordered = (quantity: number, deltas: readonly number[]) =>
  revertOrder(
    quantity,
    deltas.map((delta, sequence) => ({ sequence, delta })),
  ).map(({ delta }) => delta);

function numbersFrom(start: number): (below: number) => number {
  let seed = start;
  return (below) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
}

test('reverts near 2^53 are refused only where no order of them has room', () => {
  // The first revert that has room leaves none for the others.
  const three = MOST - (MOST % 3);
  assert.ok(keepsLimits(0, ordered(0, [-1, -three, three])));
  assert.ok(keepsLimits(0, ordered(0, [-1, 1 - MOST, MOST - 1, -2])));

  // Only the trial of all orders finds these, in hundredths of the largest quantity.
  const hundredth = Math.floor(MOST / 100);
  for (const [quantity, ...deltas] of [
    [32, -100, 55, -51, 25, -2, 83, -24, 42],
    [25, 81, -39, -53, -39, 66, -67],
  ] as const) {
    const scaled = deltas.map((delta) => delta * hundredth);
    assert.ok(keepsLimits(quantity * hundredth, ordered(quantity * hundredth, scaled)));
  }
  const random = numbersFrom(1);
  let possible = 0;
  for (let round = 0; round < 3_000; round += 1) {
    // Quarters of the largest quantity, and a few units more or fewer, so that many orders have no room.
    const part = () => Math.floor(MOST / 4) * random(5) + random(3) - 1;
    const quantity = Math.min(MOST, Math.max(0, part()));
    const deltas = Array.from(
      { length: 2 + random(4) },
      () => (random(2) === 0 ? 1 : -1) * Math.min(MOST, part()),
    );
    const isPossible = hasOrder(quantity, deltas);
    if (isPossible) possible += 1;
    assert.equal(
      keepsLimits(quantity, ordered(quantity, deltas)),
      isPossible,
      `${quantity}: ${deltas.join()}`,
    );
  }
  assert.ok(possible > 500 && possible < 2_500, `${possible}`);
});

test('an order of many reverts near 2^53 is found where most of them move fewer units', () => {
  const random = numbersFrom(2);
  const hundredth = Math.floor(MOST / 100);
  // Found from the quantity after the undo back alone.
  const back = [-26, -19, 8, -21, -35, 36, -45, 10, 31, 24, 8, -92, 57, 27, 8, -100, 90].map(
    (delta) => delta * hundredth,
  );
  assert.ok(keepsLimits(33 * hundredth, ordered(33 * hundredth, back)));
  const part = () => Math.floor((MOST / 1_000) * random(1_001));
  for (let round = 0; round < 300; round += 1) {
    const quantity = part();
    const deltas: number[] = [];
    let units = quantity;
    // Each is a walk within the limits, so that one order has room; then the steps are mixed.
    for (let i = 0; i < 17 + random(300); i += 1) {
      const near = Math.min(MOST, Math.max(0, units + Math.floor((MOST / 5_000) * (random(1_001) - 500))));
      const next = random(10) < 6 ? part() : near;
      if (next !== units) deltas.push(units - next);
      units = next;
    }
    const mixed = deltas
      .map((delta) => ({ delta, place: random(1_000_000) }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ delta }) => delta);
    const found = ordered(quantity, mixed);
    assert.deepEqual(found.toSorted(), mixed.toSorted());
    assert.ok(keepsLimits(quantity, found), `round ${round}`);
  }
});
