import { type Command, InvalidArgumentError, Option } from 'commander';
import { isPetField, type MappedColumn, PET_FIELDS } from '../pet-file/headings.ts';
import {
  DECIMALS,
  type Decimal,
  ENCODINGS,
  type Encoding,
  IMPORT_FORMATS,
  type ImportFormat,
} from '../words.ts';

export interface FileOptions {
  readonly format?: ImportFormat;
  readonly ignore?: readonly string[];
  readonly column?: readonly MappedColumn[];
  readonly decimal?: Decimal;
  readonly encoding?: Encoding;
  readonly sheet?: string;
  readonly goodRows?: true;
  /** Where the bad rows go. */
  readonly badRows?: string;
}

/** Adds how a file of pets is read, for both command lines. */
export function withFileOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--format <format>', 'the format, where neither the name nor the content shows it').choices(
        IMPORT_FORMATS,
      ),
    )
    .addOption(
      new Option('--decimal <mark>', 'the mark of decimals, where the file does not prove it').choices(
        DECIMALS,
      ),
    )
    .addOption(
      new Option('--encoding <encoding>', 'the encoding, where the file does not show it').choices(ENCODINGS),
    )
    .option('--good-rows', 'leave rows with faults out, and write them to a file')
    .option('--bad-rows <file>', 'that file; by default stock.bad.csv for stock.csv')
    .option('--sheet <name>', 'the sheet of a workbook, where several have pets')
    .option('--ignore <columns>', 'leave these columns out, with commas between them; repeatable', collect)
    .option(
      '--column <heading=field>',
      'the field of a column whose heading is not known, such as Artikel=sku; repeatable',
      collectColumn,
    );
}

function collect(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, ...text.split(',').map((name) => name.trim())];
}

/** The last = of the text is before the field: a heading may have one. */
function collectColumn(text: string, earlier: readonly MappedColumn[] = []): readonly MappedColumn[] {
  const at = text.lastIndexOf('=');
  const [heading, field] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  if (at === -1 || heading === '' || !isPetField(field)) {
    throw new InvalidArgumentError(`Give heading=field, with one of the fields ${PET_FIELDS.join(', ')}.`);
  }
  return [...earlier, { heading, field }];
}
