import { statSync } from 'node:fs';
import { safe } from './safe-text.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder does not exist',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EBUSY: 'another program uses it',
};

/** Why a file cannot be written, as a sentence without a code where the reason is known. */
export function writeFailure(file: string, error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const reason = isFolder(file) ? 'it is a folder; name a file in it' : REASONS[code];
  return `${safe(file)} cannot be written${reason === undefined ? ` (${safe(message)})` : `: ${reason}`}.`;
}

/** A file that replaces a folder fails with another code on each system, and for `.`. */
function isFolder(file: string): boolean {
  try {
    return statSync(file).isDirectory();
  } catch {
    return false;
  }
}
