import { withFileOptions } from '@petstore-inventory/shared/terminal/file-options';
import { type Command, Option } from 'commander';
import { addCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { runCommand } from '../run.ts';
import { withExplanation } from '../stock/change-options.ts';
import type { ImportOptions } from './run-import.ts';

/** Adds the import of a file of the stock. */
export function addImport(program: Command, context: Context): void {
  withFileOptions(
    withExplanation(
      addCommand(program, 'import', {
        summary: 'change the stock as a file says, after a preview',
        notes:
          'The file is CSV with a header, .xlsx, a JSON array or NDJSON, with petId, sku or barcodes, quantity, and perhaps status; - is standard input, with --yes. Pets that are not in the file ' +
          'do not change. A pet that has changed since the preview is not changed. After Ctrl-C the same command continues, ' +
          'and changes nothing twice; if the file has changed since, --add is refused until you choose --resume or --fresh. ' +
          'Refused rows go to a file that can be imported again.',
        examples: [
          'import stock.csv --dry-run',
          'import recount.csv --reason cycle_count',
          'import delivery.csv --add --reason received --yes',
        ],
      }),
    ),
  )
    .argument('<file>', 'a .csv, .tsv, .xlsx, .json, .ndjson or .jsonl file, or - for standard input')
    .option(
      '--mapping <file>',
      'read the columns by a mapping, as petstore-server pets mappings show --json writes it',
    )
    .option('--add', 'add the quantities to those of the pets, instead of replacing them; needs --reason')
    .option('--dry-run', 'show what would change, but change nothing')
    .option('--yes', 'do not ask')
    .addOption(
      new Option('--resume', 'finish the interrupted import of the file, as the file was then').conflicts([
        'fresh',
        'dryRun',
      ]),
    )
    .option('--fresh', 'forget an interrupted import of the file, and import the whole file')
    .option('--failed <file>', 'where refused rows go; by default stock.failed.csv for stock.csv')
    .action((file: string, options: ImportOptions, command: Command) => {
      if (options.add && !options.resume && options.reason === undefined)
        return command.error('error: --add needs --reason');
      return runCommand(context, command, async (run) => {
        // Loaded here, because the readers of files are most of this program.
        const { Import } = await import('./run-import.ts');
        await new Import(run, file, options, command).run();
      });
    });
}
