import type { EventPosition } from '../../../src/domain/webhooks/events.ts';
import type { EventFilter } from '../../../src/domain/webhooks/webhook-endpoint.ts';
import type { TestDatabase } from '../../support/test-database.ts';

/** An event as the model sees it. */
export interface ModelEvent extends EventPosition {
  readonly place: string;
  readonly type: string;
  readonly accountId: string | null;
  readonly petIds: readonly string[];
  readonly status: string | null;
}

export type Filter = EventFilter & { readonly accountId: string };

const LEVELS = [null, 'low', 'out', 'oversold'];

/** All events of the database in their order, read without a scan. */
export async function readEvents(database: Pick<TestDatabase, 'rows'>): Promise<readonly ModelEvent[]> {
  const movements = await database.rows(
    'SELECT sequence, pet_id, status_after, alert_before, alert_after FROM movements',
  );
  const recorded = await database.rows('SELECT sequence, number, type, account_id, data FROM events');
  const events = [
    ...movements.flatMap(([sequence, petId, status, before, after]) => {
      const type = alertType(before as string | null, after as string | null);
      const facts = { accountId: null, petIds: [String(petId)], status: String(status) };
      const changed = { ...at(Number(sequence), 0), type: 'inventory.changed', ...facts };
      return type === undefined ? [changed] : [changed, { ...at(Number(sequence), 1), type, ...facts }];
    }),
    ...recorded.map(([sequence, number, type, accountId, data]) => ({
      ...at(Number(sequence), Number(number)),
      type: String(type),
      accountId: accountId as string | null,
      petIds: String(type).startsWith('order.') ? petIdsOf(String(data)) : [],
      status: null,
    })),
  ];
  return events.toSorted((a, b) => a.sequence - b.sequence || a.number - b.number);
}

/** Whether an endpoint with this filter receives the event. */
export function isFor(event: ModelEvent, { accountId, types, petIds, statuses }: Filter): boolean {
  const isOwn = event.accountId === null || event.accountId === accountId;
  const hasType = types === null || types.some((type) => type === event.type);
  const hasStatus =
    statuses === null || event.status === null || statuses.some((one) => one === event.status);
  const hasPet = petIds === null || event.petIds.some((petId) => petIds.includes(BigInt(petId)));
  return isOwn && hasType && hasStatus && hasPet;
}

/** Whether an event comes after a position. */
export function isAfter(event: EventPosition, { sequence, number }: EventPosition): boolean {
  return event.sequence === sequence ? event.number > number : event.sequence > sequence;
}

function at(sequence: number, number: number) {
  return { sequence, number, place: `${sequence}.${number}` };
}

function alertType(before: string | null, after: string | null): string | undefined {
  if (before !== null && after === null) return 'inventory.back';
  return LEVELS.indexOf(after) > LEVELS.indexOf(before) ? `inventory.${after}` : undefined;
}

/** The pets of the lines at the end of the array: each has four values, and the first is a text. */
function petIdsOf(data: string): readonly string[] {
  const values = JSON.parse(data) as readonly unknown[];
  return values.slice(12).filter((_, i) => i % 4 === 0) as readonly string[];
}
