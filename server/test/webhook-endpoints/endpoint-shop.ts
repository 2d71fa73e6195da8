import type { TestContext } from 'node:test';
import type { OperatorError } from '../../src/domain/errors.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import type {
  EndpointProgress,
  LeasedEndpoint,
  NewWebhookEndpoint,
} from '../../src/domain/webhooks/webhook-store.ts';
import type { AdminEngine } from '../../src/store/admin/admin-engine.ts';
import { openAdminEngine } from '../../src/store/open-engine.ts';
import type { OpenedAdminStore } from '../../src/store/schema/database-metadata.ts';
import { SecretBox } from '../../src/store/webhooks/secret-box.ts';
import { SqlWebhookSenderStore } from '../../src/store/webhooks/sender-store.ts';
import { newAdminStore, petRow, TEST_PEPPER } from '../support/command-line.ts';
import type { TestDatabase } from '../support/test-database.ts';

export const AUTHOR = { actor: 'key_test', requestId: 'request-1' };
export const LIMIT = 20;

export interface EndpointShop {
  readonly store: OpenedAdminStore;
  readonly database: TestDatabase;
  /** An endpoint of `acc_shop`, unless the fields name another account. */
  newEndpoint(fields?: Partial<NewWebhookEndpoint>): ReturnType<OpenedAdminStore['webhooks']['create']>;
  /** Another process that sends, with its own connection. */
  newSender(pepper?: Uint8Array): Promise<{ sender: SqlWebhookSenderStore; engine: AdminEngine }>;
}

/** A database with the accounts `acc_shop` and `acc_other`, and one movement. */
export async function newEndpointShop(t: TestContext): Promise<EndpointShop> {
  const { store, database } = await newAdminStore(t);
  for (const name of ['shop', 'other']) {
    const limits = { perMinute: 300, perDay: 10_000 };
    await store.accounts.create({ id: `acc_${name}`, name, plan: 'pro', limits, createdAtMs: 1 }, CLI_AUTHOR);
  }
  await store.importPets([petRow(1)], 'test');
  return {
    store,
    database,
    newEndpoint: (fields) => store.webhooks.create({ ...everything('acc_shop'), ...fields }, LIMIT, AUTHOR),
    newSender: async (pepper = TEST_PEPPER) => {
      const engine = await openAdminEngine(database.url);
      t.after(() => engine.close());
      const secrets = new SecretBox(() => pepper);
      return { sender: new SqlWebhookSenderStore(engine, secrets, (command) => command(engine)), engine };
    },
  };
}

export function everything(accountId: string): NewWebhookEndpoint {
  return { accountId, url: 'https://example.com/hook' };
}

/** A report that changes nothing besides the given fields. */
export function progressOf(
  { endpoint, token }: LeasedEndpoint,
  fields: Partial<EndpointProgress> = {},
): EndpointProgress {
  const { id, cursor, failingSinceMs, failures, retryAtMs } = endpoint;
  return { id, token, cursor, failingSinceMs, failures, retryAtMs, attempts: [], ...fields };
}

/** Makes endpoints of `acc_shop` through these stores in turn. Returns `made` or the code of the refusal of each. */
export function makeConcurrently(
  stores: readonly OpenedAdminStore[],
  { count, limit }: { count: number; limit: number },
): Promise<string[]> {
  const make = ({ webhooks }: OpenedAdminStore) =>
    webhooks.create(everything('acc_shop'), limit, AUTHOR).then(
      () => 'made',
      (error: OperatorError) => error.code,
    );
  return Promise.all(
    Array.from({ length: count }, (_, i) => make(stores[i % stores.length] as OpenedAdminStore)),
  );
}
