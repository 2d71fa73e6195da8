import { type Command, Option } from 'commander';
import { IMPORT_FORMATS, type ImportFormat } from '../words.ts';

export interface FileOptions {
  readonly format?: ImportFormat;
  /** Columns and members that are left out. */
  readonly ignore?: readonly string[];
}

/** Adds how a file of pets is read, for both command lines. */
export function withFileOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--format <format>', 'the format, where neither the name nor the content shows it').choices(
        IMPORT_FORMATS,
      ),
    )
    .option('--ignore <columns>', 'leave these columns out, with commas between them; repeatable', collect);
}

function collect(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, ...text.split(',').map((name) => name.trim())];
}
