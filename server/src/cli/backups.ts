import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseDurationSeconds } from '@petstore-inventory/shared/terminal/arguments';
import { withProgress } from '@petstore-inventory/shared/terminal/progress';
import { count } from '@petstore-inventory/shared/terminal/texts';
import { type Command, InvalidArgumentError } from 'commander';
import type { Config } from '../config.ts';
import { OperatorError } from '../domain/errors.ts';
import type { AuditReport } from '../domain/ledger-store.ts';
import type { NewestBackup } from '../domain/newest-backup.ts';
import { machineTimeMs } from '../domain/timestamps.ts';
import { statNamed } from '../store/complete-file.ts';
import { pepperFile, shownDatabase } from '../store/open-admin.ts';
import { isPostgres } from '../store/open-engine.ts';
import type { OpenedAdminStore } from '../store/schema/database-metadata.ts';
import type { DumpPlace } from '../store/verified-dump.ts';
import { addCommand } from './command.ts';
import { type Output, runCommand } from './output.ts';
import { pepperCheck, readPepper } from './pepper.ts';
import { withDatabase } from './with-database.ts';

interface BackupOptions {
  readonly to?: string;
  /** In milliseconds. */
  readonly keep?: number;
}

/** Adds the commands that back a database up, and check a backup. */
export function addBackups(program: Command): void {
  const backup = addCommand(program, 'backup', {
    summary: 'write a consistent copy of the database; the service may run',
    notes:
      'The copy gets its name only after it is complete, checked and durable. With --to it gets a name with the time, and is ' +
      'restored and verified in a temporary folder. Only then backups of this shop that are older than --keep are deleted.\n' +
      'On PostgreSQL pg_dump makes the copy, and pg_restore and psql verify it in a temporary database: on PATH, or in ' +
      'PETSTORE_POSTGRES_TOOLS, and as new as the server. Only --to needs the right to make databases, or PETSTORE_CHECK_DATABASE.\n' +
      'The pepper is not in it: keep the .pepper file next to the database, or PETSTORE_PEPPER, in another safe place.',
    example: 'backup --to /backups --keep 14d',
  })
    // The options after check are those of check.
    .enablePositionalOptions()
    .argument('[file]', 'a new file')
    .option('--to <folder>', 'a folder for backups, in place of a file')
    .option('--keep <time>', 'with --to: delete backups older than 14d, 12h, …', parseKeep)
    .action((file: string | undefined, options: BackupOptions, command: Command) => {
      if ((file === undefined) === (options.to === undefined)) {
        command.error('error: give a new file, or --to with a folder');
      }
      if (options.keep !== undefined && options.to === undefined) {
        command.error('error: --keep needs --to');
      }
      return runCommand(command, (config) =>
        file === undefined ? backupToFolder(command, config, options) : backupToFile(command, config, file),
      );
    });
  addCheck(backup);
}

async function backupToFile(command: Command, config: Config, file: string): Promise<Output> {
  await writeCopy(command, config, file, 'accept');
  const { bytes, pepper, advice } = copyFacts(config, file);
  return {
    value: { file, bytes, pepper },
    text: `${file} is a complete copy (${count(bytes, 'byte')}). ${advice}`,
  };
}

async function backupToFolder(
  command: Command,
  config: Config,
  { to = '.', keep }: BackupOptions,
): Promise<Output> {
  const { backupName, backupsIn, checkBackup, removeOlder, removePartials } =
    await import('../store/backup-folder.ts');
  const folder = resolve(to);
  backupsIn(folder);
  const nowMs = machineTimeMs();
  removePartials(folder, nowMs);
  // Before the work of the copy, a place to verify it in.
  const place = isPostgres(config.database) ? dumpPlace(config) : undefined;
  if (place) await (await import('../store/verified-dump.ts')).requireDumpPlace(place);
  const file = join(folder, backupName(nowMs, place ? 'dump' : 'db'));
  // A timer that still names a database which its shop left would make backups of nothing.
  const madeAtMs = await writeCopy(command, config, file, 'refuse');
  const { report } = await withProgress(command, (progress) => {
    progress.show(`Verifying ${file}`);
    return checkBackup(file, () => dumpPlace(config), progress.report);
  });
  const { faults, head } = report;
  const { bytes, pepper, advice } = copyFacts(config, file);
  const isIntact = faults.length === 0;
  const { sequence } = head;
  // First, because a backup that cannot be deleted makes this one no worse.
  const unrecorded = isIntact ? await recordBackup(config, { madeAtMs, sequence, bytes }) : undefined;
  const { removed: deleted, spared } =
    isIntact && keep !== undefined
      ? await removeOlder(folder, file, { nowMs, keepMs: keep }, config.postgresTools)
      : { removed: [], spared: [] };
  return {
    value: { file, bytes, pepper, head, faults, deleted, spared, unrecorded: unrecorded ?? null },
    text: isIntact
      ? `${file} is a verified copy (${count(bytes, 'byte')}). ${endOf(report)}${olderText(deleted, spared)} ${advice}`
      : [`${file} is a complete copy (${count(bytes, 'byte')}).`, ...faults].join('\n'),
    ...(unrecorded !== undefined && { failure: unrecorded }),
    ...(!isIntact && {
      failure: `${count(faults.length, 'fault')} found in the copy; no older backup was deleted. Run petstore-server verify on the database.`,
    }),
  };
}

