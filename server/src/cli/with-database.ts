import { type Config, stockRules } from '../config.ts';
import { openAdmin } from '../store/open-admin.ts';
import type { OpenedAdminStore } from '../store/schema/database-metadata.ts';
import { requirePepper } from './pepper.ts';
import { refuseLeft, refuseOtherEnvironment, refuseSample } from './prepare-database.ts';

type Use = 'accept' | 'refuse';

/**
 * Opens the configured database for one piece of work, and closes it also after an error.
 * @param options.sample `refuse` for work that sets a shop up.
 * @param options.left `accept` for work that only reads, and is of use after the shop moved to another database.
 */
export async function withDatabase<T>(
  config: Config,
  work: (store: OpenedAdminStore) => Promise<T>,
  { sample = 'accept', left = 'refuse' }: { readonly sample?: Use; readonly left?: Use } = {},
): Promise<T> {
  const store = await openAdmin(config.database, stockRules(config), (expectedCheck) =>
    requirePepper(config, expectedCheck),
  );
  try {
    refuseOtherEnvironment(config, store.environment);
    if (left === 'refuse') refuseLeft(config.database, store);
    if (sample === 'refuse') refuseSample(config.database, store);
    return await work(store);
  } finally {
    await store.close();
  }
}
