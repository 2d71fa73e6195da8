import { MAX_NAME } from '@petstore-inventory/shared/limits';
import { InvalidArgumentError } from 'commander';
import { nameOf } from '../domain/actions/accounts.ts';

/** Reads the name of an account or a key: one line, not empty. */
export function parseName(text: string): string {
  const name = nameOf(text);
  if (name === undefined) throw new InvalidArgumentError(`Give 1 to ${MAX_NAME} characters on one line.`);
  return name;
}
