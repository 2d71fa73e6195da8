import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeWholeFile as writeWhole } from '@petstore-inventory/shared/terminal/whole-file';
import { writeFailure } from '@petstore-inventory/shared/terminal/write-failure';
import { EXIT } from '../exit-codes.ts';
import { CommandFailure } from '../failure.ts';

const FOLDER_OF_OWNER = 0o700;

/** Writes a file that has its name only when it is whole. Only its owner can read it. @throws CommandFailure */
export function writeWholeFile(file: string, pieces: Iterable<string>): void {
  try {
    writeWhole(file, pieces);
  } catch (error) {
    throw unwritable(file, error);
  }
}

/** Writes a whole file that only its owner can read, and makes its folder if it is missing. @throws CommandFailure */
export function writePrivateFile(file: string, pieces: Iterable<string>): void {
  try {
    makeFolder(dirname(file));
  } catch (error) {
    throw unwritable(file, error);
  }
  writeWholeFile(file, pieces);
}

/** Node's own recursive mkdir never ends where the system makes no folder although its parent exists, as in /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: FOLDER_OF_OWNER });
  } catch (error) {
    // Another process may have made it at this moment.
    if (!existsSync(folder)) throw error;
  }
}

function unwritable(file: string, error: unknown): CommandFailure {
  return new CommandFailure(writeFailure(file, error), EXIT.failed, error);
}