/** Sentences about backups that are older than `--keep`. */
function olderText(deleted: readonly string[], spared: readonly string[]): string {
  const removed = deleted.length === 0 ? '' : ` ${count(deleted.length, 'older backup')} deleted.`;
  if (spared.length === 0) return removed;
  return `${removed} No backup was made for longer than --keep, so ${count(spared.length, 'backup')} from before that ${spared.length === 1 ? 'stays' : 'stay'}; is the clock right?`;
}

/** @returns The time before the copy, by the clock of the database. */
function writeCopy(
  command: Command,
  config: Config,
  file: string,
  left: 'accept' | 'refuse',
): Promise<number> {
  return withProgress(command, (progress) => {
    progress.show(`Copying and checking ${shownDatabase(config.database)}`);
    const copy = async (store: OpenedAdminStore) => {
      const madeAtMs = await store.now();
      await store.backup(file, { tools: config.postgresTools, progress: progress.report });
      return madeAtMs;
    };
    return withDatabase(config, copy, { left, older: 'accept' });
  });
}

/**
 * Records a verified backup for metrics and alerts.
 * @returns Why it could not, as a sentence.
 */
async function recordBackup(config: Config, backup: NewestBackup): Promise<string | undefined> {
  try {
    await withDatabase(config, (store) => store.recordBackup(backup), { older: 'accept' });
    return undefined;
  } catch (error) {
    return `The backup is verified, but the database could not record it (${(error as Error).message}), so its age is that of the one before.`;
  }
}

/** Where backups of PostgreSQL are restored. @throws OperatorError when no server is configured. */
export function dumpPlace({ database, checkDatabase, postgresTools: tools }: Config): DumpPlace {
  const place = checkDatabase === '' ? database : checkDatabase;
  if (isPostgres(place)) return { tools, checkDatabase: place };
  throw new OperatorError(
    'A backup of PostgreSQL is checked in a temporary database; set PETSTORE_CHECK_DATABASE, or PETSTORE_DATABASE, to a database of a server.',
  );
}

function copyFacts(config: Config, file: string) {
  const ownFile = config.pepper === '' ? pepperFile(config.database) : undefined;
  const pepper = ownFile ?? 'PETSTORE_PEPPER';
  return {
    bytes: statSync(file).size,
    pepper,
    advice: `API keys also need the pepper, which is not in the copy: keep ${pepper} in another safe place.`,
  };
}

function addCheck(backup: Command): void {
  addCommand(backup, 'check', {
    summary: 'restore a backup into a temporary place, and verify it there',
    notes:
      'Of a folder, the newest backup is checked. Exits with 1 if there is a fault, or no backup. The temporary folder needs ' +
      'room for the backup (TMPDIR); it is removed also after a failure or a signal. The backup is unchanged.\n' +
      'A backup of PostgreSQL is restored into a temporary database on the server of PETSTORE_CHECK_DATABASE, or of ' +
      'PETSTORE_DATABASE.',
    example: 'backup check /backups',
  })
    .argument('<file or folder>', 'a backup, or the folder of backup --to')
    .action((path: string, _options, command: Command) =>
      runCommand(command, async (config) => {
        const { backupsIn, checkBackup } = await import('../store/backup-folder.ts');
        const isFolder = statNamed(path)?.isDirectory() === true;
        const file = isFolder ? backupsIn(path)[0]?.file : path;
        if (file === undefined) {
          throw new OperatorError(`${path} has no backup that petstore-server backup --to made.`);
        }
        const { identity, report, migrations } = await withProgress(command, (progress) => {
          progress.show(`Verifying ${file}`);
          return checkBackup(file, () => dumpPlace(config), progress.report);
        });
        const { faults, pets, movements, head } = report;
        const older =
          migrations.length > 0 ? ' An older release made it; a restore brings it up to this one.' : '';
        return {
          value: {
            file,
            pets,
            movements,
            head,
            faults,
            migrations,
            pepper: pepperState(config, identity.pepperCheck),
          },
          text:
            faults.length > 0
              ? faults.join('\n')
              : `${file} can be restored: ${count(pets, 'pet')}, ${count(movements, 'movement')}. ${endOf(report)}${older}`,
          ...(faults.length > 0 && {
            failure: `${count(faults.length, 'fault')} found in ${file}; use another backup.`,
          }),
        };
      }),
    );
}

/** A sentence about the end of the ledger in a backup. */
export function endOf({ head }: AuditReport): string {
  return head.sequence === 0
    ? 'The ledger is empty.'
    : `The ledger ends at movement ${head.sequence}, hash ${head.hash}.`;
}

/** Whether the configured pepper is that of the keys of a backup. */
export function pepperState(config: Config, expectedCheck: string): 'right' | 'wrong' | 'missing' {
  const pepper = readPepper(config);
  if (!pepper) return 'missing';
  return pepperCheck(pepper) === expectedCheck ? 'right' : 'wrong';
}

function parseKeep(text: string): number {
  const seconds = parseDurationSeconds(text);
  if (seconds === undefined || seconds === 0) {
    throw new InvalidArgumentError('Give a duration such as 14d or 12h.');
  }
  return seconds * 1_000;
}
