import { PetFileError } from '@petstore-inventory/shared/pet-file/refused-file';
import { isDiskFull } from '../domain/disk.ts';
import { OperatorError } from '../domain/errors.ts';
import { isDamaged } from '../store/sqlite/file/busy.ts';
import { FailedResult } from './output.ts';

const WRONG_USER = 'this user may not use it; run this as the user of the service, or name another place';

/** Why the system refuses a file or a folder, and what to do. */
const REFUSALS: Readonly<Record<string, string>> = {
  EACCES: WRONG_USER,
  EPERM: WRONG_USER,
  ENOENT: 'there is no such file or folder; make it, or name another one',
  ENOTDIR: 'a part of its path is a file, not a folder; name another place',
  EROFS: 'the disk is read-only; name another place',
  ENOSPC: 'the disk is full; make room and try again',
  EISDIR: 'it is a folder; name a file',
  EMFILE: 'the process has too many open files; raise its limit (ulimit -n, or LimitNOFILE of systemd)',
  ENFILE: 'the machine has too many open files; raise its limit (sysctl fs.file-max)',
  EDQUOT: 'the disk quota is used up; make room or enlarge the quota, and try again',
};

/** What happened and what to do, without a stack trace. An error of the operator has a sentence already. */
export function errorSentence(error: unknown): string {
  const isSentence = [OperatorError, PetFileError, FailedResult].some((type) => error instanceof type);
  if (isSentence) return (error as Error).message;
  if (isDiskFull(error)) return 'The disk of the database is full; make room and try again.';
  const message = error instanceof Error ? error.message : String(error);
  if (isDamaged(error)) {
    return `The database file is damaged (${message}); check the disk, run petstore-server verify, and restore a backup only if it finds faults.`;
  }
  const { code = '', path } = Object(error) as NodeJS.ErrnoException;
  const refusal = REFUSALS[code];
  if (path !== undefined && refusal !== undefined) return `${path} cannot be used: ${refusal}.`;
  return `Unexpected error: ${message}`;
}
