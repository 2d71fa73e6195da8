import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseDurationSeconds } from '@petstore-inventory/shared/terminal/arguments';
import { withProgress } from '@petstore-inventory/shared/terminal/progress';
import { count } from '@petstore-inventory/shared/terminal/texts';
import { type Command, InvalidArgumentError } from 'commander';
import type { Config } from '../config.ts';
import { OperatorError } from '../domain/errors.ts';
import type { AuditReport } from '../domain/ledger-store.ts';
import { machineTimeMs } from '../domain/timestamps.ts';
import { pepperFile, shownDatabase } from '../store/open-admin.ts';
import { isPostgres } from '../store/open-engine.ts';
import { databaseFile } from '../store/sqlite/open.ts';
import { addCommand } from './command.ts';
import { type Output, runCommand } from './output.ts';
import { pepperCheck, readPepper } from './pepper.ts';
import { refuseLeft, refuseOtherEnvironment } from './prepare-database.ts';
import { withDatabase } from './with-database.ts';

interface BackupOptions {
  readonly to?: string;
  /** In milliseconds. */
  readonly keep?: number;
}

/** A movement that was noted outside the database, with its hash if that is known. */
interface Noted {
  readonly sequence: number;
  readonly hash: string | undefined;
}

interface RestoreOptions {
  readonly replace?: true;
  readonly expect?: Noted;
}

