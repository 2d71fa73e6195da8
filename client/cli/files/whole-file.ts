import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeFailure } from '@petstore-inventory/shared/terminal/write-failure';
import { EXIT } from '../exit-codes.ts';
import { CommandFailure } from '../failure.ts';

const ONLY_OWNER = 0o600;
const FOLDER_OF_OWNER = 0o700;

/** Writes a file that has its name only when it is whole. Only its owner can read it. @throws CommandFailure */
export function writeWholeFile(file: string, pieces: Iterable<string>): void {
  const unfinished = `${file}.${process.pid}.part`;
  try {
    // A file that a killed process left may be readable for others.
    rmSync(unfinished, { force: true });
    const descriptor = openSync(unfinished, 'wx', ONLY_OWNER);
    try {
      // Unlike writeSync, it goes on after a disk took only a part, and fails when the disk is full.
      for (const piece of pieces) writeFileSync(descriptor, piece);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw unwritable(file, error);
  }
}

/** Writes a whole file that only its owner can read, and makes its folder if it is missing. @throws CommandFailure */
export function writePrivateFile(file: string, pieces: Iterable<string>): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: FOLDER_OF_OWNER });
  } catch (error) {
    throw unwritable(file, error);
  }
  writeWholeFile(file, pieces);
}

function unwritable(file: string, error: unknown): CommandFailure {
  return new CommandFailure(writeFailure(file, error), EXIT.failed, error);
}
