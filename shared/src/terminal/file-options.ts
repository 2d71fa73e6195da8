import { type Command, Option } from 'commander';
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
    .option('--ignore <columns>', 'leave these columns out, with commas between them; repeatable', collect);
}

function collect(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, ...text.split(',').map((name) => name.trim())];
}
