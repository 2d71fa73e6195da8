import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS } from '@petstore-inventory/shared/durations';
import type { ReportProgress } from '@petstore-inventory/shared/report-progress';
import { OperatorError } from '../domain/errors.ts';
import { cleanedUp } from './cleaned-up.ts';
import { isAlive, statNamed } from './complete-file.ts';
import { isDump, shopOfDump } from './postgres/admin/dump.ts';
import type { VerifiedBackup } from './verified-backup.ts';
import { shopOf as shopOfCopy, verifyCopy } from './verified-copy.ts';
import { type DumpPlace, verifyDump } from './verified-dump.ts';

const NAME = /^petstore-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3}Z)\.(?:db|dump)$/;
/** What a backup that is killed leaves. */
const PARTIAL_NAME = /^petstore-\d{8}T\d{6}\.\d{3}Z\.(?:db|dump)\.partial-\d+(?:-journal)?$/;
/** A running backup writes all the time. Process ids say nothing: it may run in another container. */
const ABANDONED_AFTER_MS = DAY_MS;
/** The id of the process that made, or left, a temporary folder. */
const CHECK_FOLDER = /^petstore-check-(\d+)-\w+$/;

interface FoundBackup {
  readonly file: string;
  readonly atMs: number;
}

/** The name of a backup made at a time, such as `petstore-20270131T120000.000Z.db`, or with `.dump` of PostgreSQL. */
export function backupName(atMs: number, ending: 'db' | 'dump' = 'db'): string {
  return `petstore-${new Date(atMs).toISOString().replaceAll(/[-:]/g, '')}.${ending}`;
}

/** The backups of a folder by their names, the newest first. */
export function backupsIn(folder: string): readonly FoundBackup[] {
  if (!statNamed(folder)?.isDirectory()) {
    throw new OperatorError(`There is no folder ${folder}; make it first.`);
  }
  return readdirSync(folder)
    .flatMap((name) => {
      const [, year, month, day, hour, minute, second] = NAME.exec(name) ?? [];
      const atMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}`);
      const file = join(folder, name);
      // Another backup may delete it at this moment.
      const isFile = lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;
      return Number.isNaN(atMs) || !isFile ? [] : [{ file, atMs }];
    })
    .toSorted((a, b) => b.atMs - a.atMs);
}

interface OlderBackups {
  /** Files that this call removed, without files that another backup removed at the same moment. */
  readonly removed: readonly string[];
  /** Older backups that stay, because they are from before a long pause. */
  readonly spared: readonly string[];
}

/**
 * Removes the backups of a shop that are older than a time. Backups of other shops and other files stay.
 *
 * A pause between two backups that is longer than they are kept counts as half of that time, because the clock may be
 * wrong: one that is a year ahead would leave the newest backup only. So half of them stay until those after it are as old.
 * @param verified A verified backup of the shop, which stays.
 * @param keep The time now, and how long backups are kept.
 * @param tools As of `DumpPlace`.
 * @throws OperatorError when one cannot be removed.
 */
export async function removeOlder(
  folder: string,
  verified: string,
  { nowMs, keepMs }: { readonly nowMs: number; readonly keepMs: number },
  tools: string,
): Promise<OlderBackups> {
  const older = { removed: [] as string[], spared: [] as string[] };
  const past = backupsIn(folder).filter(({ atMs }) => atMs <= nowMs);
  if (!past.some(({ atMs }) => atMs < nowMs - keepMs)) return older;
  const shopOf = (file: string) => (isDump(file) ? shopOfDump(file, tools) : shopOfCopy(file));
  const shop = await shopOf(verified);
  let [laterMs, ageMs] = [nowMs, 0];
  for (const { file, atMs } of past) {
    if (file !== verified && (shop === undefined || (await shopOf(file)) !== shop)) continue;
    const pauseMs = laterMs - atMs;
    ageMs += pauseMs > keepMs ? keepMs / 2 : pauseMs;
    laterMs = atMs;
    if (file === verified || atMs >= nowMs - keepMs) continue;
    if (ageMs <= keepMs) older.spared.push(file);
    else if (removeIfThere(file)) older.removed.push(file);
  }
  return older;
}

/** Removes what killed backups to a folder left a day ago or earlier. */
export function removePartials(folder: string, nowMs: number): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const found = PARTIAL_NAME.test(name) ? lstatSync(file, { throwIfNoEntry: false }) : undefined;
    if (!found?.isFile() || nowMs - found.mtimeMs <= ABANDONED_AFTER_MS) continue;
    // One of another user stays: it is in the way of no backup.
    try {
      rmSync(file, { force: true });
    } catch {}
  }
}

/** @returns Whether it was there. */
function removeIfThere(file: string): boolean {
  try {
    rmSync(file);
    return true;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return false;
    throw new OperatorError(`${file} cannot be deleted (${message}); let this user delete files there.`, {
      cause: error,
    });
  }
}

/**
 * Restores a backup of either engine into a temporary place, and verifies it there.
 * @param place Is called for a backup of PostgreSQL.
 * @throws OperatorError as `verifyCopy` and `verifyDump` do.
 */
export async function checkBackup(
  file: string,
  place: () => DumpPlace,
  progress?: ReportProgress,
): Promise<VerifiedBackup> {
  if (!isDump(file)) return checkCopy(file, progress);
  return verifyDump(file, place(), progress, (verified) => verified);
}

/**
 * Restores a backup into a temporary folder and verifies it there. The folder is removed also after an error or a signal;
 * the next check removes what a killed one left.
 */
function checkCopy(file: string, progress?: ReportProgress): Promise<VerifiedBackup> {
  let folder: string | undefined;
  return cleanedUp(
    () => {
      folder = makeCheckFolder();
      return verifyCopy(file, join(folder, 'backup.db'), progress);
    },
    () => {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    },
  );
}

/** @throws OperatorError when nothing can be written to the temporary folder. */
function makeCheckFolder(): string {
  try {
    removeAbandoned();
    return mkdtempSync(join(tmpdir(), `petstore-check-${process.pid}-`));
  } catch (error) {
    throw new OperatorError(
      `The temporary folder ${tmpdir()} cannot be used (${(error as Error).message}); set TMPDIR to a folder that can be, with room for the backup.`,
      { cause: error },
    );
  }
}

function removeAbandoned(): void {
  for (const name of readdirSync(tmpdir())) {
    const [, processId] = CHECK_FOLDER.exec(name) ?? [];
    if (processId === undefined || isAlive(Number(processId))) continue;
    // A folder of another user stays.
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {}
  }
}
