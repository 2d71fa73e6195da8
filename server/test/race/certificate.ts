import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { SeededRandom } from '../support/limit-clients.ts';
import { changesOf, onceForEachKey, ordersOf } from './duplicates.ts';
import { expireTogether } from './orders/expire-together.ts';
import { orderLastUnits } from './orders/last-units.ts';
import { HOT_PETS, race } from './race.ts';
import { sameTagOnce } from './same-tag.ts';
import { KILL, type Stage } from './stage.ts';
import { Subscription } from './webhooks/subscription.ts';

export interface Sizes {
  /** Consecutive races on one ledger, each with its own seed. */
  readonly races: number;
  readonly clients: number;
  /** Moves of all clients of a race together. */
  readonly moves: number;
  /** The names of the faults injected in each race. */
  readonly faults: (stage: Stage, random: SeededRandom) => readonly string[];
  /** Writers that name one tag at the same time, and for how many versions. */
  readonly writers: number;
  readonly versions: number;
  /** Concurrent orders of one unit of a pet with fewer. */
  readonly orders: number;
  /** Orders that expire in the same moment, and how long they are held from the first placement on. */
  readonly expiring: number;
  readonly holdMs: number;
  /** The number of idempotency keys, requests per key, and kills during the run. */
  readonly keys: number;
  readonly duplicates: number;
  readonly kills: number;
  /** Deliveries of webhooks that their receiver fails. */
  readonly failures: number;
}

const LAST_UNITS = { petId: 7n, quantity: 100 };
const EXPIRING = { petId: 8n, quantity: 10_000 };

export const STAGE_OPTIONS = {
  pets: [...HOT_PETS, { petId: 5n, quantity: 1_000 }, { petId: 6n, quantity: 1_000 }, LAST_UNITS, EXPIRING],
  keys: 3,
};
/** Of pets that no race changes. */
const WRITTEN_PETS = [5n, 6n];

/**
 * Asserts the guarantees for concurrent clients: no write is lost or applied twice, all clients see one order, and the
 * ledger explains every response, while processes fail.
 */
export async function certify(t: TestContext, stage: Stage, sizes: Sizes, firstSeed: number): Promise<void> {
  const { clients, writers, versions, orders, keys, duplicates } = sizes;
  const random = new SeededRandom(firstSeed);
  const subscription = await Subscription.start(t, stage, random, sizes.failures);
  for (let seed = firstSeed; seed < firstSeed + sizes.races; seed += 1) {
    await t.test(`what ${clients} clients see, and the ledger, is one true order (seed ${seed})`, (each) =>
      raceOnce(each, stage, sizes, seed),
    );
  }
  await t.test(`of ${writers} concurrent writes with one If-Match, exactly one per version succeeds`, () =>
    sameTagOnce(stage, { writers, versions, petId: WRITTEN_PETS[0]! }),
  );
  await t.test(
    `of ${orders} concurrent orders, exactly those of the last ${LAST_UNITS.quantity} units are placed`,
    () => orderLastUnits(stage, { orders, petId: LAST_UNITS.petId, units: LAST_UNITS.quantity }),
  );
  const { expiring, holdMs } = sizes;
  await t.test(`${expiring} orders that expire together expire once each, over a kill`, async (each) => {
    const [writtenPetId] = WRITTEN_PETS as [bigint];
    const options = { seed: firstSeed, orders: expiring, holdMs, petId: EXPIRING.petId, writtenPetId };
    each.diagnostic(`the last one expired ${await expireTogether(stage, options)} ms late`);
  });
  const requests = { change: changesOf(WRITTEN_PETS), order: ordersOf(WRITTEN_PETS) };
  for (const [what, requestOf] of Object.entries(requests)) {
    await t.test(
      `${keys} keys, each sent ${duplicates} times, have one ${what} each, over ${sizes.kills} kills`,
      async (each) => {
        const random = new SeededRandom(firstSeed);
        const kill = () => stage.faults[KILL]!(random);
        const faults = Array.from({ length: sizes.kills }, () => kill);
        const options = { seed: `${firstSeed}-${what}`, keys, duplicates, requestOf, faults };
        const { tries, lostFirsts } = await onceForEachKey(stage, options);
        each.diagnostic(`seed ${firstSeed}: ${tries} tries, ${lostFirsts} first answers lost`);
      },
    );
  }
  await t.test('a receiver that fails now and then has received each event, in order', async (each) => {
    const { events, deliveries } = await subscription.assertComplete();
    each.diagnostic(`${events} events in ${deliveries} deliveries`);
  });
  assert.deepEqual((await stage.cli('verify')).faults, []);
}

async function raceOnce(t: TestContext, stage: Stage, sizes: Sizes, seed: number): Promise<void> {
  const { clients, moves } = sizes;
  const random = new SeededRandom(seed);
  const names = sizes.faults(stage, random);
  const faults = names.map((name) => () => stage.faults[name]!(random));
  const { keys, ports } = stage;
  const result = await race({ seed, clients, moves, keys, ports, faults });
  const counts = [...result.counts].map(([what, count]) => `${count} ${what}`).toSorted();
  t.diagnostic(`seed ${seed}: ${names.join(', ')}; ${result.movements} movements; ${counts.join(', ')}`);
  assert.deepEqual(result.faults, [], `seed ${seed}`);
  assert.ok(result.movements > moves / 5, 'there was something to disagree about');
}
