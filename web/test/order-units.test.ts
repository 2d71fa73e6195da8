import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ManagedPet, Order, OrderLine } from '../src/api/schemas.ts';
import { possibleSteps, shortLines } from '../src/pages/orders/order-units.ts';

const line = (reserved: number, delivered: number, returned = 0) =>
  ({ petId: '1', quantity: reserved + delivered, reserved, delivered, returned }) as OrderLine;
const stepsOf = (status: Order['status'], ...lines: readonly OrderLine[]) =>
  possibleSteps({ status, lines } as Order);

test('an order offers the steps that its status allows, and a return while delivered units are left', () => {
  assert.deepEqual(stepsOf('placed', line(2, 0)), ['approve', 'cancel']);
  assert.deepEqual(stepsOf('approved', line(2, 0)), ['deliver', 'cancel']);
  assert.deepEqual(stepsOf('approved', line(1, 1), line(2, 0)), ['deliver', 'return', 'cancel']);
  assert.deepEqual(stepsOf('delivered', line(0, 2, 1)), ['return']);
  assert.deepEqual(stepsOf('delivered', line(0, 2, 2)), []);
  assert.deepEqual(stepsOf('cancelled', line(0, 1)), ['return']);
  assert.deepEqual(stepsOf('cancelled', line(0, 0)), []);
  assert.deepEqual(stepsOf('expired', line(0, 0)), []);
});

test('lines are short whose pets have fewer units, or are not there any more', () => {
  const pets = new Map([
    ['1', { quantity: 3, available: 1 } as ManagedPet],
    ['2', { quantity: 3, available: 3 } as ManagedPet],
  ]);
  const lines = [
    { petId: '1', quantity: 2 },
    { petId: '2', quantity: 3 },
    { petId: '3', quantity: 1 },
    { petId: '4' },
  ];
  const short = shortLines(lines, pets, ({ available }) => available);
  assert.deepEqual(short, [
    { petId: '1', wanted: 2, there: 1 },
    { petId: '3', wanted: 1, there: 0 },
  ]);
});
