import { MAX_COUNTED } from '@petstore-inventory/shared/limits';
import type {
  EndpointStates,
  OpenOrders,
  OverviewStore,
  PetGroup,
  PetTotalsPage,
} from '../../domain/management/overview.ts';
import { READ_PETS, type StoredPet, toManagedPet } from '../pets/pet-sql.ts';
import { rangeAfter } from '../pets/read-pets.ts';
import type { AdminEngine } from './admin-engine.ts';
import type { SqlReader } from '../sql-client.ts';

/** Pets per page: few enough not to delay other calls. */
const PETS_PER_PAGE = 20_000;

interface GroupRow extends PetGroup {
  readonly archived: number;
}

/** Counts the pets after one. */
async function countPets(client: SqlReader, after: bigint | undefined): Promise<PetTotalsPage> {
  const nothing = { groups: [], archived: 0, alerts: [] };
  const range = await rangeAfter(client, after, PETS_PER_PAGE);
  if (!range) return nothing;
  const rows = await client.all<GroupRow>(READ_PETS.groupsOfRange, range);
  const alerts = await client.all<StoredPet>(READ_PETS.alertsOfRange, range);
  const groups = rows.filter(({ archived }) => archived === 0);
  const count = (some: readonly GroupRow[]) => some.reduce((sum, { pets }) => sum + pets, 0);
  const page = { groups, archived: count(rows) - count(groups), alerts: alerts.map(toManagedPet) };
  return count(rows) < PETS_PER_PAGE ? page : { ...page, next: BigInt(range[1]) };
}

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

export class SqlOverviewStore implements OverviewStore {
  readonly #engine: AdminEngine;

  constructor(engine: AdminEngine) {
    this.#engine = engine;
  }

  totalsPage(after?: bigint): Promise<PetTotalsPage> {
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
