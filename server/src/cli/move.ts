import { withProgress } from '@petstore-inventory/shared/terminal/progress';
import { count, thousands } from '@petstore-inventory/shared/terminal/texts';
import { type Command, Option } from 'commander';
import { database } from '../config-parsers.ts';
import { OperatorError } from '../domain/errors.ts';
import { pepperFile, shownDatabase } from '../store/open-admin.ts';
import { isPostgres } from '../store/open-engine.ts';
import { addCommand } from './command.ts';
import { type DryRunOption, dryRunOutput, withDryRun } from './options.ts';
import { type Output, runCommand, shownTable } from './output.ts';
import { pepperCheck } from './pepper.ts';
import { refuseSample } from './prepare-database.ts';

interface MoveOptions extends DryRunOption {
  readonly undo?: true;
  readonly from: string;
  readonly to: string;
}

/** Adds the command that moves a shop from a SQLite file to PostgreSQL, which many instances can share. */
export function addMove(program: Command): void {
  const move = addCommand(program, 'move', {
    summary: 'move a shop from a SQLite file into an empty PostgreSQL database',
    notes:
      'Pets, ledger, accounts, keys, counts and bans move in one transaction. Both sides are compared and verified before ' +
      'the commit. Stop the service first. An interrupted move can be repeated. Afterwards the file is not served any more: it ' +
      'says where the shop is. --undo takes a move back, as long as nothing was changed in the PostgreSQL database.\n' +
      "PGPASSWORD or PostgreSQL's .pgpass file can hold a password that must not be on a command line.",
    example: 'move --from sqlite:./data/petstore.db --to postgres://petstore@db.internal:5432/petstore',
  });
  withDryRun(move, 'the number of rows, after a check of both sides')
    .requiredOption('--from <address>', 'the SQLite database, as PETSTORE_DATABASE names it')
    .requiredOption('--to <address>', 'the PostgreSQL database')
    .addOption(new Option('--undo', 'take back the move that had these addresses').conflicts('dryRun'))
    .action(async ({ from, to, dryRun, undo }: MoveOptions, command: Command) => {
      requireAddress(command, '--from', from, 'sqlite');
      requireAddress(command, '--to', to, 'postgres');
      if (undo) return runCommand(command, ({ acceptUnsafe }) => takeBack(command, from, to, acceptUnsafe));
      await runCommand(command, async (config) => {
        // Loaded here, because no other command needs it.
        const { moveDatabase, previewMove } = await import('../store/move.ts');
        const moved = await withProgress(command, (progress) => {
          progress.show(`Verifying ${from}`);
          return (dryRun ? previewMove : moveDatabase)({
            from,
            to,
            acceptedUnsafe: config.acceptUnsafe,
            checkIdentity: (identity) => {
              refuseSample(from, identity);
              requireSamePepper(config.pepper, identity.pepperCheck);
            },
            progress: progress.report,
          });
        });
        if (dryRun) return describePreview(from, shownDatabase(to), moved);
        const { accounts = 0, api_keys: keys = 0, pets = 0, movements = 0, orders = 0, bans = 0 } = moved;
        const target = shownDatabase(to);
        const sizes = `${count(pets, 'pet')}, ${count(movements, 'movement')}, ${count(orders, 'order')}, ${count(accounts, 'account')}, ${count(keys, 'key')}`;
        const pepper = config.pepper === '' ? `the content of ${pepperFile(from)}` : 'its present value';
        return {
          value: { from, to: target, pets, movements, orders, accounts, keys, bans },
          text: `${sizes} moved to ${target} and verified on both sides. Start each instance with PETSTORE_DATABASE set to it, and PETSTORE_PEPPER set to ${pepper}.`,
        };
      });
    });
}

async function takeBack(
  command: Command,
  from: string,
  to: string,
  acceptedUnsafe: readonly string[],
): Promise<Output> {
  const { undoMove } = await import('../store/move.ts');
  const target = shownDatabase(to);
  await withProgress(command, (progress) => {
    progress.show(`Comparing with ${target}`);
    return undoMove({ from, to, acceptedUnsafe, progress: progress.report });
  });
  return {
    value: { from, to: target, undone: true },
    text: `${from} has its shop again, and can be served. ${target} is marked, and is not served any more.`,
  };
}

function describePreview(from: string, to: string, rows: Readonly<Record<string, number>>): Output {
  const lines = Object.entries(rows).map(([name, found]) => [name, thousands(found)]);
  return dryRunOutput(
    { from, to, rows },
    `Both sides are ready. These rows would move to ${to}:\n${shownTable(['TABLE', 'ROWS'], lines)}`,
  );
}

/** Reports a wrong address as wrong usage. The message never repeats the address, which may contain a password. */
function requireAddress(
  command: Command,
  option: string,
  address: string,
  engine: 'sqlite' | 'postgres',
): void {
  try {
    database(address);
  } catch (rule) {
    command.error(`error: ${option} must be ${String(rule)}`);
  }
  if (isPostgres(address) === (engine === 'postgres')) return;
  const kind = engine === 'postgres' ? 'a PostgreSQL database, postgres://…' : 'a SQLite file, sqlite:…';
  command.error(`error: ${option} must name ${kind}; a shop moves from a file to a server, not back`);
}

/** Keys do not work under another pepper, and the operator would notice only when the instances start. */
function requireSamePepper(pepper: string, expectedCheck: string): void {
  if (pepper === '' || pepperCheck(Buffer.from(pepper)) === expectedCheck) return;
  throw new OperatorError(
    'PETSTORE_PEPPER is not the pepper that the keys of --from are hashed under; set it to that pepper, or unset it.',
  );
}
