import { lstatSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReportProgress } from '@petstore-inventory/shared/report-progress';
import { OperatorError } from '../domain/errors.ts';
import { cleanedUp } from './cleaned-up.ts';
import { isAlive } from './complete-file.ts';
import { shopOf, type VerifiedBackup, verifyCopy } from './verified-copy.ts';

const NAME = /^petstore-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3}Z)\.db$/;
/** The id of the process that made, or left, a temporary folder. */
const CHECK_FOLDER = /^petstore-check-(\d+)-\w+$/;

interface FoundBackup {
  readonly file: string;
  readonly atMs: number;
}

/** The name of a backup made at a time, such as `petstore-20270131T120000.000Z.db`. */
export function backupName(atMs: number): string {
  return `petstore-${new Date(atMs).toISOString().replaceAll(/[-:]/g, '')}.db`;
}

/** The backups of a folder by their names, the newest first. */
export function backupsIn(folder: string): readonly FoundBackup[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new OperatorError(`There is no folder ${folder}; make it first.`);
  }
  return readdirSync(folder)
    .flatMap((name) => {
      const [, year, month, day, hour, minute, second] = NAME.exec(name) ?? [];
      const atMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}`);
      const file = join(folder, name);
      return Number.isNaN(atMs) || !lstatSync(file).isFile() ? [] : [{ file, atMs }];
    })
    .toSorted((a, b) => b.atMs - a.atMs);
}

/**
 * Removes the backups of a shop that are older than a time. Backups of other shops and other files stay.
 * @param verified A verified backup of the shop, which stays.
 * @returns The removed files.
 */
export function removeOlder(folder: string, verified: string, beforeMs: number): readonly string[] {
  const shop = shopOf(verified);
  const old = backupsIn(folder).filter(
    ({ file, atMs }) => atMs < beforeMs && file !== verified && shop !== undefined && shopOf(file) === shop,
  );
  for (const { file } of old) rmSync(file);
  return old.map(({ file }) => file);
}

/**
 * Restores a backup into a temporary folder and verifies it there. The folder is removed also after an error or a signal;
 * the next check removes what a killed one left.
 * @throws OperatorError as `verifyCopy` does.
 */
export async function checkBackup(file: string, progress?: ReportProgress): Promise<VerifiedBackup> {
  removeAbandoned();
  let folder: string | undefined;
  return cleanedUp(
    () => {
      folder = mkdtempSync(join(tmpdir(), `petstore-check-${process.pid}-`));
      return verifyCopy(file, join(folder, 'backup.db'), progress);
    },
    () => {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    },
  );
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
