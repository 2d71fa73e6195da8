import { once } from 'node:events';
import { closeSync, openSync, readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { openWholeFile, type Readers, writeWholeFile } from '@petstore-inventory/shared/terminal/whole-file';
import { writeFailure } from '@petstore-inventory/shared/terminal/write-failure';
import { OperatorError } from '../domain/errors.ts';
import { cleanedUp } from '../store/cleaned-up.ts';
import { statNamed } from '../store/complete-file.ts';

/** The argument that names standard output. */
export const STANDARD_OUTPUT = '-';

/** How the files begin that hold a shop: a database, a backup of PostgreSQL, and the pepper of the keys. */
const OF_SHOP = /^(?:SQLite format 3\0|PGDMP|[0-9a-f]{64}\s?$)/;
/** A pepper, its line end, and one more. */
const HEAD_BYTES = 66;

/** After this time a signal is looked for: reads of a database file leave no turn of the event loop to it. */
const TURN_MS = 50;

/** Where the text of an export goes. */
interface Target {
  write(piece: string | Uint8Array): void | Promise<void>;
  /** Keeps all that was written. */
  finish(): void;
  /** Keeps nothing. */
  discard(): void;
}

/**
 * Writes all pieces, or nothing: after an error or a signal, a file is as it was before.
 * @param file A name, or `-` for standard output.
 * @throws OperatorError that names the file
 */
export async function writePieces(
  file: string,
  pieces: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
): Promise<void> {
  const target = targetOf(file);
  let isKept = false;
  await cleanedUp(
    async () => {
      let turnedAtMs = performance.now();
      for await (const piece of pieces) {
        await target.write(piece);
        if (performance.now() - turnedAtMs < TURN_MS) continue;
        await setImmediate();
        turnedAtMs = performance.now();
      }
      target.finish();
      isKept = true;
    },
    () => {
      if (!isKept) target.discard();
    },
  );
}

function targetOf(file: string): Target {
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
  refuseShop(file);
  const whole = onDisk(file, () => openWholeFile(file));
  return {
    write: (piece) => onDisk(file, () => whole.write(piece)),
    finish: () => onDisk(file, () => whole.finish()),
    discard: () => whole.discard(),
  };
}

/** Writes a file that has its name only when it is complete. @throws OperatorError that names the file */
export function writeFile(file: string, text: string, readers: Readers = 'owner'): void {
  refuseShop(file);
  onDisk(file, () => writeWholeFile(file, [text], readers));
}

/** @throws OperatorError if a wrong name would destroy a shop. */
function refuseShop(file: string): void {
  if (!statNamed(file)?.isFile() || !OF_SHOP.test(headOf(file))) return;
  throw new OperatorError(`${file} holds a shop; name another file.`);
}

/** The first bytes of a file; none of one that this user may not read. */
function headOf(file: string): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r');
    const head = Buffer.alloc(HEAD_BYTES);
    return head.toString('latin1', 0, readSync(descriptor, head, 0, HEAD_BYTES, 0));
  } catch {
    return '';
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** @throws OperatorError that names the file */
function onDisk<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new OperatorError(writeFailure(file, error), { cause: error });
  }
}
