import type { TestContext } from 'node:test';
import type { UsageUnit } from '@petstore-inventory/shared/words';
import type { Limits } from '../../src/domain/access/plans.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { type ShopUsage, USAGE_UNIT_MS, type UsagePeriod } from '../../src/domain/management/usage.ts';
import type { Store } from '../../src/domain/store.ts';
import { openStore } from '../../src/store/open.ts';
import { DEFAULT_RULES } from '../../src/store/open-admin.ts';
import { newAdminStore } from '../support/command-line.ts';
import { principalOf } from '../support/principals.ts';

export const START_MS = Date.UTC(2026, 6, 1, 12);
const ROOMY: Limits = { perMinute: 1_000_000, perDay: 1_000_000 };

/** A database with accounts, whose requests are counted on a clock of the test. */
export class UsageShop {
  nowMs = START_MS;
  /** The time of each admitted request, by account. */
  readonly admitted = new Map<string, number[]>();
  readonly shop: Awaited<ReturnType<typeof newAdminStore>>;
  readonly errors: string[] = [];
  #opened = new Set<Store>();

  static async open(
    t: TestContext,
    accountIds: readonly string[],
    limits: Limits = ROOMY,
  ): Promise<UsageShop> {
    const shop = await newAdminStore(t);
    for (const id of accountIds) {
      await shop.store.accounts.create(
        { id, name: id, plan: 'enterprise', limits, createdAtMs: 0 },
        CLI_AUTHOR,
      );
      const key = {
        id: `key_${id}`,
        accountId: id,
        role: null,
        name: id,
        hint: 'psk_live_…test',
        scopes: null,
      };
      await shop.store.keys.create(
        { ...key, hash: Buffer.alloc(32, id), createdAtMs: 0, expiresAtMs: null },
        CLI_AUTHOR,
      );
    }
    const opened = new UsageShop(shop);
    t.after(() => opened.close());
    return opened;
  }

  private constructor(shop: UsageShop['shop']) {
    this.shop = shop;
  }

  /** Opens a store as an instance of the service does. */
  async openStore(): Promise<Store> {
    const store = await openStore({
      database: this.shop.database.url,
      environment: 'production',
      rules: DEFAULT_RULES,
      onCommit: () => {},
      onListRebuild: () => {},
      onError: (message) => this.errors.push(message),
      clock: () => this.nowMs,
      elapsed: [() => performance.now()],
    });
    this.#opened.add(store);
    return store;
  }

  async closeStore(store: Store): Promise<void> {
    this.#opened.delete(store);
    await store.close();
  }

  async close(): Promise<void> {
    for (const store of this.#opened) await this.closeStore(store);
  }

  async request(
    store: Store,
    accountId: string,
    { times = 1, limits = ROOMY }: { readonly times?: number; readonly limits?: Limits } = {},
  ): Promise<void> {
    const principal = principalOf(`key_${accountId}`, accountId, limits);
    const sent = Array.from({ length: times }, async () => store.admit(principal, this.nowMs));
    for (const { refusal, failure } of await Promise.all(sent)) {
      if (failure) throw failure;
      if (!refusal) this.admitted.set(accountId, [...(this.admitted.get(accountId) ?? []), this.nowMs]);
    }
  }

  /** The periods that the admitted requests make. */
  expected(accountId: string, unit: UsageUnit): readonly UsagePeriod[] {
    const unitMs = USAGE_UNIT_MS[unit];
    const requests = new Map<number, number>();
    for (const atMs of this.admitted.get(accountId) ?? []) {
      const beganAtMs = Math.floor(atMs / unitMs) * unitMs;
      requests.set(beganAtMs, (requests.get(beganAtMs) ?? 0) + 1);
    }
    return [...requests]
      .map(([beganAtMs, count]) => ({ beganAtMs, requests: count }))
      .sort((a, b) => a.beganAtMs - b.beganAtMs);
  }

  async readAll(unit: UsageUnit, sinceMs = 0): Promise<ShopUsage> {
    const { periods, accounts } = await this.shop.store.usage.readAll({
      ...{ unit, sinceMs, untilMs: Date.UTC(2100, 0, 1) },
    });
    return { periods: periods.map((period) => ({ ...period })), accounts };
  }

  async read(accountId: string, unit: UsageUnit): Promise<readonly UsagePeriod[]> {
    const query = { unit, sinceMs: 0, untilMs: Date.UTC(2100, 0, 1) };
    return (await this.shop.store.usage.read(accountId, query)).map((period) => ({ ...period }));
  }
}
