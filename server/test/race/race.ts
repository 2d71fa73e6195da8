import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from '../blackbox/api-request.ts';
import { SeededRandom } from '../support/limit-clients.ts';
import { Progress } from '../support/progress.ts';
import { parsePetIds } from './checker/movement-pages.ts';
import { examine } from './examination.ts';
import type { OrderJson } from './orders/order-operation.ts';
import { readOrders } from './orders/read-orders.ts';
import { Moves } from './race-moves.ts';
import { RaceRecord } from './race-record.ts';
import { type RaceKey, Racer } from './racer.ts';
import type { ItemJson } from './requests.ts';

const READY_TIMEOUT_MS = 30_000;
const POLL_INTERVAL_MS = 50;

/** Pet ids, some of which are not exact as doubles. */
export const HOT_PETS = [1n, 2n, 2n ** 53n + 1n, -7n].map((petId) => ({ petId, quantity: 15 }));

export interface RaceOptions {
  readonly seed: number;
  readonly clients: number;
  /** Moves of all clients together; one with a dry run counts as one. */
  readonly moves: number;
  readonly keys: readonly RaceKey[];
  readonly ports: () => readonly number[];
  readonly petIds?: readonly bigint[];
  /** The faults, spread over the race; the last one is over before the race ends. */
  readonly faults?: readonly (() => Promise<void>)[];
}

export interface RaceResult {
  /** One sentence each; none where everything is as it must be. */
  readonly faults: readonly string[];
  readonly counts: ReadonlyMap<string, number>;
  readonly movements: number;
}

/** Runs a race of clients for a few pets during faults, and then examines everything that they saw. */
export async function race(options: RaceOptions): Promise<RaceResult> {
  const { seed, clients, keys, ports, petIds = HOT_PETS.map(({ petId }) => petId) } = options;
  const service = () => ({ port: ports()[0]!, key: keys[0]!.key });
  const { items, sequence, newestOrderId } = await standing(service(), petIds);
  const record = new RaceRecord(items);
  const racers = Array.from({ length: clients }, (_, index) => {
    const name = `s${seed}-${sequence}-c${index + 1}`;
    const random = new SeededRandom(seed * 1_000 + index);
    const racer = new Racer({ name, random, key: keys[index % keys.length]!, record, ports });
    return { racer, moves: new Moves(racer, record, name) };
  });
  await runAll(racers, options);
  for (const { racer } of racers) racer.close();
  await Promise.all(ports().map(untilReady));
  await untilExpired(service());
  const since = { sinceSequence: sequence, sinceOrderId: newestOrderId };
  return examine({ record, service: service(), ...since, random: new SeededRandom(seed) });
}

/** The stock of the pets and the head of the ledger before a race. */
async function standing(service: { port: number; key: string }, petIds: readonly bigint[]) {
  await untilExpired(service);
  const list = await request(service, { path: '/v1/inventory', key: service.key });
  assert.equal(list.status, 200, String(list.body));
  const [newest] = await readOrders(service, '?limit=1');
  const items = await Promise.all(
    petIds.map(async (petId) => {
      const { body } = await request(service, { path: `/v1/inventory/${petId}`, key: service.key });
      return parsePetIds(String(body)) as ItemJson;
    }),
  );
  const sequence = Number(list.headers.get('inventory-sequence'));
  return { items, sequence, newestOrderId: newest?.orderId ?? 0 };
}

/** Resolves when the service has expired the orders that expire during a race, also those of a race before. */
async function untilExpired(service: { port: number; key: string }): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  const isDue = ({ expiresAt }: OrderJson) =>
    expiresAt !== null && Date.parse(expiresAt) < Date.now() + READY_TIMEOUT_MS;
  while ((await readOrders(service, '?status=placed&limit=100')).some(isDue)) {
    assert.ok(performance.now() < deadline, 'orders expire in time');
    await delay(POLL_INTERVAL_MS);
  }
}

/** Starts each fault after its share of the moves, and after the previous fault is over. */
async function runAll(
  racers: readonly { racer: Racer; moves: Moves }[],
  { moves: total, faults = [] }: RaceOptions,
): Promise<void> {
  let made = 0;
  const progress = new Progress('moves', total);
  const pending = [...faults];
  let isInTrouble = false;
  let failure: unknown;
  const befall = () => {
    const due = (total * (faults.length - pending.length + 1)) / (faults.length + 1);
    if (isInTrouble || made < due) return;
    isInTrouble = true;
    const fault = pending.shift() ?? (() => Promise.resolve());
    fault()
      .catch((error: unknown) => {
        failure ??= error;
      })
      .finally(() => {
        isInTrouble = false;
      });
  };
  const work = racers.map(async ({ moves }) => {
    while (made < total || pending.length > 0 || isInTrouble) {
      made += 1;
      befall();
      await moves.next();
      progress.step();
    }
  });
  await Promise.all(work);
  if (failure !== undefined) throw failure;
}

/** Resolves as soon as an instance reports that it is ready. */
async function untilReady(port: number): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while ((await request({ port }, { path: '/readyz' })).status !== 200) {
    assert.ok(performance.now() < deadline, `port ${port} is ready again`);
    await delay(POLL_INTERVAL_MS);
  }
}
