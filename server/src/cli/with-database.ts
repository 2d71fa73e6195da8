import { type Config, stockRules } from '../config.ts';
import { openAdmin } from '../store/open-admin.ts';
import type { OpenedAdminStore } from '../store/schema/database-metadata.ts';
import { requirePepper } from './pepper.ts';
import { refuseOtherEnvironment, refuseSample } from './prepare-database.ts';

/**
 * Opens the configured database for one piece of work, and closes it also after an error.
 * @param options.sample `refuse` for work that sets a shop up.
 */
export async function withDatabase<T>(
  config: Config,
  work: (store: OpenedAdminStore) => Promise<T>,
  { sample = 'accept' }: { readonly sample?: 'accept' | 'refuse' } = {},
): Promise<T> {
  const store = await openAdmin(config.database, stockRules(config), (expectedCheck) =>
    requirePepper(config, expectedCheck),
  );
  try {
    refuseOtherEnvironment(config, store.environment);
    if (sample === 'refuse') refuseSample(config.database, store);
    return await work(store);
  } finally {
    await store.close();
  }
}
