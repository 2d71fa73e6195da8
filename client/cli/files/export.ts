import { csvInside } from '@petstore-inventory/shared/terminal/csv-inside';
import { safe } from '@petstore-inventory/shared/terminal/safe-text';
import { count } from '@petstore-inventory/shared/terminal/texts';
import { type Command, Option } from 'commander';
import type { InventoryItem } from '../../src/index.ts';
import { addCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { LIST_TIMEOUT_MS, runCommand } from '../run.ts';
import { type MomentOptions, withMoment } from '../stock/list.ts';
import { writeWholeFile } from './whole-file.ts';

const STANDARD_OUTPUT = '-';
const FORMATS = ['csv', 'ndjson', 'json'] as const;
type Format = (typeof FORMATS)[number];
const ROWS_PER_PIECE = 1_000;

interface ExportOptions extends MomentOptions {
  readonly format?: Format;
  readonly json?: true;
}

/** Adds the export of a file of the stock. */
export function addExport(program: Command, context: Context): void {
  withMoment(
    addCommand(program, 'export', {
      summary: 'write the stock of all pets to a file that import reads',
      notes: 'The stock is that of one moment. The file has petId, quantity and status.',
      json: 'print the result as one JSON value, and errors as {"error": "…", "errors": […]}; not with -',
      examples: [
        'export stock.csv',
        'export --format ndjson | wc -l',
        'export monday.csv --as-of 2026-06-01',
      ],
    }),
  )
    .argument('[file]', 'a new or existing file; - is standard output', STANDARD_OUTPUT)
    .addOption(new Option('--format <format>', 'by default that of the name of the file').choices(FORMATS))
    .action((file: string, options: ExportOptions, command: Command) => {
      const isStandardOutput = file === STANDARD_OUTPUT;
      if (isStandardOutput && options.json) return command.error('error: name a file with --json');
      const format = options.format ?? formatOf(file);
      const fault = options.format || format !== 'csv' ? undefined : csvInside(file, FORMATS);
      if (fault !== undefined) return command.error(`error: ${fault}`);
      return runCommand(context, command, async ({ client, printer, request, wait }) => {
        const { asOf, atSequence } = options;
        const { data, inventorySequence } = await wait('Reading the stock', () =>
          client
            .listInventory({ asOf, atSequence }, { ...request, timeoutMs: LIST_TIMEOUT_MS })
            .withResponse(),
        );
        if (isStandardOutput) return printer.lines(linesOf(data, format));
        writeWholeFile(file, piecesOf(linesOf(data, format)));
        await printer.print(
          { file, format, pets: data.length, sequence: inventorySequence ?? null },
          `${count(data.length, 'pet')} exported to ${safe(file)}, as after movement ${inventorySequence}.`,
        );
      });
    });
}

function formatOf(file: string): Format {
  const ending = file.slice(file.lastIndexOf('.') + 1).toLowerCase();
  if (ending === 'jsonl') return 'ndjson';
  return FORMATS.find((format) => format === ending) ?? 'csv';
}

/** The lines of a file. CSV ends its lines as RFC 4180 wants it. */
function* linesOf(items: readonly InventoryItem[], format: Format): Generator<string> {
  if (format === 'csv') yield 'petId,quantity,status\r';
  if (format === 'json') yield '[';
  for (const [i, { petId, quantity, status }] of items.entries()) {
    if (format === 'csv') yield `${petId},${quantity},${status}\r`;
    else {
      const comma = format === 'json' && i < items.length - 1 ? ',' : '';
      yield `{"petId":${petId},"quantity":${quantity},"status":${JSON.stringify(status)}}${comma}`;
    }
  }
  if (format === 'json') yield ']';
}

function* piecesOf(lines: Iterable<string>): Generator<string> {
  let piece: string[] = [];
  for (const line of lines) {
    if (piece.push(`${line}\n`) < ROWS_PER_PIECE) continue;
    yield piece.join('');
    piece = [];
  }
  yield piece.join('');
}
