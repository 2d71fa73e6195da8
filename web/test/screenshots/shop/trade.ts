import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import type { MadeKey } from '../../../../server/src/domain/actions/keys.ts';
import type { SeededRandom } from '../../../../server/test/support/limit-clients.ts';
import { DAY_MS, type Diary, HOUR_MS, MINUTE_MS } from './diary.ts';
import type { People } from './people.ts';

/** Units that a customer buys, and customers per day for one pet of a category. */
const DEMAND: Readonly<Record<string, { readonly units: number; readonly customers: number }>> = {
  Fish: { units: 6, customers: 0.9 },
  'Small animals': { units: 2, customers: 0.5 },
  Birds: { units: 2, customers: 0.45 },
  Reptiles: { units: 1, customers: 0.12 },
  Cats: { units: 1, customers: 0.08 },
  Dogs: { units: 1, customers: 0.07 },
};
const OPENS_AT = 9;
const CLOSES_AT = 18;
const LOSSES = [
  ['damaged', 'Fungal infection, moved to quarantine'],
  ['damaged', 'Tank 4 heater failed overnight'],
  ['shrinkage', 'Missing after the weekend'],
  ['other', 'Lent to the school visit'],
  ['returned', 'Customer is allergic'],
] as const;

export interface Trade {
  readonly diary: Diary;
  readonly people: People;
  readonly pets: readonly PetRow[];
  readonly random: SeededRandom;
  /** Midnight in the shop. */
  readonly midnightMs: number;
  readonly nowMs: number;
  readonly receipt: { next: number };
}

/** A day of the shop: a count in the morning, sales, now and then a loss, and deliveries twice a week. */
export function tradeOneDay(trade: Trade, day: number): void {
  countShelf(trade, day);
  for (const pet of trade.pets) sell(trade, pet);
  if (trade.random.chance(0.6)) lose(trade);
  if (day % 4 === 1) receive(trade, day);
}

function sell(trade: Trade, { petId, category }: PetRow): void {
  const { units, customers } = DEMAND[category ?? ''] ?? { units: 1, customers: 0.1 };
  const { random, diary, people } = trade;
  for (let chance = customers; random.chance(chance); chance *= 0.5) {
    const place = random.integer(1, 10);
    const [author, prefix]: [MadeKey, string] =
      place <= 5 ? [people.till1, 'R1'] : place <= 8 ? [people.till2, 'R2'] : [people.website, 'web'];
    const reference = `${prefix}-${trade.receipt.next++}`;
    const delta = -random.integer(1, units);
    diaryTime(trade, openHour(random), (atMs) =>
      diary.change(
        atMs,
        author,
        { kind: 'adjust', petId, delta },
        { reason: 'sold', referenceId: reference },
      ),
    );
  }
}

/** Some pets of one shelf, of which one in four is not as expected. */
function countShelf(trade: Trade, day: number): void {
  const { random, diary, people, pets } = trade;
  const first = (day * 7) % pets.length;
  const author = day % 2 === 0 ? people.tom : people.priya;
  pets.slice(first, first + 6).forEach(({ petId }, index) => {
    diaryTime(trade, 8.4 + index * 0.02, (atMs) =>
      diary.at(atMs, async () => {
        const { quantity } = await diary.shop.admin.pets.find(petId);
        const counted = random.chance(0.25) ? Math.max(0, quantity + random.integer(-2, 1)) : quantity;
        const explanation = { reason: 'cycle_count', note: null, referenceDocumentUri: null } as const;
        const change = {
          kind: 'set',
          petId,
          quantity: counted,
          explanation: { ...explanation, referenceId: null, occurredAtMs: atMs - 20_000 },
        } as const;
        await diary.write({ kind: 'change', change }, author.principal.key.id);
      }),
    );
  });
}

function lose(trade: Trade): void {
  const { random, diary, people } = trade;
  const [reason, note] = random.pick(LOSSES);
  const { petId, category } = random.pick(trade.pets);
  const delta = reason === 'returned' ? 1 : category === 'Fish' ? -random.integer(1, 4) : -1;
  const author = random.pick([people.tom, people.priya]);
  diaryTime(trade, openHour(random), (atMs) =>
    diary.change(atMs, author, { kind: 'adjust', petId, delta }, { reason, note }),
  );
}

/** A supplier brings what has fallen below four fifths of the first stock. */
function receive(trade: Trade, day: number): void {
  const { diary, people, random } = trade;
  const reference = `delivery-${4_700 + day}`;
  diaryTime(trade, 10 + random.next(), (atMs) =>
    diary.at(atMs, async () => {
      const changes = [];
      for (const { petId, quantity } of trade.pets) {
        const now = await diary.shop.admin.pets.find(petId);
        if (quantity === 0 || now.quantity > quantity * 0.8 || random.chance(0.2)) continue;
        const explanation = {
          reason: 'received',
          note: null,
          referenceId: reference,
          referenceDocumentUri: null,
          occurredAtMs: null,
        } as const;
        changes.push({ kind: 'adjust', petId, delta: quantity - now.quantity, explanation } as const);
      }
      if (changes.length === 0) return;
      const batch = { kind: 'batch', changes, errorPolicy: 'reject_everything', isDryRun: false } as const;
      await diary.write(batch, people.priya.principal.key.id);
    }),
  );
}

function openHour(random: SeededRandom): number {
  // Two draws: more customers around midday.
  return OPENS_AT + ((random.next() + random.next()) / 2) * (CLOSES_AT - OPENS_AT);
}

/** An hour of the day, unless it is still to come. */
function diaryTime({ midnightMs, nowMs }: Trade, hour: number, enter: (atMs: number) => void): void {
  const atMs = Math.round(midnightMs + hour * HOUR_MS);
  if (atMs < nowMs - 2 * MINUTE_MS && midnightMs > nowMs - 29 * DAY_MS) enter(atMs);
}
