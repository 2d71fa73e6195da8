import { type ApiError, serviceUnavailable } from '../domain/errors.ts';

/** What callers are told when a database cannot do its part; what is the matter with it is for the log. */

/** Turns whatever fails while a database is read into what callers expect. */
export function unreadable(cause: unknown): never {
  throw serviceUnavailable('The database cannot be read now.', cause);
}

/** A request that must not be answered from a database whose state may be another one after a restart. */
export function unusable(cause: unknown): ApiError {
  return serviceUnavailable('The database cannot be used now.', cause);
}

/** A change that was surely not made. `isBusy`: another process kept the database too long. */
export function notWritten(cause: unknown, isBusy = false): Error {
  return isBusy
    ? serviceUnavailable('The database is busy.', cause, 1)
    : serviceUnavailable('The change cannot be written now; nothing was changed.', cause);
}

/** A change that was not made, because its time would be a wrong one. */
export function wrongClock(cause: unknown): Error {
  return serviceUnavailable('The clock of the service is wrong; nothing was changed.', cause);
}

/** A change that was made or not: nobody heard. */
export function unconfirmed(cause?: unknown): Error {
  return serviceUnavailable('The change could not be confirmed; read it back.', cause);
}
