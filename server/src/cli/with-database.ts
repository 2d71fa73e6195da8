import type { Command } from 'commander';
import { type Config, stockRules } from '../config.ts';
import { openAdmin } from '../store/open-admin.ts';
import type { OpenedAdminStore } from '../store/schema/database-metadata.ts';
import { type Output, runCommand } from './output.ts';
import { requirePepper } from './pepper.ts';
import { refuseLeft, refuseOtherEnvironment, refuseSample } from './prepare-database.ts';
import { withRecorded } from './service-settings.ts';

type Use = 'accept' | 'refuse';

interface Uses<Given extends unknown[] = never> {
  readonly sample?: Use;
  readonly left?: Use;
  readonly older?: Use;
  /** Whether a database file must stay as it is, with its log. */
  readonly isUnchanged?: boolean;
  /** Refuses a wrong command line, before the database is opened. */
  readonly check?: (command: Command, ...given: Given) => void;
}

/** What a command on a database works with. */
export interface DatabaseRun {
  readonly store: OpenedAdminStore;
  /** The configuration as the service of this database has it. */
  readonly settings: Config;
  /** The configuration of the environment of the command. */
  readonly config: Config;
  readonly command: Command;
}

/**
 * The action of a command that opens the configured database for its work, and prints the result.
 * @param work Gets the arguments and the options of the command line.
 */
export function databaseCommand<Given extends unknown[]>(
  work: (run: DatabaseRun, ...given: Given) => Output | Promise<Output>,
  { check, ...uses }: Uses<Given> = {},
): (...given: [...Given, ...unknown[]]) => Promise<void> {
  return (...words) => {
    const command = words.at(-1) as Command;
    const given = words.slice(0, -1) as Given;
    return runCommand(command, (config) => {
      check?.(command, ...given);
      const onStore = async (store: OpenedAdminStore, settings: Config) =>
        work({ store, settings, config, command }, ...given);
      return withDatabase(config, onStore, uses);
    });
  };
}

/**
 * Opens the configured database for one piece of work, and closes it also after an error. The work also gets the
 * configuration as the service of this database has it.
 * @param options.sample `refuse` for work that sets a shop up.
 * @param options.left `accept` for work that only reads, and is of use after the shop moved to another database.
 * @param options.older `accept` for work on the schema of an older release too.
 */
export async function withDatabase<T>(
  config: Config,
  work: (store: OpenedAdminStore, settings: Config) => Promise<T>,
  { sample = 'accept', left = 'refuse', older = 'refuse', isUnchanged = false }: Omit<Uses, 'check'> = {},
): Promise<T> {
  const store = await openAdmin(config.database, {
    rules: ({ settings }) => stockRules(withRecorded(config, settings)),
    pepper: (expectedCheck) => requirePepper(config, expectedCheck),
    acceptsOlder: older === 'accept',
    isUnchanged,
  });
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
