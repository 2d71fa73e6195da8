import { once } from 'node:events';
import { openWholeFile, type Readers, writeWholeFile } from '@petstore-inventory/shared/terminal/whole-file';
import { writeFailure } from '@petstore-inventory/shared/terminal/write-failure';
import { OperatorError } from '../domain/errors.ts';

/** The argument that names standard output. */
export const STANDARD_OUTPUT = '-';

/** Where the text of an export goes. */
export interface Target {
  write(piece: string | Uint8Array): void | Promise<void>;
  /** Keeps all that was written. */
  finish(): void;
  /** Keeps nothing. */
  discard(): void;
}

/** @param file A name, or `-` for standard output. */
export function targetOf(file: string): Target {
  return file === STANDARD_OUTPUT ? standardOutput() : fileTarget(file);
}

function standardOutput(): Target {
  return {
    write: async (piece) => {
      if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
    },
    finish: () => undefined,
    discard: () => undefined,
  };
}

function fileTarget(file: string): Target {
  const whole = onDisk(file, () => openWholeFile(file));
  return {
    write: (piece) => onDisk(file, () => whole.write(piece)),
    finish: () => onDisk(file, () => whole.finish()),
    discard: () => whole.discard(),
  };
}

/** Writes a file that has its name only when it is complete. @throws OperatorError that names the file */
export function writeFile(file: string, text: string, readers: Readers = 'owner'): void {
  onDisk(file, () => writeWholeFile(file, [text], readers));
}

/** @throws OperatorError that names the file */
function onDisk<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new OperatorError(writeFailure(file, error), { cause: error });
  }
}
