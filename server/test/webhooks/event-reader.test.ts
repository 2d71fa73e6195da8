import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { EventPosition } from '../../src/domain/webhooks/events.ts';
import { openAdminEngine } from '../../src/store/open-engine.ts';
import { EventReader, type ScanLimits } from '../../src/store/webhooks/event-reader.ts';
import { factsOf } from '../../src/webhooks/queues/event-facts.ts';
import { RECORDED_DATA } from '../../src/webhooks/queues/event-source.ts';
import { newEndpointShop } from '../webhook-endpoints/endpoint-shop.ts';
import { EventHistory, type Recordable } from './simulation/event-history.ts';
import { isAfter, type ModelEvent } from './simulation/model-events.ts';

/** Movements with and without alerts, and recorded events: none, a few and many after one movement. */
async function newHistory(t: TestContext) {
  const shop = await newEndpointShop(t);
  const history = new EventHistory(shop);
  const order: Recordable = { type: 'order.placed', accountId: null, petIds: [3, 5] };
  for (const recorded of [0, 2, 60, 1, 0]) {
    await history.change(Array.from({ length: 20 + recorded }, (_, i) => i));
    await history.record(Array.from({ length: recorded }, () => order));
  }
  const engine = await openAdminEngine(shop.database.url);
  t.after(() => engine.close());
  return { reader: new EventReader(engine), events: await history.events() };
}

test('a scan takes a whole number of rows from 1 on, or is refused', async (t) => {
  const { reader } = await newHistory(t);
  const head = await reader.head();
  for (const limit of [0, -1, 62.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    for (const limits of [
      { movements: limit, recorded: 5 },
      { movements: 5, recorded: limit },
    ]) {
      const scan = reader.scan({ sequence: 0, number: 1 }, head, limits);
      await assert.rejects(scan, { name: 'RangeError', message: new RegExp(`from 1 on, not ${limit}\\.$`) });
    }
  }
});

const sizes = fc.integer({ min: 1, max: 70 });
const limits: fc.Arbitrary<ScanLimits> = fc.record({ movements: sizes, recorded: sizes });

test('scans of any sizes, one after the other, have each event up to the head once, in order', async (t) => {
  const { reader, events } = await newHistory(t);
  const places = fc.constantFrom<EventPosition>({ sequence: 0, number: 1 }, ...events);
  const property = fc.asyncProperty(
    places,
    places,
    fc.array(limits, { minLength: 1 }),
    async (one, two, sized) => {
      const [from, last] = isAfter(one, two) ? [two, one] : [one, two];
      // The head of a database is never between a movement and its alert.
      const head = { sequence: last.sequence, number: Math.max(last.number, 1) };
      const expected = events.filter((event) => isAfter(event, from) && !isAfter(event, head));
      assert.deepEqual(await scanAll(reader, { from, head, sized }), expected.map(factsOfModel));
    },
  );
  await fc.assert(property, { numRuns: 100 });
});

/** The events between two positions, in scans whose limits take turns. */
async function scanAll(
  reader: EventReader,
  { from, head, sized }: { from: EventPosition; head: EventPosition; sized: readonly ScanLimits[] },
) {
  const found: ReturnType<typeof factsOfModel>[] = [];
  for (let [i, after] = [0, from]; isAfter(head, after); i += 1) {
    const scan = await reader.scan(after, head, sized[i % sized.length]);
    assert.ok(isAfter(scan.upTo, after) && !isAfter(scan.upTo, head), 'a scan goes on, and not too far');
    for (const facts of factsOf(scan, after, RECORDED_DATA.petIdsOf)) {
      const { position, type, accountId, petIds, status } = facts;
      found.push({ ...position, type, accountId, petIds, status });
    }
    after = scan.upTo;
  }
  return found;
}

function factsOfModel({ place: _, ...facts }: ModelEvent) {
  return facts;
}
