import type { SeededRandom } from '../../support/limit-clients.ts';
import type { RaceRecord } from '../race-record.ts';
import type { CheckedRequest } from '../requests.ts';
import {
  type OrderSighting,
  type RequestedUnits,
  requestKnownOrder,
  requestOrder,
  requestStep,
} from './order-requests.ts';

const MAX_LINES = 3;
const MAX_UNITS = 4;
/** Some orders expire during a race. */
const EXPIRING_SHARE = 0.4;
const MAX_HOLD_MS = 900;

/** A look at an order that any client saw, if there is one. */
export function lookAtOrder(random: SeededRandom, { orders }: RaceRecord): CheckedRequest | undefined {
  const seen = orders.length > 0 ? random.pick(orders) : undefined;
  return seen && requestKnownOrder(seen, random.chance(0.5));
}

/** A new order, or a step of one that any client saw; some steps are not possible. */
export function orderMove(random: SeededRandom, record: RaceRecord, mark: string): CheckedRequest {
  const seen = record.orders.length > 0 && random.chance(0.7) ? random.pick(record.orders) : undefined;
  return seen ? stepOf(random, seen, mark) : newOrder(random, record.petIds, mark);
}

function newOrder(random: SeededRandom, petIds: readonly bigint[], mark: string): CheckedRequest {
  const chosen = new Set(Array.from({ length: random.integer(1, MAX_LINES) }, () => random.pick(petIds)));
  const lines = [...chosen].map((petId) => ({ petId, quantity: random.integer(1, MAX_UNITS) }));
  const isExpiring = random.chance(EXPIRING_SHARE);
  const expiresAt = isExpiring ? new Date(Date.now() + random.integer(20, MAX_HOLD_MS)).toISOString() : null;
  return requestOrder(lines, mark, random.chance(0.2) ? undefined : expiresAt);
}

function stepOf(random: SeededRandom, seen: OrderSighting, mark: string): CheckedRequest {
  const step = likelyStep(random, seen);
  const isConditional = random.chance(0.15);
  if (step === 'approve' || step === 'cancel') return requestStep(step, seen, mark, { isConditional });
  const lines = someUnits(random, seen, step);
  return requestStep(step, seen, mark, { lines, isConditional });
}

/** Mostly a step that is possible as far as the client knows. */
function likelyStep(random: SeededRandom, { order }: OrderSighting) {
  if (random.chance(0.15)) return random.pick(['approve', 'deliver', 'cancel', 'return'] as const);
  switch (order.status) {
    case 'placed':
      return random.chance(0.75) ? 'approve' : 'cancel';
    case 'approved':
      return random.pick(['deliver', 'deliver', 'deliver', 'cancel', 'return'] as const);
    default:
      return 'return';
  }
}

/** Some units of some lines, now and then more than are left. */
function someUnits(
  random: SeededRandom,
  { order }: OrderSighting,
  step: 'deliver' | 'return',
): readonly RequestedUnits[] {
  const units = order.lines.map(({ petId, quantity, delivered, returned }) => {
    const left = step === 'deliver' ? quantity - delivered : delivered - returned;
    const isAll = random.chance(0.5);
    return { petId, quantity: isAll ? left : random.integer(random.chance(0.9) ? 0 : left, left) };
  });
  const some = units.filter(({ quantity }) => quantity > 0);
  return some.length > 0 ? some : order.lines.slice(0, 1).map(({ petId }) => ({ petId, quantity: 1 }));
}
