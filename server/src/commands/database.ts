import { statSync } from 'node:fs';
import type { Command } from 'commander';
import { OperatorError } from '../domain/errors.ts';
import type { AuditReport } from '../domain/ledger-store.ts';
import { pepperFile, shownDatabase } from '../store/open-admin.ts';
import { withDatabase } from './open-database.ts';
import { answer, count } from './output.ts';
import { prepareDatabase } from './prepare-database.ts';
import { addCommand } from './subcommand.ts';

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
      'Movements that were cut off the end, with the stock set back, leave no trace in the database:\n' +
      'note now and then at which movement and hash the ledger ends, and see that it is still there.',
    example: 'verify',
  }).action(async (_options, command: Command) => {
    let faultCount = 0;
    await answer(command, async (config) => {
      const report = await withDatabase(config, (store) => store.verify());
      faultCount = report.faults.length;
      return { value: report, text: described(report) };
    });
    if (faultCount > 0) {
      throw new OperatorError(
        `${count(faultCount, 'fault')} found; restore a backup, and keep this file to look into.`,
      );
    }
  });
}

function described({ pets, movements, head, firstBadSequence, faults }: AuditReport): string {
  const sizes = `${count(pets, 'pet')}, ${count(movements, 'movement')}`;
  if (faults.length === 0) {
    const end = `The ledger ends at movement ${head.sequence}, hash ${head.hash}.`;
    return `${sizes}: everything is as the ledger says.${movements === 0 ? '' : `\n${end}`}`;
  }
  const first = firstBadSequence === null ? [] : [`The first bad movement is ${firstBadSequence}.`];
  return [`${sizes}.`, ...first, ...faults].join('\n');
}
