import type { PetStatus } from '@petstore-inventory/shared/words';
import { orderEventText } from '../../../src/domain/webhooks/order-events.ts';
import { petRow } from '../../support/command-line.ts';
import type { EndpointShop } from '../../webhook-endpoints/endpoint-shop.ts';
import { type ModelEvent, readEvents } from './model-events.ts';

/** An event without a movement, which the history writes. */
export interface Recordable {
  readonly type: 'order.placed' | 'order.delivered' | 'api_key.banned' | 'quota.reached';
  readonly accountId: string | null;
  /** Of an order; others have none. */
  readonly petIds: readonly number[];
}

/** Some rows per statement: PostgreSQL parses long ones slowly. */
const ROWS_PER_INSERT = 200;

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
  events(): Promise<readonly ModelEvent[]> {
    return readEvents(this.#shop.database);
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
