import type { PetStatus } from '@petstore-inventory/shared/words';
import type { EventPosition } from '../../../src/domain/webhooks/events.ts';
import { orderEventText } from '../../../src/domain/webhooks/order-events.ts';
import type { EventFilter } from '../../../src/domain/webhooks/webhook-endpoint.ts';
import { petRow } from '../../support/command-line.ts';
import type { EndpointShop } from '../../webhook-endpoints/endpoint-shop.ts';

/** An event as the model sees it. */
export interface ModelEvent extends EventPosition {
  readonly place: string;
  readonly type: string;
  readonly accountId: string | null;
  readonly petIds: readonly string[];
  readonly status: string | null;
}

/** An event without a movement, which the history writes. */
export interface Recordable {
  readonly type: 'order.placed' | 'order.delivered' | 'api_key.banned' | 'quota.reached';
  readonly accountId: string | null;
  /** Of an order; others have none. */
  readonly petIds: readonly number[];
}

export type Filter = EventFilter & { readonly accountId: string };

/** Some rows per statement: PostgreSQL parses long ones slowly. */
const ROWS_PER_INSERT = 200;
const LEVELS = [null, 'low', 'out', 'oversold'];

/** Events of a database, written past the service or by imports, and a model of who receives them. */
export class EventHistory {
  readonly #shop: EndpointShop;
  readonly #quantities = new Map<number, number>();
  #orders = 0;

  constructor(shop: EndpointShop) {
    this.#shop = shop;
  }

  /** One movement per pet, in the order of their ids. Some pets run out, which is an alert, and later come back. */
  async change(petIds: Iterable<number>, status: PetStatus = 'available'): Promise<void> {
    const rows = [...new Set(petIds)]
      .toSorted((a, b) => a - b)
      .map((petId) => petRow(petId, { status, quantity: this.#nextQuantity(petId) }));
    await this.#shop.store.importPets(rows, 'test');
  }

  /** Adds events after the newest movement. */
  async record(events: readonly Recordable[]): Promise<void> {
    for (let i = 0; i < events.length; i += ROWS_PER_INSERT) {
      const values = events.slice(i, i + ROWS_PER_INSERT).map((event, n) => this.#recordedRow(event, n));
      await this.#shop.database
        .run(`INSERT INTO events (sequence, number, type, account_id, data, recorded_at)
SELECT newest.sequence, newest.number + added.column1, added.column2, added.column3, added.column4, 5
FROM (VALUES ${values.join(', ')}) AS added,
(SELECT sequence, coalesce((SELECT max(number) FROM events WHERE events.sequence = movements.sequence), 1) AS number
 FROM movements ORDER BY sequence DESC LIMIT 1) AS newest`);
    }
  }

  /** All events of the database in their order, read without a scan. */
  async events(): Promise<readonly ModelEvent[]> {
    const { database } = this.#shop;
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

  #nextQuantity(petId: number): number {
    const quantity = ((this.#quantities.get(petId) ?? petId) + 1) % 7;
    this.#quantities.set(petId, quantity);
    return quantity;
  }

  #recordedRow({ type, accountId, petIds }: Recordable, n: number): string {
    const data = type.startsWith('order.') ? this.#orderData(petIds) : '{"percent":80}';
    return `(${n + 1}, '${type}', ${accountId === null ? 'CAST(NULL AS text)' : `'${accountId}'`}, '${data}')`;
  }

  #orderData(petIds: readonly number[]): string {
    this.#orders += 1;
    const lines = petIds.map((petId) => ({ petId: BigInt(petId), quantity: 1, delivered: 0, returned: 0 }));
    const author = { actor: 'key_test', actorName: 'test' };
    const texts = { referenceId: null, note: null, expiresAtMs: null, createdAtMs: 1, updatedAtMs: 1 };
    const order = {
      orderId: this.#orders,
      status: 'placed',
      version: 1,
      lines,
      ...texts,
      ...author,
    } as const;
    return orderEventText(order, { ...author, requestId: null, atMs: 1 });
  }
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
