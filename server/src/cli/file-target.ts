import { once } from 'node:events';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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

/** The file has its name only when it is whole. */
function fileTarget(file: string): Target {
  const unfinished = `${file}.part`;
  const descriptor = onDisk(file, () => openSync(unfinished, 'w', 0o600));
  return {
    write: (piece) => onDisk(file, () => writeFileSync(descriptor, piece)),
    finish: () =>
      onDisk(file, () => {
        fsyncSync(descriptor);
        closeSync(descriptor);
        renameSync(unfinished, file);
      }),
    discard: () => {
      rmSync(unfinished, { force: true });
    },
  };
}

/** @throws OperatorError that names the file */
export function onDisk<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new OperatorError(writeFailure(file, error), { cause: error });
  }
}
