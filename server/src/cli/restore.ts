import { withProgress } from '@petstore-inventory/shared/terminal/progress';
import { count } from '@petstore-inventory/shared/terminal/texts';
import { type Command, InvalidArgumentError } from 'commander';
import type { Config } from '../config.ts';
import { OperatorError } from '../domain/errors.ts';
import { machineTimeMs } from '../domain/timestamps.ts';
import { pepperFile, shownDatabase } from '../store/open-admin.ts';
import { isPostgres } from '../store/open-engine.ts';
import { databaseFile } from '../store/sqlite/open.ts';
import type { HashOf, VerifiedBackup } from '../store/verified-backup.ts';
import { dumpPlace, endOf, pepperState } from './backups.ts';
import { addCommand } from './command.ts';
import { type Output, runCommand } from './output.ts';
import { refuseLeft, refuseOtherEnvironment } from './prepare-database.ts';

/** A movement that was noted outside the database, with its hash if that is known. */
interface Noted {
  readonly sequence: number;
  readonly hash: string | undefined;
}

interface RestoreOptions {
  readonly replace?: true;
  readonly expect?: Noted;
}

/** A database that is restored. */
interface Restored extends VerifiedBackup {
  readonly database: string;
  /** Where what was there is now. */
  readonly kept: string | undefined;
  readonly replacedHead: number | undefined;
}

type CheckBackup = (backup: VerifiedBackup, hashOf: HashOf) => Promise<void>;

/** Adds the command that restores a backup. */
export function addRestore(program: Command): void {
  addCommand(program, 'restore', {
    summary: 'verify a backup, and put a copy of it in the place of the database',
    notes:
      'Stop the service first. The backup must be of this service, of this or an older release, without a fault, and of the ' +
      'pepper that is configured. Nothing is changed before all of that is checked.\n' +
      'On PostgreSQL pg_restore and psql fill the database in one transaction, after the backup was verified in a temporary ' +
      'one. The database must be there; --replace keeps its tables in another schema.\n' +
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
  const check: CheckBackup = (backup, hashOf) => checkBackup(config, file, expect, backup, hashOf);
  const restore = isPostgres(config.database) ? restoreOnServer : restoreInFile;
  const restored = await restore({ command, config, file, check, isReplaced: replace === true });
  const { database, identity, report, kept, replacedHead } = restored;
  const { head, pets, movements } = report;
  const known = Math.max(expect?.sequence ?? 0, replacedHead ?? 0);
  const lost = known > head.sequence ? { from: head.sequence + 1, to: known } : null;
  const pepper = pepperState(config, identity.pepperCheck);
  const place = pepperFile(config.database);
  const lines = [
    `${database} is restored from ${file}: ${count(pets, 'pet')}, ${count(movements, 'movement')}. ${endOf(report)}`,
    ...(kept === undefined ? [] : [`The database that was there is now ${kept}.`]),
    ...lostLines(lost, expect),
    ...(pepper === 'missing'
      ? [
          `${place === undefined ? 'Set PETSTORE_PEPPER' : `Put the pepper in ${place}, or set PETSTORE_PEPPER`}, before you start the service.`,
        ]
      : []),
  ];
  return {
    value: { database, file, pets, movements, head, kept: kept ?? null, lost, pepper },
    text: lines.join('\n'),
  };
}

/** @throws OperatorError for a backup that must not be restored with this configuration. */
async function checkBackup(
  config: Config,
  file: string,
  expect: Noted | undefined,
  { identity: found, report: { head } }: VerifiedBackup,
  hashOf: HashOf,
): Promise<void> {
  refuseOtherEnvironment(config, found.environment);
  refuseLeft(config.database, found);
  if (pepperState(config, found.pepperCheck) === 'wrong') {
    const source = config.pepper === '' ? pepperFile(config.database) : 'PETSTORE_PEPPER';
    throw new OperatorError(
      `${source} is not the pepper that the API keys of ${file} are hashed under; put the right one in place first. Nothing was changed.`,
    );
  }
  if (expect?.hash === undefined || expect.sequence > head.sequence) return;
  const hash = await hashOf(expect.sequence);
  if (hash === undefined || hash === expect.hash) return;
  throw new OperatorError(
    `${file} has another hash for movement ${expect.sequence} than --expect, so it is of another history. Nothing was changed.`,
  );
}

/** A backup from before a move, or from before one was taken back, would be a second shop, with the same keys. @throws OperatorError */
function refuseMoved(database: string, movedTo: string | undefined): void {
  if (movedTo === undefined) return;
  const ifLost = isPostgres(database) ? 'restore into an empty database' : 'give the file another name first';
  throw new OperatorError(
    `The shop of ${shownDatabase(database)} moved to ${movedTo}, and a backup in its place would be a second one. ` +
      `Set PETSTORE_DATABASE to that database; if it is lost, ${ifLost}. Nothing was changed.`,
  );
}

interface Restoring {
  readonly command: Command;
  readonly config: Config;
  readonly file: string;
  readonly check: CheckBackup;
  /** Whether the restore may replace a database. */
  readonly isReplaced: boolean;
}

async function restoreInFile({ command, config, file, check, isReplaced }: Restoring): Promise<Restored> {
  const { isDump } = await import('../store/postgres/admin/dump.ts');
  if (isDump(file)) {
    throw new OperatorError(
      `${file} is a backup of a PostgreSQL database; set PETSTORE_DATABASE to one, postgres://…`,
    );
  }
  const { restoreFile } = await import('../store/restore.ts');
  const database = databaseFile(config.database);
  const keptSuffix = `.replaced-${nowDigits()}`;
  return withProgress(command, async (progress) => {
    progress.show(`Verifying ${file}`);
    const restored = await restoreFile(file, database, {
      isReplaced,
      checkReplaced: (movedTo) => refuseMoved(config.database, movedTo),
      keptSuffix,
      progress: progress.report,
      check,
    });
    return { ...restored, database };
  });
}

async function restoreOnServer({ command, config, file, check, isReplaced }: Restoring): Promise<Restored> {
  const { restoreDump } = await import('../store/restore-dump.ts');
  const database = shownDatabase(config.database);
  const keptSchema = `petstore_replaced_${nowDigits().slice(0, 'YYYYMMDDThhmmss'.length).toLowerCase()}`;
  return withProgress(command, async (progress) => {
    progress.show(`Verifying ${file}`);
    const { kept, ...restored } = await restoreDump(file, {
      url: config.database,
      place: dumpPlace(config),
      acceptedUnsafe: config.acceptUnsafe,
      isReplaced,
      checkReplaced: (movedTo) => refuseMoved(config.database, movedTo),
      keptSchema,
      progress: progress.report,
      check,
    });
    return { ...restored, database, kept: kept === undefined ? undefined : `the schema ${kept} in it` };
  });
}

/** Now, such as `20270131T120000.000Z`. */
function nowDigits(): string {
  return new Date(machineTimeMs()).toISOString().replaceAll(/[-:]/g, '');
}

function lostLines(lost: { readonly from: number; readonly to: number } | null, expect?: Noted): string[] {
  if (lost) {
    const { from, to } = lost;
    return [
      from === to
        ? `Movement ${from} is lost, because it came after the backup; enter this change again.`
        : `Movements ${from} to ${to} (${to - from + 1}) are lost, because they came after the backup; enter these changes again.`,
    ];
  }
  return expect ? [`Movement ${expect.sequence} is in it; nothing up to there is lost.`] : [];
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
