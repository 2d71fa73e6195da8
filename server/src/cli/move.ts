import type { Command } from 'commander';
import { database } from '../config-parsers.ts';
import { OperatorError } from '../domain/errors.ts';
import { isPostgres, pepperFile, shownDatabase } from '../store/open-admin.ts';
import { addCommand } from './command.ts';
import { answer, count } from './output.ts';
import { pepperCheck } from './pepper.ts';

interface MoveWords {
  readonly from: string;
  readonly to: string;
}

/** Adds the command that takes a shop from one machine's file to a server for many instances. */
export function addMove(program: Command): void {
  addCommand(program, 'move', {
    summary: 'move a shop from a SQLite file into an empty PostgreSQL database',
    notes:
      'Pets, ledger, accounts, keys, counts and bans move in one transaction, and are compared and verified on both sides\n' +
      'before it is committed. Stop the service first. The file stays as it is; an interrupted move can be run again.\n' +
      "A password that should not stand on a command line can be in PGPASSWORD or in PostgreSQL's .pgpass file.",
    example: 'move --from sqlite:./data/petstore.db --to postgres://petstore@db.internal:5432/petstore',
  })
    .requiredOption('--from <address>', 'the SQLite database, as PETSTORE_DATABASE names it')
    .requiredOption('--to <address>', 'the PostgreSQL database')
    .action(({ from, to }: MoveWords, command: Command) =>
      answer(command, async (config) => {
        requireAddress('--from', from, false);
        requireAddress('--to', to, true);
        // Loaded here, because no other command needs it.
        const { moveDatabase } = await import('../store/move.ts');
        const moved = await moveDatabase({
          from,
          to,
          acceptedUnsafe: config.acceptUnsafe,
          checkIdentity: (identity) => requireSamePepper(config.pepper, identity.pepperCheck),
        });
        const { accounts = 0, api_keys: keys = 0, pets = 0, movements = 0, bans = 0 } = moved;
        const target = shownDatabase(to);
        const sizes = `${count(pets, 'pet')}, ${count(movements, 'movement')}, ${count(accounts, 'account')}, ${count(keys, 'key')}`;
        const pepper = config.pepper === '' ? `the content of ${pepperFile(from)}` : 'what it is now';
        return {
          value: { from, to: target, pets, movements, accounts, keys, bans },
          text: `${sizes} moved to ${target}, and verified on both sides. Start each instance with PETSTORE_DATABASE set to it, and PETSTORE_PEPPER set to ${pepper}.`,
        };
      }),
    );
}

function requireAddress(option: string, text: string, isServer: boolean): void {
  try {
    database(text);
  } catch (rule) {
    throw new OperatorError(`${option} must be ${String(rule)}.`);
  }
  if (isPostgres(text) === isServer) return;
  const kind = isServer ? 'a PostgreSQL database, postgres://…' : 'a SQLite file, sqlite:…';
  throw new OperatorError(`${option} must name ${kind}; shops move from a file to a server, not back.`);
}

/** Keys would not work under another pepper, and that would come out only when the instances start. */
function requireSamePepper(pepper: string, expectedCheck: string): void {
  if (pepper === '' || pepperCheck(Buffer.from(pepper)) === expectedCheck) return;
  throw new OperatorError(
    'PETSTORE_PEPPER is not the pepper that the keys of --from are hashed under; set it to that one, or leave it out.',
  );
}
