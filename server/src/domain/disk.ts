import { type ApiError, NotReady, serviceUnavailable } from './errors.ts';

/** The disk of a database, in bytes. */
export interface DiskLimits {
  /** Disk space that files of pets and their plans leave for changes. */
  readonly reserveBytes: number;
  /** Disk space that a PostgreSQL database may take; `undefined`: unknown. */
  readonly capacityBytes: number | undefined;
}

/** SQLITE_FULL (sqlite.org/rescode.html). */
const SQLITE_FULL = 13;
/** SQLSTATE disk_full. */
const POSTGRES_DISK_FULL = '53100';
/** The operator must make room first. */
const FULL_RETRY_SECONDS = 30;

const DISK_FULL = 'The disk of the database is full; nothing was changed.';

/** Whether an error of a database, or its cause, says that its disk has no room. */
export function isDiskFull(error: unknown): boolean {
  const { errcode = 0, code, cause } = Object(error) as { errcode?: number; code?: unknown; cause?: unknown };
  return (
    errcode % 256 === SQLITE_FULL || code === POSTGRES_DISK_FULL || (cause !== undefined && isDiskFull(cause))
  );
}

/** Whether the system refuses a file or a folder to this user, who is often not that of the service. */
export function isForbidden(error: unknown): boolean {
  return ['EACCES', 'EPERM'].includes((Object(error) as { code?: string }).code ?? '');
}

export function diskFull(cause: unknown): ApiError {
  return serviceUnavailable(DISK_FULL, cause, FULL_RETRY_SECONDS);
}

/** Why a service whose disk is full is not ready. */
export function notReadyForFullDisk(): NotReady {
  return new NotReady('The disk of the database is full: changes are refused until it has room.');
}

/** Settings of a PostgreSQL server; when one is off, a crash of the server can lose acknowledged changes. */
export const DURABILITY_SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit'] as const;
