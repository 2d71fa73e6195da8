import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { placeSampleOrders } from '../../../src/cli/orders/sample-orders.ts';
import type { Role } from '../../../src/domain/access/roles.ts';
import { makeAdminKey } from '../../blackbox/operator.ts';
import { type Service, type ServiceOptions, startService } from '../../blackbox/service.ts';
import { builtDashboard } from './build.ts';

const SAMPLE = fileURLToPath(new URL('../../../sample/pets.csv', import.meta.url));

interface Closable {
  close(): Promise<void>;
}

export interface Shop {
  readonly service: Service;
  readonly url: string;
  /** Pages close before the service stops, which would be an error of theirs. */
  readonly pages: Closable[];
  makeKey(role: Role): Promise<string>;
  /** What another client does meanwhile, with the key of an administrator. @throws Error unless it succeeds. */
  send(method: string, path: string, body?: unknown): Promise<unknown>;
}

export interface ShopOptions extends ServiceOptions {
  /** Without the sample shop there are only the `pets` of the options. */
  readonly isSample?: boolean;
  /** The key of an administrator that the database already has. */
  readonly adminKey?: string;
}

/** The service in its own process, with the built dashboard and the sample shop. */
export async function openShop(
  t: Pick<TestContext, 'after'>,
  { isSample = true, adminKey, ...options }: ShopOptions = {},
): Promise<Shop> {
  const env = { PETSTORE_DASHBOARD: await builtDashboard(), ...options.env };
  const pages: Closable[] = [];
  t.after(async () => {
    for (const page of pages) await page.close();
  });
  const service = await startService(t, { ...options, env });
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
    send: async (method, path, body) => {
      const response = await fetch(`${service.url}/admin/v1${path}`, {
        method,
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return text === '' ? undefined : JSON.parse(text);
    },
  };
}
