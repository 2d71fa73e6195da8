import { createHmac, randomBytes } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from '../config.ts';
import { OperatorError } from '../domain/errors.ts';
import { pepperFile } from '../store/open-admin.ts';

const PEPPER_BYTES = 32;
const PEPPER_SHAPE = /^[0-9a-f]{64}$/;
const OTHERS_MAY_READ = 0o077;

/** A digest that identifies the pepper of a database and reveals nothing else. */
export function pepperCheck(pepper: Uint8Array): string {
  return createHmac('sha256', pepper).update('petstore').digest('hex');
}

/**
 * The pepper of a database that may have keys.
 * @throws OperatorError when it is missing, or not the one that the keys are hashed under.
 */
export function requirePepper(config: Config, expectedCheck: string): Uint8Array {
  const pepper = readPepper(config);
  const file = pepperFile(config.database);
  if (!pepper) {
    if (file === undefined) throw unsetPepper();
    throw new OperatorError(
      `${file} is missing, and without it no API key can be checked; restore it, or set PETSTORE_PEPPER to its content.`,
    );
  }
  if (pepperCheck(pepper) !== expectedCheck) {
    const source = config.pepper === '' ? file : 'PETSTORE_PEPPER';
    throw new OperatorError(
      `${source} is not the pepper that the API keys of this database are hashed under; restore the right one.`,
    );
  }
  return pepper;
}

/** The configured pepper, or the one in the file next to the database, if there is one. */
export function readPepper(config: Config): Uint8Array | undefined {
  if (config.pepper !== '') return Buffer.from(config.pepper);
  const file = pepperFile(config.database);
  if (file === undefined) return undefined;
  const descriptor = openIfThere(file);
  if (descriptor === undefined) return undefined;
  try {
    if (process.platform !== 'win32' && (fstatSync(descriptor).mode & OTHERS_MAY_READ) !== 0) {
      throw new OperatorError(`${file} can be read by others than its owner; run chmod 600 ${file}.`);
    }
    const text = readFileSync(descriptor, 'utf8').trim();
    if (!PEPPER_SHAPE.test(text)) {
      throw new OperatorError(`${file} holds no pepper, which is 64 hexadecimal digits; restore it.`);
    }
    return Buffer.from(text);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Makes a pepper in a file next to the database, readable by its owner only. The file is durable when this returns.
 * The digits themselves are the secret, so an operator can copy them to PETSTORE_PEPPER.
 */
export function makePepper(config: Config): Uint8Array {
  const file = requirePepperFile(config);
  const text = randomBytes(PEPPER_BYTES).toString('hex');
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    writeSync(descriptor, `${text}\n`);
    fsyncSync(descriptor);
  } catch (error) {
    // Every later start would refuse an incomplete pepper.
    rmSync(file, { force: true });
    throw new OperatorError(
      `${file} cannot be written (${(error as Error).message}); make room and try again.`,
      {
        cause: error,
      },
    );
  } finally {
    closeSync(descriptor);
  }
  if (process.platform !== 'win32') flushFolder(dirname(file));
  return Buffer.from(text);
}

/** Where a pepper can be made. @throws OperatorError when there is no such file. */
export function requirePepperFile(config: Config): string {
  const file = pepperFile(config.database);
  if (file === undefined) throw unsetPepper();
  return file;
}

/** Instances that share a database share its pepper, but no file. */
function unsetPepper(): OperatorError {
  return new OperatorError(
    'PETSTORE_PEPPER must be set with a PostgreSQL database, to the same secret on every instance; openssl rand -hex 32 makes one.',
  );
}

function openIfThere(file: string): number | undefined {
  try {
    return openSync(file, 'r');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new OperatorError(`${file} cannot be read (${message}); run as its owner.`, { cause: error });
  }
}

function flushFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
