import { statSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { OperatorError } from '../domain/errors.ts';
import type { AuditReport, ChainPoint } from '../domain/ledger-store.ts';
import { auditJson } from '../http/movements/audit-json.ts';
import { pepperFile, shownDatabase } from '../store/open-admin.ts';
import { addCommand } from './command.ts';
import { answer, count, thousands } from './output.ts';
import { readableTime } from './parse-time.ts';
import { prepareDatabase } from './prepare-database.ts';
import { withDatabase } from './with-database.ts';

/** Adds the commands about the database as a whole. */
export function addDatabase(program: Command): void {
  addMigrate(program);
  addBackup(program);
  addVerify(program);
}

function addMigrate(program: Command): void {
  addCommand(program, 'migrate', {
    summary: 'make the database, or bring its schema up to this release',
    notes: 'serve and start do this too.',
    example: 'migrate',
  }).action((_options, command: Command) =>
    answer(command, async (config) => {
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

function addBackup(program: Command): void {
  addCommand(program, 'backup', {
    summary: 'write a consistent copy of the database, while the service runs or not',
    notes:
      'The copy stands under its name only when it is whole, checked and on disk.\n' +
      'The pepper is not in it: keep the .pepper file beside the database, or PETSTORE_PEPPER, in another safe place.',
    example: 'backup petstore-2027-01-31.db',
  })
    .argument('<file>', 'a new file')
    .action((file: string, _options, command: Command) =>
      answer(command, async (config) => {
        await withDatabase(config, (store) => store.backup(file));
        const bytes = statSync(file).size;
        const pepper = config.pepper === '' ? pepperFile(config.database) : 'PETSTORE_PEPPER';
        return {
          value: { file, bytes, pepper },
          text: `${file} is a whole copy (${count(bytes, 'byte')}). API keys need the pepper too, which is not in it: keep ${pepper} in another safe place.`,
        };
      }),
    );
}

function addVerify(program: Command): void {
  addCommand(program, 'verify', {
    summary: 'check the database, every balance and every hash of the ledger',
    notes:
      'Exits with 1 when anything is wrong. The service may go on running.\n' +
      'Somebody who can write to the database can also make a whole new ledger: note now and then at which movement\n' +
      'and hash the ledger ends, keep that elsewhere, and give it to --expect later. After a prune, give the hash that\n' +
      'the prune printed too: a prune that no --expect confirms is a fault.',
    example: 'verify --expect 4711:b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c',
  })
    .option(
      '--expect <sequence:hash>',
      'what the ledger must contain, as verify or prune printed it before; repeatable',
      (text, earlier: readonly ChainPoint[] = []) => [...earlier, parsePoint(text)],
    )
    .action(async ({ expect }: { readonly expect?: readonly ChainPoint[] }, command: Command) => {
      let faultCount = 0;
      await answer(command, async (config) => {
        const report = await withDatabase(config, (store) => store.verify(expect));
        faultCount = report.faults.length;
        const { isIntact: _, ...value } = auditJson(report);
        return { value, text: described(report, expect) };
      });
      if (faultCount > 0) {
        throw new OperatorError(
          `${count(faultCount, 'fault')} found; restore a backup, and keep this file to look into.`,
        );
      }
    });
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
  const begin = `The ledger begins after movement ${retentionStart.sequence}, recorded ${readableTime(retentionStart.recordedAtMs)}`;
  const made = `${count(prunes.length, 'prune')}, the newest made ${readableTime(newest.recordedAtMs)} by ${newest.actor}`;
  const kept = `The newest prune retained ${count(newest.retained, 'movement')} from before`;
  return [`${begin}; ${made}.`, faults.length === 0 ? `${kept}, which match its digest.` : `${kept}.`];
}
