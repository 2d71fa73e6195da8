import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { OperatorError } from '../domain/errors.ts';
import type { ImportResult } from '../domain/store.ts';
import { type ClockOptions, requireRightClock, withAcceptClock } from './accept-clock.ts';
import { addCommand, addGroup } from './command.ts';
import { readPetFile } from './pet-file/read.ts';
import { count, runCommand, thousands } from './terminal/output.ts';
import { withProgress } from './terminal/progress.ts';
import { withDatabase } from './with-database.ts';

/** The author that the ledger records for a change by the command line. */
const ACTOR = 'cli';

/** Adds the commands for pets. */
export function addPets(program: Command): void {
  const pets = addGroup(program, 'pets', 'the animals and their stock');

  const importing = addCommand(pets, 'import', {
    summary: 'create and update pets from a file, all or none',
    notes:
      'The file is CSV with a header, a JSON array or NDJSON, with petId, name, category, quantity and status.\n' +
      'Pets that are not in the file do not change, nor does a value whose field is empty or missing.',
    example: 'pets import pets.csv',
  });
  withAcceptClock(importing)
    .argument('<file>', 'a .csv, .json, .ndjson or .jsonl file')
    .action((file: string, options: ClockOptions, command: Command) =>
      runCommand(command, async (config) => {
        const { created, changed, unchanged } = await withProgress(command, (progress) =>
          importPetFile(config, file, { ...options, onStep: (step) => progress.show(step) }),
        );
        return {
          value: { created, changed, unchanged },
          text: `${count(created + changed + unchanged, 'pet')} imported from ${file}: ${thousands(created)} new, ${thousands(changed)} with another stock, ${thousands(unchanged)} with the same stock.`,
        };
      }),
    );
}

interface ImportOptions extends ClockOptions {
  /** Called with the name of each step before it begins. */
  readonly onStep?: (step: string) => void;
}

/** Imports a file of pets. The file is read and checked before the database is opened. */
export async function importPetFile(
  config: Config,
  file: string,
  options: ImportOptions = {},
): Promise<ImportResult> {
  options.onStep?.(`Reading ${file}`);
  const rows = readPetFile(file);
  const tooMany = rows.find(({ quantity }) => quantity > config.maxQuantity);
  if (tooMany) {
    throw new OperatorError(
      `${file}: pet ${tooMany.petId} has a quantity of ${tooMany.quantity}, above PETSTORE_MAX_QUANTITY (${config.maxQuantity}); nothing was imported.`,
    );
  }
  return withDatabase(config, async (store) => {
    await requireRightClock(store, options);
    options.onStep?.(`Importing ${count(rows.length, 'pet')}`);
    return store.importPets(rows, ACTOR);
  });
}
