import { type Config, stockRules } from '../config.ts';
import { openAdmin } from '../store/open-admin.ts';
import type { OpenedAdminStore } from '../store/schema/database-metadata.ts';
import { requirePepper } from './pepper.ts';
import { refuseLeft, refuseOtherEnvironment, refuseSample } from './prepare-database.ts';
import { withRecorded } from './service-settings.ts';

type Use = 'accept' | 'refuse';

/**
 * Opens the configured database for one piece of work, and closes it also after an error. The work also gets the
 * configuration as the service of this database has it.
 * @param options.sample `refuse` for work that sets a shop up.
 * @param options.left `accept` for work that only reads, and is of use after the shop moved to another database.
 */
export async function withDatabase<T>(
  config: Config,
  work: (store: OpenedAdminStore, settings: Config) => Promise<T>,
  { sample = 'accept', left = 'refuse' }: { readonly sample?: Use; readonly left?: Use } = {},
): Promise<T> {
  const store = await openAdmin(
    config.database,
    ({ settings }) => stockRules(withRecorded(config, settings)),
    (expectedCheck) => requirePepper(config, expectedCheck),
  );
  try {
    refuseOtherEnvironment(config, store.environment);
    if (left === 'refuse') refuseLeft(config.database, store);
    if (sample === 'refuse') refuseSample(config.database, store);
    return await work(store, withRecorded(config, store.settings));
  } finally {
    await store.close();
  }
}

/** The configuration as the service of the database has it, for work that begins before the database is opened. */
export function serviceSettings(config: Config): Promise<Config> {
  return withDatabase(config, async (_store, settings) => settings);
}
