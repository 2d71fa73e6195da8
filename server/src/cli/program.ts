import { Command, CommanderError } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { OperatorError } from '../domain/errors.ts';
import { addAccounts } from './accounts.ts';
import { addBans } from './bans.ts';
import { addDatabase } from './database.ts';
import { addPets } from './import-pets.ts';
import { addKeys } from './keys.ts';
import { addMove } from './move.ts';
import { addOpenApi } from './openapi.ts';
import { addMovements } from './prune-movements.ts';
import { addService } from './serve-commands.ts';

/** SQLite's result code when nothing more can be written (sqlite.org/rescode.html). */
const SQLITE_FULL = 13;

const EXIT = { done: 0, failed: 1, wrongUsage: 2 } as const;

const NOTES = `
The database is where PETSTORE_DATABASE says (sqlite:./data/petstore.db if it says nothing). All commands but move
work while the service runs, and while it does not; petstore-server serve --help lists all variables.

Exit codes:
  ${EXIT.done}  done
  ${EXIT.failed}  the operation failed or was refused; standard error says why, with --json as {"error": "…"}
  ${EXIT.wrongUsage}  the command line was wrong

Example:
  petstore-server accounts create shop --plan pro
  petstore-server keys create --account shop`;

/** Carries out one command line. Returns its exit code, when nothing is left to be done. */
export async function runProgram(words: readonly string[]): Promise<number> {
  const program = buildProgram();
  try {
    await program.parseAsync(words, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
    const report = (message: string, hint = '') =>
      process.stderr.write(
        words.includes('--json') ? `${JSON.stringify({ error: message })}\n` : `error: ${message}\n${hint}`,
      );
    if (!(error instanceof CommanderError)) {
      report(sentence(error));
      return EXIT.failed;
    }
    // Help that was shown because nothing was asked for is all there is to say.
    if (error.code !== 'commander.help') {
      const message = error.message.replace(/^error: /, '').replaceAll('\n', ' ');
      report(message, `See ${commandOf(program, words)} --help.\n`);
    }
    return EXIT.wrongUsage;
  }
}

/** All commands, with what their help says. */
export function buildProgram(): Command {
  const program = new Command('petstore-server')
    .description('The pet store inventory service, and what its operator needs.')
    .version(packageJson.version)
    .helpCommand(false)
    .exitOverride()
    // Errors are written by runProgram, in the form that was asked for.
    .configureOutput({ outputError: () => undefined })
    // Every command has options, so saying so tells nothing.
    .configureHelp({ subcommandTerm: (command) => [command.name(), ...argumentsOf(command)].join(' ') })
    .addHelpText('after', NOTES);
  addService(program);
  addAccounts(program);
  addKeys(program);
  addBans(program);
  addPets(program);
  addMovements(program);
  addDatabase(program);
  addMove(program);
  addOpenApi(program);
  return program;
}

function argumentsOf(command: Command): string[] {
  return command.registeredArguments.map((argument) => `<${argument.name()}>`);
}

/** A mistake of the operator is a sentence already; anything else is told as one, without a stack trace. */
function sentence(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  if ((error as { errcode?: number }).errcode === SQLITE_FULL)
    return 'The disk is full; make room and try again.';
  return `Something went wrong that should not have: ${error instanceof Error ? error.message : String(error)}`;
}

/** The command that the words of a command line lead to, as far as they do. */
function commandOf(program: Command, words: readonly string[]): string {
  let command = program;
  let path = program.name();
  for (const word of words) {
    const next = command.commands.find((candidate) => candidate.name() === word);
    if (!next) break;
    command = next;
    path += ` ${word}`;
  }
  return path;
}
