import { MAX_COUNTED } from '@petstore-inventory/shared/limits';
import type {
  EndpointStates,
  OpenOrders,
  PetTotalsPart,
  ShopState,
} from '../../domain/management/shop-totals.ts';
import { countPets } from '../pets/count-pets.ts';
import type { AdminEngine } from './admin-engine.ts';

function counted(condition: string): string {
  return `SELECT count(*) AS count FROM (SELECT id FROM orders WHERE ${condition} LIMIT ${MAX_COUNTED}) AS counted`;
}

/** Each counts rows of an index. */
const ORDERS = {
  placed: counted(`status = 'placed'`),
  approved: counted(`status = 'approved'`),
  expiring: counted(`status = 'placed' AND expires_at IS NOT NULL AND expires_at < $1`),
} as const;

const ENDPOINTS = `SELECT count(*) AS endpoints, count(paused_at) AS paused,
count(CASE WHEN paused_at IS NULL THEN failing_since END) AS failing FROM webhook_endpoints`;

export class SqlShopState implements ShopState {
  readonly #engine: AdminEngine;

  constructor(engine: AdminEngine) {
    this.#engine = engine;
  }

  totalsPart(after?: bigint): Promise<PetTotalsPart> {
    return this.#engine.snapshot(() => countPets(this.#engine, after));
  }

  openOrders(expiringBeforeMs: number): Promise<OpenOrders> {
    return this.#engine.snapshot(async () => ({
      placed: await this.#count('placed'),
      approved: await this.#count('approved'),
      expiring: await this.#count('expiring', [expiringBeforeMs]),
    }));
  }

  async endpointStates(): Promise<EndpointStates> {
    const [row] = await this.#engine.all<EndpointStates>(ENDPOINTS);
    return row ?? { endpoints: 0, paused: 0, failing: 0 };
  }

  async #count(name: keyof typeof ORDERS, values: readonly number[] = []): Promise<number> {
    return (await this.#engine.all<{ count: number }>(ORDERS[name], values))[0]?.count ?? 0;
  }
}
