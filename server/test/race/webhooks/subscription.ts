import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from '../../blackbox/api-request.ts';
import type { SeededRandom } from '../../support/limit-clients.ts';
import { readLedger } from '../checker/movement-pages.ts';
import { readOrders } from '../orders/read-orders.ts';
import type { Stage } from '../stage.ts';
import { assertDelivered, missingMessages, type ShopHistory } from './delivery-check.ts';
import { Receiver } from './receiver.ts';

/** Without a new message: more than a lease of a killed sender and the back-off of a receiver that has failed. */
const PATIENCE_MS = 60_000;
const POLL_INTERVAL_MS = 250;

/** An endpoint that receives all events of a stage while its service is raced. */
export class Subscription {
  readonly #stage: Stage;
  readonly #receiver: Receiver;
  readonly #after: number;

  static async start(
    t: TestContext,
    stage: Stage,
    random: SeededRandom,
    failures: number,
  ): Promise<Subscription> {
    const receiver = await Receiver.start(t, { random, failures });
    const after = (await readLedger(serviceOf(stage))).at(-1)?.sequence ?? 0;
    const { key, port } = serviceOf(stage);
    const { status, body } = await request(
      { port },
      {
        method: 'POST',
        path: '/v1/webhook-endpoints',
        key,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ url: receiver.url }),
      },
    );
    assert.equal(status, 201, String(body));
    receiver.trust((JSON.parse(String(body)) as { secret: string }).secret);
    return new Subscription(stage, receiver, after);
  }

  private constructor(stage: Stage, receiver: Receiver, after: number) {
    this.#stage = stage;
    this.#receiver = receiver;
    this.#after = after;
  }

  /** Waits for the last event, and asserts that every event was delivered, in order. Returns the counts. */
  async assertComplete(): Promise<{ readonly events: number; readonly deliveries: number }> {
    const { received, faults } = this.#receiver;
    const history = await this.#history();
    let [missing, waitedMs] = [missingMessages(received, history), 0];
    while (missing > 0 && waitedMs < PATIENCE_MS) {
      await delay(POLL_INTERVAL_MS);
      const left = missingMessages(received, history);
      waitedMs = left < missing ? 0 : waitedMs + POLL_INTERVAL_MS;
      missing = left;
    }
    assert.deepEqual(faults, []);
    assertDelivered(received, history);
    return { events: new Set(received.map(({ id }) => id)).size, deliveries: received.length };
  }

  async #history(): Promise<ShopHistory> {
    const service = serviceOf(this.#stage);
    return {
      after: this.#after,
      movements: await readLedger(service),
      orders: await readOrders(service),
    };
  }
}

function serviceOf(stage: Stage): { readonly port: number; readonly key: string } {
  const [port] = stage.ports();
  const [racer] = stage.keys;
  assert.ok(port !== undefined && racer);
  return { port, key: racer.key };
}
