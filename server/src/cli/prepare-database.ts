import type { Config } from '../config.ts';
import { VARIABLES } from '../config-variables.ts';
import type { Environment } from '../domain/access/api-key.ts';
import { OperatorError } from '../domain/errors.ts';
import { prepareStore, previewStore, shownDatabase } from '../store/open-admin.ts';
import type { FoundDatabase, PreparedDatabase, SettleIdentity } from '../store/schema/database-metadata.ts';
import { makePepper, pepperCheck, readPepper, requirePepper, requirePepperFile } from './pepper.ts';

export interface ReadyDatabase extends PreparedDatabase {
  /** The secret under which its keys are hashed. */
  readonly pepper: Uint8Array;
}

/**
 * What a command does with sample data: `make` marks a new database for it, `accept` works with it, and `refuse` leaves
 * it alone, because a shop must not be mixed with it.
 */
export type SampleUse = 'make' | 'accept' | 'refuse';

/**
 * Makes the database if there is none, brings its schema up to this release, and reads or makes its pepper.
 * @throws OperatorError when the database is of another environment than the configured one, its pepper is missing, or
 * its sample data is refused.
 */
export async function prepareDatabase(config: Config, sample: SampleUse = 'refuse'): Promise<ReadyDatabase> {
  const settle = settleIdentity(config, sample, () => makePepper(config));
  const prepared = await prepareStore(config.database, config.acceptUnsafe, settle);
  return { ...prepared, pepper: requirePepper(config, prepared.pepperCheck) };
}

/** Describes what `prepareDatabase` would do, with the file of a new pepper. @throws OperatorError as `prepareDatabase` does. */
export async function previewDatabase(
  config: Config,
): Promise<PreparedDatabase & { readonly newPepperFile: string | null }> {
  let newPepperFile: string | null = null;
  const settle = settleIdentity(config, 'refuse', () => {
    newPepperFile = requirePepperFile(config);
    return new Uint8Array();
  });
  const prepared = await previewStore(config.database, config.acceptUnsafe, settle);
  if (newPepperFile === null) requirePepper(config, prepared.pepperCheck);
  return { ...prepared, newPepperFile };
}

function settleIdentity(config: Config, sample: SampleUse, newPepper: () => Uint8Array): SettleIdentity {
  return (found, hasKeys) => {
    if (found) {
      refuseOtherEnvironment(config, found.environment);
      refuseLeft(config.database, found);
      if (sample === 'refuse') refuseSample(config.database, found);
    }
    const pepper = readPepper(config);
    // Without keys a lost pepper does not matter: a new one replaces it.
    if (found && (pepper || hasKeys)) return found;
    return {
      environment: found?.environment ?? config.environment,
      pepperCheck: pepperCheck(pepper ?? newPepper()),
      isSample: found?.isSample ?? sample === 'make',
    };
  };
}

/** A database keeps its environment. Only an explicit PETSTORE_ENVIRONMENT with another value is a mistake. */
export function refuseOtherEnvironment(config: Config, environment: Environment): void {
  if (process.env.PETSTORE_ENVIRONMENT === undefined || config.environment === environment) return;
  throw new OperatorError(
    `${shownDatabase(config.database)} holds the keys of ${environment}, and PETSTORE_ENVIRONMENT is ${config.environment}; set PETSTORE_DATABASE to the database of ${config.environment}.`,
  );
}

/** @throws OperatorError for a database with sample data, which names what to do instead. */
export function refuseSample(database: string, { isSample }: Pick<FoundDatabase, 'isSample'>): void {
  if (!isSample) return;
  const byDefault = VARIABLES.database.default;
  const other = database === byDefault ? 'sqlite:./data/shop.db' : byDefault;
  throw new OperatorError(
    `${shownDatabase(database)} has the sample data of petstore-server start, and a shop must not be mixed with it. ` +
      `Set PETSTORE_DATABASE to a database of the shop, such as ${other}. ` +
      'To keep pets that you added to the sample, run pets export, and import that file there.',
  );
}

/** @throws OperatorError for a database that its shop left, which says where the shop is. */
export function refuseLeft(database: string, { move }: Pick<FoundDatabase, 'move'>): void {
  if (move?.movedTo === undefined) return;
  // Only a move leads to a server, and only --undo leads back to a file.
  const wasUndone = move.movedTo.startsWith('sqlite:');
  const advice = wasUndone
    ? ''
    : ' If the move was a mistake, petstore-server move with --undo takes it back.';
  throw new OperatorError(
    `The shop of ${shownDatabase(database)} ${wasUndone ? 'went back' : 'moved'} to ${move.movedTo}; ` +
      `set PETSTORE_DATABASE to that database.${advice}`,
  );
}
