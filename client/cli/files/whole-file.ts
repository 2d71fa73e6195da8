import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { EXIT } from '../exit-codes.ts';
import { CommandFailure } from '../failure.ts';

/** Writes a file that has its name only when it is whole. Only its owner can read it. @throws CommandFailure */
export function writeWholeFile(file: string, pieces: Iterable<string>): void {
  const unfinished = `${file}.${process.pid}.part`;
  try {
    const descriptor = openSync(unfinished, 'w', 0o600);
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
    throw new CommandFailure(`${file} cannot be written (${(error as Error).message}).`, EXIT.failed, error);
  }
}
