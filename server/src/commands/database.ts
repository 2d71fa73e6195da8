import { statSync } from 'node:fs';
import type { Command } from 'commander';
import { OperatorError } from '../domain/errors.ts';
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
    summary: 'check the database, and every balance against the ledger',
    notes: 'Exits with 1 when anything is wrong. The service may go on running.',
    example: 'verify',
  }).action(async (_options, command: Command) => {
    let faultCount = 0;
    await answer(command, async (config) => {
      const { pets, movements, faults } = await withDatabase(config, (store) => store.verify());
      faultCount = faults.length;
      const sizes = `${count(pets, 'pet')}, ${count(movements, 'movement')}`;
      const text =
        faultCount === 0 ? `${sizes}: everything is as the ledger says.` : `${sizes}.\n${faults.join('\n')}`;
      return { value: { pets, movements, faults }, text };
    });
    if (faultCount > 0) {
      throw new OperatorError(
        `${count(faultCount, 'fault')} found; restore a backup, and keep this file to look into.`,
      );
    }
  });
}
