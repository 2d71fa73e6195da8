import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type OrderJson, orderOf, ordersOf, placeOrder } from '../../store/durability/order-requests.ts';
import { SeededRandom } from '../../support/limit-clients.ts';
import { until } from '../../support/until.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';

const CLIENTS = 4;
const ROUNDS = 20;

/** Orders units of its own pet. After a broken connection it sends the same order again, to an instance that serves. */
class Customer {
  readonly petId: number;
  readonly acknowledged = new Map<string, OrderJson>();
  repeated = 0;

  constructor(petId: number) {
    this.petId = petId;
  }

  async orderUntil(cluster: Cluster, hasEnded: () => boolean): Promise<void> {
    for (let number = 1; !hasEnded(); number += 1) {
      const reference = `${this.petId}-${number}`;
      for (;;) {
        const sending = placeOrder(cluster, this.petId, 1, reference, { 'Idempotency-Key': reference });
        const response = await sending.catch(() => undefined);
        if (response?.status === 201) {
          this.acknowledged.set(reference, orderOf(response));
          break;
        }
        assert.equal(response?.status ?? 503, 503, String(response?.body));
        this.repeated += 1;
        await delay(20);
      }
    }
  }
}

test('orders through two instances that are killed in turn are placed exactly once', async (t) => {
  const seed = Date.now() % 1_000_000;
  const random = new SeededRandom(seed);
  const customers = Array.from({ length: CLIENTS }, (_, i) => new Customer(i + 1));
  const pets = customers.map(({ petId }) => ({ petId: BigInt(petId), quantity: 1_000_000 }));
  const cluster = await startCluster(t, { instances: 2, pets });
  const placed = () => customers.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0);
  let hasEnded = false;
  const working = Promise.all(customers.map((one) => one.orderUntil(cluster, () => hasEnded)));
  for (let round = 1; round <= ROUNDS; round += 1) {
    const before = placed();
    await Promise.race([until(() => placed() > before + CLIENTS, `orders of round ${round}`), working]);
    await delay(random.integer(0, 300));
    const index = round % 2;
    await cluster.instances[index]?.kill9();
    const atKill = placed();
    await Promise.race([until(() => placed() > atKill, 'the other one serves'), working]);
    await cluster.restart(index);
  }
  hasEnded = true;
  await working;
  const orders = await ordersOf(cluster);
  const stored = new Map(orders.map((order) => [order.referenceId, order]));
  assert.equal(stored.size, orders.length, 'no order is there twice');
  assert.equal(orders.length, placed(), `seed ${seed}`);
  for (const { acknowledged } of customers) {
    for (const [reference, { orderId }] of acknowledged) {
      assert.equal(stored.get(reference)?.orderId, orderId, reference);
    }
  }
  assert.deepEqual((await cluster.cli('verify')).faults, []);
  const repeated = customers.reduce((sum, one) => sum + one.repeated, 0);
  t.diagnostic(`seed ${seed}: ${ROUNDS} kills, ${placed()} orders, ${repeated} requests sent again`);
  assert.ok(repeated > 0);
  assert.equal(await cluster.stop(), 0);
});
