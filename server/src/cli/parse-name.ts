import { InvalidArgumentError } from 'commander';
import { isStorableLine } from '../domain/storable-text.ts';

const MAX_NAME = 100;

/** Reads the name of an account or a key: one line, not empty. */
export function parseName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > MAX_NAME || !isStorableLine(name)) {
    throw new InvalidArgumentError(`Give 1 to ${MAX_NAME} characters on one line.`);
  }
  return name;
}
