import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawResponse } from '../../blackbox/raw-socket.ts';
import type { Service } from '../../blackbox/service.ts';
import { killRounds, ROUNDS } from './kill-rounds.ts';
import { type OrderJson, orderOf, ordersOf, placeOrder, stepOrder } from './order-requests.ts';

const CLIENTS = 6;
const STEPS = ['approve', 'deliver', 'return'] as const;

/** Orders units of its own pet, and takes the order through its steps, until the connection breaks. */
class Customer {
  readonly petId: number;
  /** The newest acknowledged state of each order, by its reference. */
  readonly acknowledged = new Map<string, OrderJson>();
  sent = 0;

  constructor(petId: number) {
    this.petId = petId;
  }

  async orderUntilCut(service: Service): Promise<void> {
    for (;;) {
      this.sent += 1;
      const reference = `${this.petId}-${this.sent}`;
      const placed = await this.#acknowledge(reference, placeOrder(service, this.petId, 2, reference));
      if (!placed) return;
      for (const step of STEPS.slice(0, this.sent % 4)) {
        if (!(await this.#acknowledge(reference, stepOrder(service, placed.orderId, step)))) return;
      }
    }
  }

  async #acknowledge(reference: string, sending: Promise<RawResponse>): Promise<OrderJson | undefined> {
    const response = await sending.catch(() => undefined);
    if (!response) return undefined;
    assert.ok(response.status < 300, response.body.toString());
    const order = orderOf(response);
    this.acknowledged.set(reference, order);
    return order;
  }
}

test('no acknowledged order or step is lost to a kill, none is doubled, and the rest is gapless', async (t) => {
  const customers = Array.from({ length: CLIENTS }, (_, i) => new Customer(i + 1));
  const placed = () => customers.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0);
  const service = await killRounds(t, {
    pets: customers.map(({ petId }) => ({ petId: BigInt(petId), quantity: 1_000_000 })),
    done: placed,
    work: (serving) => Promise.all(customers.map((customer) => customer.orderUntilCut(serving))),
    check: async (serving, round) => assertOrders(customers, await ordersOf(serving), round),
  });
  t.diagnostic(`${placed()} orders`);
  assert.ok(placed() > ROUNDS * CLIENTS);
  assert.equal(await service.stop(), 0);
});

function assertOrders(customers: readonly Customer[], orders: readonly OrderJson[], round: number): void {
  assert.deepEqual(
    orders.map(({ orderId }) => orderId),
    orders.map((_, i) => i + 1),
  );
  const stored = new Map(orders.map((order) => [order.referenceId, order]));
  assert.equal(stored.size, orders.length, 'no order is there twice');
  let unconfirmed = 0;
  for (const { petId, acknowledged, sent } of customers) {
    for (const [reference, order] of acknowledged) {
      const found = stored.get(reference);
      assert.ok(found && found.orderId === order.orderId, `order ${reference} is lost`);
      assert.ok(found.version >= order.version, `a step of order ${reference} is lost`);
      unconfirmed += found.version - order.version;
    }
    const own = orders.filter(({ referenceId }) => referenceId?.startsWith(`${petId}-`));
    assert.ok(own.length <= sent && own.length - acknowledged.size <= round);
  }
  // Each client had one request under way at each kill.
  assert.ok(unconfirmed <= CLIENTS * round, `${unconfirmed} steps were not answered`);
}
