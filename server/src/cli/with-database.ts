import { type Config, stockRules } from '../config.ts';
import { openAdmin } from '../store/open-admin.ts';
import type { OpenedAdminStore } from '../store/schema/database-metadata.ts';
import { requirePepper } from './pepper.ts';
import { refuseOtherEnvironment } from './prepare-database.ts';

/** Opens the configured database for one piece of work, and closes it also after an error. */
export async function withDatabase<T>(
  config: Config,
  work: (store: OpenedAdminStore) => Promise<T>,
): Promise<T> {
  const store = await openAdmin(config.database, stockRules(config), (expectedCheck) =>
    requirePepper(config, expectedCheck),
  );
  try {
    refuseOtherEnvironment(config, store.environment);
    return await work(store);
  } finally {
    await store.close();
  }
}
