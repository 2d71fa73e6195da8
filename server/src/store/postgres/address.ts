import { OperatorError } from '../../domain/errors.ts';

/**
 * A database's address as it may be shown: without a password.
 * @param url A `postgres:` address that `URL` can read.
 */
export function shownAddress(url: string): string {
  const { protocol, username, host, pathname } = new URL(url);
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`;
}

/** The error of an operator's command or of a start whose database accepts no connection. */
export function unreachable(url: string, cause: unknown): OperatorError {
  return new OperatorError(
    `${shownAddress(url)} cannot be reached (${reasonOf(cause)}); is the server running, and are PETSTORE_DATABASE's host, name and password right?`,
    { cause },
  );
}

/** A failed connection to a name with several addresses has one error per address, and no message of its own. */
function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first.message : String(first);
}
