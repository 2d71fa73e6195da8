import { diskFull, isDiskFull } from '../domain/disk.ts';
import { ApiError, NotReady, serviceUnavailable } from '../domain/errors.ts';

/** The errors that callers get when a database fails. Its own error is the cause, for the log. */

/** Throws, for any error while a database is read, the error that callers expect. */
export function unreadable(cause: unknown): never {
  throw serviceUnavailable('The database cannot be read now.', cause);
}

/** The database must not be read: its content may be another one after a restart. */
export function unusable(cause: unknown): ApiError {
  return serviceUnavailable('The database cannot be used now.', cause);
}

/** Another process kept the database locked for as long as a change may wait. */
export class DatabaseBusy extends ApiError {
  constructor(cause: unknown) {
    super('service_unavailable', 'The database is busy.', { headers: { 'Retry-After': '1' }, cause });
  }
}

/** A change that was certainly not made. `isBusy`: another process kept the database locked too long. */
export function notWritten(cause: unknown, isBusy = false): Error {
  if (isDiskFull(cause)) return diskFull(cause);
  return isBusy
    ? new DatabaseBusy(cause)
    : serviceUnavailable('The change cannot be written now; nothing was changed.', cause);
}

/** A change that was refused because its time would be wrong. */
export function wrongClock(cause: unknown): Error {
  return serviceUnavailable('The clock of the service is wrong; nothing was changed.', cause);
}

/** Why a service whose clock is wrong is not ready. @param fault What is wrong, for the log. */
export function notReadyForWrongClock(fault: string): NotReady {
  return new NotReady('The clock of the service is wrong: changes are refused until it is set right.', fault);
}

/** A change whose result is unknown. */
export function unconfirmed(cause?: unknown): Error {
  return serviceUnavailable('The change could not be confirmed; read it back.', cause);
}

/** A call during which the files of the database were lost: a change, or a read that may be of the lost files. */
export function lostMeanwhile(cause: unknown): Error {
  return serviceUnavailable(
    'The database cannot be used now. A change could not be confirmed; read it back.',
    cause,
  );
}
