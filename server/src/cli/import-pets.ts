import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { OperatorError } from '../domain/errors.ts';
import type { ImportResult } from '../domain/store.ts';
import { type ClockOptions, requireRightClock, withAcceptClock } from './accept-clock.ts';
import { addCommand, addGroup } from './command.ts';
import { answer, count, thousands } from './output.ts';
import { readPetFile } from './pet-file/read.ts';
import { withDatabase } from './with-database.ts';

/** Who the ledger says made a change that came from the command line. */
const ACTOR = 'cli';

/** Adds the commands about pets. */
export function addPets(program: Command): void {
  const pets = addGroup(program, 'pets', 'the animals and their stock');

  const importing = addCommand(pets, 'import', {
    summary: 'create and update pets from a file, all or none',
    notes:
      'The file is CSV with a header, a JSON array or NDJSON, with petId, name, category, quantity and status.\n' +
      'Pets that are not in the file stay as they are, and so does what an empty or missing field does not say.',
    example: 'pets import pets.csv',
  });
  withAcceptClock(importing)
    .argument('<file>', 'a .csv, .json, .ndjson or .jsonl file')
    .action((file: string, options: ClockOptions, command: Command) =>
      answer(command, async (config) => {
        const { created, changed, unchanged } = await importPetFile(config, file, options);
        return {
          value: { created, changed, unchanged },
          text: `${count(created + changed + unchanged, 'pet')} imported from ${file}: ${thousands(created)} new, ${thousands(changed)} with another stock, ${thousands(unchanged)} with the same stock.`,
        };
      }),
    );
}

/** Imports a file of pets. The file is read and checked before the database is opened. */
export async function importPetFile(
  config: Config,
  file: string,
  options: ClockOptions = {},
): Promise<ImportResult> {
  const rows = readPetFile(file);
  const tooMany = rows.find(({ quantity }) => quantity > config.maxQuantity);
  if (tooMany) {
    throw new OperatorError(
      `${file}: pet ${tooMany.petId} has a quantity of ${tooMany.quantity}, above PETSTORE_MAX_QUANTITY (${config.maxQuantity}); nothing was imported.`,
    );
  }
  return withDatabase(config, async (store) => {
    await requireRightClock(store, options);
    return store.importPets(rows, ACTOR);
  });
}
