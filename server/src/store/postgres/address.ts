import pg from 'pg';
import { serversOf, shownAddress } from '../../domain/database-address.ts';
import { NotReady, OperatorError } from '../../domain/errors.ts';

/**
 * Tries the servers of an address one after the other, as libpq does.
 * @throws The refusal of a server that must not be used, or else what a server answered, or else the first error.
 */
export async function firstServer<T>(url: string, attempt: (server: string) => Promise<T>): Promise<T> {
  const errors: unknown[] = [];
  for (const server of serversOf(url)) {
    try {
      return await attempt(server);
    } catch (error) {
      errors.push(error);
    }
  }
  throw (
    errors.find((error) => error instanceof OperatorError) ??
    errors.find((error) => error instanceof NotReady) ??
    errors.find((error) => error instanceof pg.DatabaseError) ??
    errors[0]
  );
}

/** The error of an operator's command or of a start whose database accepts no connection, or was refused. */
export function unreachable(url: string, cause: unknown): OperatorError {
  if (cause instanceof OperatorError) return cause;
  return new OperatorError(
    `${shownAddress(url)} cannot be reached (${reasonOf(cause)}); is the server running, and are the host, the name and the password right?`,
    { cause },
  );
}

/** A failed connection to a name with several addresses has one error per address, and no message of its own. */
function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first.message : String(first);
}
