import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Role } from '@petstore-inventory/shared/words';
import { placeSampleOrders } from '../../../server/src/cli/quickstart.ts';
import { makeAdminKey } from '../../../server/test/blackbox/operator.ts';
import { type Service, type ServiceOptions, startService } from '../../../server/test/blackbox/service.ts';
import { testEngine } from '../../../server/test/support/test-database.ts';
import { builtDashboard } from './build.ts';

/** The file with the pets of the sample shop. */
export const SAMPLE = fileURLToPath(new URL('../../../server/sample/pets.csv', import.meta.url));

interface Closable {
  close(): Promise<void>;
}

export interface Shop {
  readonly service: Service;
  readonly url: string;
  /** Pages close before the service stops, which would be an error of theirs. */
  readonly pages: Closable[];
  makeKey(role: Role): Promise<string>;
  /** Starts the service again at the same address, after it was killed. */
  restart(): Promise<unknown>;
  /** What another client does meanwhile, with the key of an administrator. @throws Error unless it succeeds. */
  send(method: string, path: string, body?: unknown): Promise<unknown>;
}

export interface ShopOptions extends ServiceOptions {
  /** Without the sample shop there are only the `pets` of the options. */
  readonly isSample?: boolean;
  /** The key of an administrator that the database already has. */
  readonly adminKey?: string;
}

/** The service in its own process, with the built dashboard and the sample shop, on the engine of the tests. */
export async function openShop(
  t: Pick<TestContext, 'after'>,
  { isSample = true, adminKey, ...options }: ShopOptions = {},
): Promise<Shop> {
  const engine = testEngine();
  // A folder has a database of SQLite already.
  const database = options.databaseDir === undefined ? await engine.newDatabase() : undefined;
  const pages: Closable[] = [];
  const services: Service[] = [];
  t.after(async () => {
    for (const page of pages) await page.close();
    for (const { kill9 } of services) await kill9();
    await database?.remove();
  });
  const env = {
    PETSTORE_DASHBOARD: await builtDashboard(),
    ...(database && { PETSTORE_DATABASE: database.url, ...engine.variables }),
    ...options.env,
  };
  const start = async (changes: ServiceOptions) => {
    const started = await startService(t, { ...options, ...changes });
    services.push(started);
    return started;
  };
  const service = await start({ env });
  if (isSample) {
    await service.cli('pets', 'import', SAMPLE);
    await service.withAdmin(placeSampleOrders);
  }
  const key = adminKey ?? (await makeAdminKey(service, 'administrator'));
  return {
    service,
    url: service.url,
    pages,
    makeKey: (role) => makeAdminKey(service, role),
    restart: () => start({ key: service.key, env: { ...env, PORT: String(service.port) } }),
    send: async (method, path, body) => {
      for (;;) {
        const response = await fetch(`${service.url}/admin/v1${path}`, {
          method,
          headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
          body: body === undefined ? null : JSON.stringify(body),
        });
        const text = await response.text();
        if (response.ok) return text === '' ? undefined : JSON.parse(text);
        if (response.status !== 429) throw new Error(`${method} ${path}: ${response.status} ${text}`);
        // A test that waits for a slow page asks again and again, and a key has so many requests per minute.
        await delay(Number(response.headers.get('Retry-After')) * 1_000);
      }
    },
  };
}
