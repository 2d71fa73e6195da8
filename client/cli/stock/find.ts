import { parseLimit } from '@petstore-inventory/shared/terminal/list-limit';
import type { Paint } from '@petstore-inventory/shared/terminal/paint';
import { safe } from '@petstore-inventory/shared/terminal/safe-text';
import { tableLines } from '@petstore-inventory/shared/terminal/table';
import { thousands } from '@petstore-inventory/shared/terminal/texts';
import type { Command } from 'commander';
import type { CatalogPet } from '../../src/index.ts';
import { addCommand, JSON_LINES } from '../command.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { FailedResult } from '../failure.ts';
import { runCommand } from '../run.ts';

const DEFAULT_LIMIT = 20;
const MAX_PAGE = 1_000;

/** Adds the search of the catalog. */
export function addFind(program: Command, context: Context): void {
  addCommand(program, 'find', {
    summary: 'find pets by barcode, SKU, petId, or words of name and category',
    notes:
      'The pet with exactly this code comes first. A GTIN is found with 8, 12, 13 and 14 digits. If no pet matches, the exit code is 4.',
    json: JSON_LINES,
    examples: ['find 4006381333931', 'find DOG-0042', 'find golden retr --json'],
  })
    .argument('<words...>', 'a code, or words, all of which the pet must have')
    .option('--limit <n>', 'at most this many pets', parseLimit, DEFAULT_LIMIT)
    .action((words: readonly string[], { limit }: { readonly limit: number }, command: Command) =>
      runCommand(context, command, async ({ client, printer, request, wait }) => {
        const query = { q: words.join(' '), limit: Math.min(limit, MAX_PAGE) };
        const found = await wait('Finding pets', async () => {
          const pets: CatalogPet[] = [];
          for await (const pet of client.catalog.list(query, request)) {
            pets.push(pet);
            if (pets.length >= limit) break;
          }
          return pets;
        });
        await printer.list(found, () => linesOf(found, printer.paint));
        if (found.length === 0) throw new FailedResult('No pets match.', EXIT.notFound);
      }),
    );
}

function linesOf(pets: readonly CatalogPet[], paint: Paint): Iterable<string> {
  if (pets.length === 0) return [];
  const rows = pets.map(({ petId, name, sku, barcodes, quantity, available, status }) => [
    `${petId}`,
    safe(name ?? ''),
    safe(sku ?? ''),
    barcodes.map(safe).join(' '),
    thousands(quantity),
    thousands(available),
    paint.state(safe(status)),
  ]);
  return tableLines(['PET', 'NAME', 'SKU', 'BARCODES', 'QUANTITY', 'AVAILABLE', 'STATUS'], rows, paint);
}
