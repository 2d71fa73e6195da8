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

/** Modes of `sslmode` in which `pg` checks the authority and the host, as in `verify-full`. */
const CHECKED_MODES = /(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/;

/** The address with `verify-full` for the modes in which `pg` checks as much, and warns that a later version may not. */
export function checkedTls(url: string): string {
  return url.includes('uselibpqcompat=') ? url : url.replace(CHECKED_MODES, 'verify-full');
}

/** The error of an operator's command or of a start whose database accepts no connection, or was refused. */
export function unreachable(url: string, cause: unknown): OperatorError {
  if (cause instanceof OperatorError) return cause;
  return new OperatorError(
    `${shownAddress(url)} cannot be reached (${reasonOf(cause)}); ${remedyOf(cause)}`,
    { cause },
  );
}

/** What Node adds to some errors of certificates. It is of no use here, where the address names the authority. */
const ADVICE_OF_NODE = '; if the root CA ';

/** A failed connection to a name with several addresses has one error per address, and no message of its own. */
function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const reason = first instanceof Error ? first.message : String(first);
  return reason.split(ADVICE_OF_NODE, 1)[0] ?? reason;
}

const NOT_NOW: ReadonlySet<unknown> = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']);
/** Codes of a certificate whose authority is not known (docs of `node:tls`, X509 certificate error codes). */
const UNKNOWN_AUTHORITY =
  /^(?:UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(?:_LOCALLY)?)|(?:DEPTH_ZERO_)?SELF_SIGNED_CERT(?:_IN_CHAIN)?)$/;

/** What an operator can do about the cause. */
function remedyOf(cause: unknown): string {
  const { code, syscall, message } = (cause ?? {}) as NodeJS.ErrnoException;
  if (NOT_NOW.has(code)) return 'renew the certificate of the server, or correct the clock of this machine.';
  if (UNKNOWN_AUTHORITY.test(code ?? ''))
    return 'does sslrootcert in the address name the certificate of the authority that signed that of the server?';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'is the host in the address one that the certificate of the server names?';
  if (code?.startsWith('ERR_OSSL_'))
    return 'do sslrootcert, sslcert and sslkey in the address name certificates and a key in PEM?';
  if (syscall === 'open' || syscall === 'read')
    return 'do sslrootcert, sslcert and sslkey in the address name files that can be read?';
  if (message === 'The server does not support SSL connections')
    return 'set ssl = on there, or another sslmode in the address.';
  return 'is the server running, and are the host, the name and the password right?';
}
