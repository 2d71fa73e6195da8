import { withProgress } from '@petstore-inventory/shared/terminal/progress';
import { count, thousands } from '@petstore-inventory/shared/terminal/texts';
import { type Command, InvalidArgumentError } from 'commander';
import type { Config } from '../config.ts';
import { OperatorError } from '../domain/errors.ts';
import type { AuditReport, ChainPoint } from '../domain/ledger-store.ts';
import { statNamed } from '../store/complete-file.ts';
import { shownDatabase } from '../store/open-admin.ts';
import { isPostgres } from '../store/open-engine.ts';
import type { OpenedAdminStore } from '../store/schema/database-metadata.ts';
import { isDamaged } from '../store/sqlite/file/busy.ts';
import { contentFault, RESTORE_ADVICE } from '../store/sqlite/file/file-fault.ts';
import { databaseFile } from '../store/sqlite/open.ts';
import { verifyJson } from '../wire/audit-json.ts';
import { addBackups } from './backups.ts';
import { addCommand } from './command.ts';
import { type DryRunOption, dryRunOutput, withDryRun } from './options.ts';
import { type Output, runCommand } from './output.ts';
import { shownTime } from './parse-time.ts';
import { prepareDatabase, previewDatabase } from './prepare-database.ts';
import { addRestore } from './restore.ts';
import { withDatabase } from './with-database.ts';

/** Adds the commands that work on the whole database. */
export function addDatabase(program: Command): void {
  addMigrate(program);
  addBackups(program);
  addRestore(program);
  addVerify(program);
}

function addMigrate(program: Command): void {
  const migrate = addCommand(program, 'migrate', {
    summary: 'make the database, or bring its schema up to this release',
    notes: 'serve and start do this too.',
    example: 'migrate --dry-run',
  });
  withDryRun(migrate, 'what would be made').action(({ dryRun }: DryRunOption, command: Command) =>
    runCommand(command, async (config) => {
      if (dryRun) return previewMigration(config);
      const { environment, migrations } = await prepareDatabase(config);
      const database = shownDatabase(config.database);
      const done =
        migrations.length === 0 ? 'is up to date' : `was brought up to date (${migrations.join(', ')})`;
      return {
        value: { database, environment, migrations },
        text: `${database} ${done}; it holds the keys of ${environment}.`,
      };
    }),
  );
}

async function previewMigration(config: Config): Promise<Output> {
  const { environment, migrations, newPepperFile } = await previewDatabase(config);
  const database = shownDatabase(config.database);
  const change =
    migrations.length === 0 ? 'is up to date' : `would be brought up to date (${migrations.join(', ')})`;
  const pepper = newPepperFile === null ? '' : `\nA pepper would be made in ${newPepperFile}.`;
  return dryRunOutput(
    { database, environment, migrations, newPepperFile },
    `${database} ${change}, for the keys of ${environment}.${pepper}`,
  );
}

function addVerify(program: Command): void {
  addCommand(program, 'verify', {
    summary: 'check the database, every balance and every hash of the ledger',
    notes:
      'Exits with 1 if there is a fault. The service may run.\n' +
      'A person who can write to the database can rebuild the whole ledger. Note the newest movement and hash from time ' +
      'to time, keep the note elsewhere, and pass it to --expect later. After a prune, also pass the hash that the prune ' +
      'printed: a prune that no --expect confirms is a fault.',
    example: 'verify --expect 4711:b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c',
  })
    .option(
      '--expect <sequence:hash>',
      'a movement and hash that the ledger must contain, as verify or prune printed them; repeatable',
      (text, earlier: readonly ChainPoint[] = []) => [...earlier, parsePoint(text)],
    )
    .action(({ expect }: { readonly expect?: readonly ChainPoint[] }, command: Command) =>
      runCommand(command, async (config) => {
        const short = shortFile(config);
        const report = await withProgress(command, (progress) => {
          progress.show(`Verifying ${shownDatabase(config.database)}`);
          const verify = (store: OpenedAdminStore) => store.verify(expect, progress.report);
          return withDatabase(config, verify, { left: 'accept' });
        }).catch((error: unknown) => {
          throw isDamaged(error) ? unverifiable(short, error as Error) : error;
        });
        const { length: faultCount } = report.faults;
        const failure = `${count(faultCount, 'fault')} found; restore a backup, and keep this database for an investigation.`;
        return {
          value: verifyJson(report),
          text: [...(faultCount > 0 ? short : []), described(report, expect)].join('\n'),
          ...(faultCount > 0 && { failure }),
        };
      }),
    );
}

/** Why a SQLite file has faults, if its end is missing; read before it is opened, because closing it copies the log into it. */
function shortFile({ database }: Config): readonly string[] {
  if (isPostgres(database)) return [];
  const file = databaseFile(database);
  const isFile = statNamed(file)?.isFile() === true;
  const fault = isFile ? contentFault(file) : undefined;
  return fault === undefined ? [] : [`${file} ${fault}.`];
}

/** For damage to what is read before the ledger. SQLite reports a disk that fails in the same way. */
function unverifiable(short: readonly string[], error: Error): OperatorError {
  return new OperatorError(
    [
      ...short,
      `The database file is damaged where its schema and settings are (${error.message}), so it cannot be verified; check the disk, and if this lasts, ${RESTORE_ADVICE}.`,
    ].join(' '),
    { cause: error },
  );
}

function parsePoint(text: string): ChainPoint {
  const [, digits = '', hash = ''] = /^(\d{1,16}):([0-9a-f]{64})$/i.exec(text) ?? [];
  if (hash === '' || !Number.isSafeInteger(Number(digits))) {
    throw new InvalidArgumentError(
      'Give a sequence and a hash of 64 hexadecimal digits, such as 4711:b5bb….',
    );
  }
  return { sequence: Number(digits), hash: hash.toLowerCase() };
}

function described(report: AuditReport, expected: readonly ChainPoint[] = []): string {
  const { pets, movements, hashesChecked, head, firstBadSequence, faults } = report;
  const sizes = `${count(pets, 'pet')}, ${count(movements, 'movement')}`;
  if (faults.length > 0) {
    const first = firstBadSequence === null ? [] : [`The first bad movement is ${firstBadSequence}.`];
    return [`${sizes}.`, ...first, ...faults, ...describedPrunes(report)].join('\n');
  }
  const checked = [
    `${thousands(hashesChecked)} of ${thousands(movements)} hashes checked.`,
    ...describedPrunes(report),
    ...expected.map(({ sequence }) => `The ledger contains the expected hash of movement ${sequence}.`),
    `The ledger ends at movement ${head.sequence}, hash ${head.hash}.`,
  ];
  return [`${sizes}: everything is as the ledger says.`, ...(movements === 0 ? [] : checked)].join('\n');
}

function describedPrunes({ prunes, retentionStart, faults }: AuditReport): string[] {
  const newest = prunes.at(-1);
  if (!newest) return [];
  const begin = `The ledger begins after movement ${retentionStart.sequence}, recorded ${shownTime(retentionStart.recordedAtMs)}`;
  const made = `${count(prunes.length, 'prune')}, the newest made ${shownTime(newest.recordedAtMs)} by ${newest.actor}`;
  const kept = `The newest prune retained ${count(newest.retained, 'movement')} from before`;
  return [`${begin}; ${made}.`, faults.length === 0 ? `${kept}, which match its digest.` : `${kept}.`];
}
