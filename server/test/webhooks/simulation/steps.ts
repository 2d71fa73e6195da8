import { PET_STATUSES, type PetStatus } from '@petstore-inventory/shared/words';
import fc, { type Arbitrary } from 'fast-check';
import { EVENT_TYPES } from '../../../src/domain/webhooks/events.ts';
import type { EventFilter } from '../../../src/domain/webhooks/webhook-endpoint.ts';
import type { Recordable } from './event-history.ts';

/** One step of a simulation. `of` chooses an endpoint, and `from` an event, counted around. */
export type Step =
  | { readonly kind: 'change'; readonly petIds: readonly number[]; readonly status: PetStatus }
  | { readonly kind: 'record'; readonly events: readonly Recordable[] }
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'filter'; readonly of: number; readonly filter: EventFilter }
  | { readonly kind: 'replay'; readonly of: number; readonly from: number }
  | { readonly kind: 'pause' | 'resume' | 'renew' | 'mend'; readonly of: number }
  | { readonly kind: 'respond'; readonly of: number; readonly statuses: readonly number[] }
  | { readonly kind: 'latency'; readonly of: number; readonly ms: number }
  | { readonly kind: 'faults'; readonly reads: number }
  | { readonly kind: 'slow'; readonly readMs: number }
  | { readonly kind: 'restart' | 'crash' };

const ACCOUNTS = ['acc_shop', 'acc_other'] as const;
const latencyMs = fc.constantFrom(1, 20, 300);

/** How large the random histories are. */
export interface Scale {
  readonly pets: number;
  /** At most so many recorded events in one step. */
  readonly recorded: number;
  readonly steps: number;
}

/** The endpoints of a shop, and everything that happens to them. */
export interface Simulated {
  readonly endpoints: readonly {
    readonly filter: EventFilter;
    readonly accountId: string;
    readonly latencyMs: number;
  }[];
  readonly steps: readonly Step[];
}

export function simulations({ pets, recorded, steps }: Scale): Arbitrary<Simulated> {
  const filter = filters(pets);
  const endpoint = fc.record({ filter, accountId: fc.constantFrom(...ACCOUNTS), latencyMs });
  const single = step({ pets, recorded, filter }).map((one): readonly Step[] => [one]);
  const rows = fc.oneof({ weight: 12, arbitrary: single }, changesOfFilter(pets, filter));
  return fc.record({
    endpoints: fc.array(endpoint, { minLength: 1, maxLength: 4 }),
    steps: fc.array(rows, { minLength: 1, maxLength: steps, size: 'max' }).map((steps) => steps.flat()),
  });
}

/** A filter changes while an event is in delivery that others followed, or while a page is read. */
function changesOfFilter(pets: number, filter: Arbitrary<EventFilter>): Arbitrary<readonly Step[]> {
  const single = fc.tuple(fc.nat(3), fc.nat(pets - 1), petSets(pets), filter);
  const whileDelivered = single.map(([of, petId, petIds, next]): readonly Step[] => [
    { kind: 'filter', of, filter: { types: ['inventory.changed'], petIds: [BigInt(petId)], statuses: null } },
    { kind: 'latency', of, ms: 300 },
    { kind: 'pass', ms: 1_000 },
    { kind: 'change', petIds: [petId], status: 'available' },
    { kind: 'pass', ms: 150 },
    { kind: 'change', petIds, status: 'available' },
    { kind: 'pass', ms: 110 },
    { kind: 'filter', of, filter: next },
    { kind: 'pass', ms: 1_000 },
  ]);
  const whileRead = single.map(([of, from, petIds, next]): readonly Step[] => [
    { kind: 'change', petIds, status: 'pending' },
    { kind: 'pass', ms: 150 },
    { kind: 'slow', readMs: 40 },
    { kind: 'replay', of, from },
    { kind: 'pass', ms: 10 },
    { kind: 'filter', of, filter: next },
  ]);
  return fc.oneof(whileDelivered, whileRead);
}

/** Few pets, a block of them, or a share of all: events are rare, come together, or come regularly. */
function petSets(pets: number): Arbitrary<readonly number[]> {
  const block = fc
    .tuple(fc.nat(pets - 1), fc.integer({ min: 1, max: pets }))
    .map(([from, count]) => range(from, Math.min(from + count, pets), 1));
  const share = fc
    .tuple(fc.nat(pets - 1), fc.integer({ min: 2, max: Math.ceil(pets / 2) }))
    .map(([from, every]) => range(from % every, pets, every));
  return fc.oneof(
    fc.uniqueArray(fc.nat(pets - 1), { minLength: 1, maxLength: 5 }),
    fc.constant(range(0, pets, 1)),
    block,
    share,
  );
}

function filters(pets: number): Arbitrary<EventFilter> {
  const sorted = petSets(pets).map((petIds) => petIds.slice(0, 1_000).map(BigInt));
  return fc.record({
    types: fc.option(fc.subarray([...EVENT_TYPES], { minLength: 1 }), { freq: 1 }),
    petIds: fc.option(sorted, { freq: 2 }),
    statuses: fc.option(fc.subarray([...PET_STATUSES], { minLength: 1 }), { freq: 1 }),
  });
}

function step({
  pets,
  recorded,
  filter,
}: Pick<Scale, 'pets' | 'recorded'> & { readonly filter: Arbitrary<EventFilter> }): Arbitrary<Step> {
  const of = fc.nat(3);
  const recordable: Arbitrary<Recordable> = fc.record({
    type: fc.constantFrom('order.placed', 'order.delivered', 'api_key.banned', 'quota.reached'),
    accountId: fc.constantFrom(null, ...ACCOUNTS),
    petIds: fc.uniqueArray(fc.nat(pets - 1), { minLength: 1, maxLength: 3 }),
  });
  const kind = <Kind extends Step['kind']>(name: Kind) => fc.constant(name);
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: kind('change'),
        petIds: petSets(pets),
        status: fc.constantFrom(...PET_STATUSES),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: kind('record'),
        events: fc.array(recordable, { minLength: 1, maxLength: recorded, size: 'max' }),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({ kind: kind('pass'), ms: fc.constantFrom(10, 150, 150, 1_000, 6_000) }),
    },
    { weight: 4, arbitrary: fc.record({ kind: kind('filter'), of, filter }) },
    { weight: 2, arbitrary: fc.record({ kind: kind('replay'), of, from: fc.nat() }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('pause', 'resume', 'renew', 'mend'), of }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: kind('respond'),
        of,
        statuses: fc.array(fc.constantFrom(500, 503, 410), { minLength: 1, maxLength: 3 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: kind('latency'), of, ms: latencyMs }) },
    { weight: 2, arbitrary: fc.record({ kind: kind('slow'), readMs: fc.constantFrom(0, 5, 40) }) },
    { weight: 1, arbitrary: fc.record({ kind: kind('faults'), reads: fc.integer({ min: 1, max: 3 }) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('restart', 'crash') }) },
  );
}

function range(from: number, to: number, every: number): number[] {
  return Array.from({ length: Math.ceil((to - from) / every) }, (_, i) => from + i * every);
}