/** Adds the commands that back a database up, check a backup, and restore it. */
export function addBackups(program: Command): void {
  const backup = addCommand(program, 'backup', {
    summary: 'write a consistent copy of the database; the service may run',
    notes:
      'The copy gets its name only after it is complete, checked and durable. With --to it gets a name with the time, and is ' +
      'restored and verified in a temporary folder. Only then backups of this shop that are older than --keep are deleted.\n' +
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
  addRestore(program);
}

async function backupToFile(command: Command, config: Config, file: string): Promise<Output> {
  await writeCopy(command, config, file);
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
  const { backupName, backupsIn, checkBackup, removeOlder } = await import('../store/backup-folder.ts');
  const folder = resolve(to);
  backupsIn(folder);
  const nowMs = machineTimeMs();
  const file = join(folder, backupName(nowMs));
  await writeCopy(command, config, file);
  const { report } = await withProgress(command, (progress) => {
    progress.show(`Verifying ${file}`);
    return checkBackup(file, progress.report);
  });
  const { faults, head } = report;
  const { bytes, pepper, advice } = copyFacts(config, file);
  const isIntact = faults.length === 0;
  const deleted = isIntact && keep !== undefined ? removeOlder(folder, file, nowMs - keep) : [];
  const removed = deleted.length === 0 ? '' : ` ${count(deleted.length, 'older backup')} deleted.`;
  return {
    value: { file, bytes, pepper, head, faults, deleted },
    text: isIntact
      ? `${file} is a verified copy (${count(bytes, 'byte')}). ${endOf(report)}${removed} ${advice}`
      : [`${file} is a complete copy (${count(bytes, 'byte')}).`, ...faults].join('\n'),
    ...(!isIntact && {
      failure: `${count(faults.length, 'fault')} found in the copy; no older backup was deleted. Run petstore-server verify on the database.`,
    }),
  };
}

async function writeCopy(command: Command, config: Config, file: string): Promise<void> {
  await withProgress(command, (progress) => {
    progress.show(`Copying and checking ${shownDatabase(config.database)}`);
    return withDatabase(config, (store) => store.backup(file, progress.report), { left: 'accept' });
  });
}

function copyFacts(config: Config, file: string) {
  const pepper = config.pepper === '' ? pepperFile(config.database) : 'PETSTORE_PEPPER';
  return {
    bytes: statSync(file).size,
    pepper,
    advice: `API keys also need the pepper, which is not in the copy: keep ${pepper} in another safe place.`,
  };
}

function addCheck(backup: Command): void {
  addCommand(backup, 'check', {
    summary: 'restore a backup into a temporary folder, and verify it there',
    notes:
      'Of a folder, the newest backup is checked. Exits with 1 if there is a fault, or no backup. The temporary folder needs ' +
      'room for the backup (TMPDIR); it is removed also after a failure or a signal. The backup is unchanged.',
    example: 'backup check /backups',
  })
    .argument('<file or folder>', 'a backup, or the folder of backup --to')
    .action((path: string, _options, command: Command) =>
      runCommand(command, async (config) => {
        const { backupsIn, checkBackup } = await import('../store/backup-folder.ts');
        const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
        const file = isFolder ? backupsIn(path)[0]?.file : path;
        if (file === undefined) {
          throw new OperatorError(`${path} has no backup that petstore-server backup --to made.`);
        }
        const { identity, report, migrations } = await withProgress(command, (progress) => {
          progress.show(`Verifying ${file}`);
          return checkBackup(file, progress.report);
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

function addRestore(program: Command): void {
  addCommand(program, 'restore', {
    summary: 'verify a backup, and put a copy of it in the place of the database',
    notes:
      'Stop the service first. The backup must be of this service, of this or an older release, without a fault, and of the ' +
      'pepper that is configured. Nothing is changed before all of that is checked.\n' +
      'Revoke again what was revoked after the backup: keys and bans are as old as the backup.',
    example: 'restore /backups/petstore-20270131T120000.000Z.db --expect 4711',
  })
    .argument('<file>', 'a backup')
    .option('--replace', 'keep a database that is there already under another name')
    .option(
      '--expect <sequence[:hash]>',
      'the newest movement that you know, as verify, an event or a client showed it; prints which movements are lost',
      parseNoted,
    )
    .action((file: string, options: RestoreOptions, command: Command) =>
      runCommand(command, (config) => restore(command, config, file, options)),
    );
}

async function restore(
  command: Command,
  config: Config,
  file: string,
  { replace, expect }: RestoreOptions,
): Promise<Output> {
  if (isPostgres(config.database)) {
    throw new OperatorError(
      `PostgreSQL's own tool restores this database, into an empty one: pg_restore --exit-on-error --dbname=${shownDatabase(config.database)} ${file}`,
    );
  }
  const { restoreFile } = await import('../store/restore.ts');
  const { hashOfMovement } = await import('../store/verified-copy.ts');
  const target = databaseFile(config.database);
  const { identity, report, kept, replacedHead } = await withProgress(command, (progress) => {
    progress.show(`Verifying ${file}`);
    return restoreFile(file, target, {
      isReplaced: replace === true,
      keptSuffix: `.replaced-${new Date(machineTimeMs()).toISOString().replaceAll(/[-:]/g, '')}`,
      progress: progress.report,
      check: ({ identity: found, report: { head } }, copy) => {
        refuseOtherEnvironment(config, found.environment);
        refuseLeft(config.database, found);
        if (pepperState(config, found.pepperCheck) === 'wrong') {
          const source = config.pepper === '' ? pepperFile(config.database) : 'PETSTORE_PEPPER';
          throw new OperatorError(
            `${source} is not the pepper that the API keys of ${file} are hashed under; put the right one in place first. Nothing was changed.`,
          );
        }
        if (expect?.hash === undefined || expect.sequence > head.sequence) return;
        const hash = hashOfMovement(copy, expect.sequence);
        if (hash === undefined || hash === expect.hash) return;
        throw new OperatorError(
          `${file} has another hash for movement ${expect.sequence} than --expect, so it is of another history. Nothing was changed.`,
        );
      },
    });
  });
  const { head, pets, movements } = report;
  const known = Math.max(expect?.sequence ?? 0, replacedHead ?? 0);
  const lost = known > head.sequence ? { from: head.sequence + 1, to: known } : null;
  const pepper = pepperState(config, identity.pepperCheck);
  const lines = [
    `${target} is restored from ${file}: ${count(pets, 'pet')}, ${count(movements, 'movement')}. ${endOf(report)}`,
    ...(kept === undefined ? [] : [`The database that was there is now ${kept}.`]),
    ...lostLines(lost, expect),
    ...(pepper === 'missing'
      ? [
          `Put the pepper in ${pepperFile(config.database)}, or set PETSTORE_PEPPER, before you start the service.`,
        ]
      : []),
  ];
  return {
    value: { database: target, file, pets, movements, head, kept: kept ?? null, lost, pepper },
    text: lines.join('\n'),
  };
}

function lostLines(lost: { readonly from: number; readonly to: number } | null, expect?: Noted): string[] {
  if (lost) {
    const { from, to } = lost;
    const range = from === to ? `Movement ${from} is` : `Movements ${from} to ${to} (${to - from + 1}) are`;
    return [`${range} lost, because they came after the backup; enter these changes again.`];
  }
  return expect ? [`Movement ${expect.sequence} is in it; nothing up to there is lost.`] : [];
}

function endOf({ head }: AuditReport): string {
  return head.sequence === 0
    ? 'The ledger is empty.'
    : `The ledger ends at movement ${head.sequence}, hash ${head.hash}.`;
}

function pepperState(config: Config, expectedCheck: string): 'right' | 'wrong' | 'missing' {
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

function parseNoted(text: string): Noted {
  const [, digits = '', hash] = /^([1-9]\d{0,15})(?::([0-9a-f]{64}))?$/i.exec(text) ?? [];
  const sequence = Number(digits);
  if (digits === '' || !Number.isSafeInteger(sequence)) {
    throw new InvalidArgumentError(
      'Give the number of a movement, such as 4711, or 4711:b5bb… with its hash.',
    );
  }
  return { sequence, hash: hash?.toLowerCase() };
}
