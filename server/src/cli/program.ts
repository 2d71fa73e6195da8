import { styleText } from 'node:util';
import { errorsJson } from '@petstore-inventory/shared/pet-file/refused-file';
import { addDescribed } from '@petstore-inventory/shared/terminal/commands';
import {
  complete,
  completionDescription,
  printsCompletion,
} from '@petstore-inventory/shared/terminal/completion';
import {
  commandPath,
  commandTerm,
  describedOption,
  helpDescription,
  printsHelp,
  usageMessage,
} from '@petstore-inventory/shared/terminal/help';
import { safeJson, safeLines } from '@petstore-inventory/shared/terminal/safe-text';
import { Command, CommanderError } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { ConfigError } from '../config.ts';
import { addAccounts } from './accounts.ts';
import { addActivity } from './activity.ts';
import { addBans } from './bans.ts';
import { addDatabase } from './database.ts';
import { addDoctor } from './doctor.ts';
import { errorSentence } from './error-sentence.ts';
import { addAdminKeys } from './keys/admin-keys.ts';
import { addKeys } from './keys/keys.ts';
import { addLoginLink } from './keys/sign-in-link.ts';
import { addMove } from './move.ts';
import { addOpenApi } from './openapi.ts';
import { addOrders } from './orders/orders.ts';
import { FailedResult } from './output.ts';
import { addInventory } from './pets/change-stock.ts';
import { addPets } from './pets/pets.ts';
import { addMovements } from './prune-movements.ts';
import { addService } from './serve-commands.ts';
import { addReports } from './reports.ts';
import { addStocktakes } from './stocktakes.ts';
import { addWebhooks } from './webhooks/webhooks.ts';

const EXIT = { done: 0, failed: 1, wrongUsage: 2 } as const;

const NOTES = `
PETSTORE_DATABASE names the database (default: sqlite:./data/petstore.db). Commands work while the service runs
and while it is stopped; move, restore and a migrate that changes the schema need it stopped. petstore-server serve
--help lists all variables.

Exit codes:
  ${EXIT.done}  done
  ${EXIT.failed}  the operation failed or was refused; the reason is on standard error, with --json as {"error": "…", "errors": […]}
  ${EXIT.wrongUsage}  the command line was wrong

Example:
  petstore-server accounts create shop --plan pro
  petstore-server keys create --account shop`;

/** Runs one command line. Resolves with its exit code after the command has finished. */
export async function runProgram(words: readonly string[]): Promise<number> {
  const program = buildProgram();
  if (words[0] === 'complete') {
    await complete(program, words.slice(1), process.stdout);
    return EXIT.done;
  }
  try {
    await program.parseAsync(words, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
    if (error instanceof FailedResult && words.includes('--json')) return EXIT.failed;
    const report = (message: string, hint = '') =>
      process.stderr.write(
        words.includes('--json')
          ? `${safeJson(JSON.stringify({ error: message, ...errorsJson(error, entriesOf(error, message)) }))}\n`
          : `error: ${safeLines(message)}\n${hint}`,
      );
    if (!(error instanceof CommanderError)) {
      report(errorSentence(error));
      return EXIT.failed;
    }
    // A command line without a command prints the help, which needs no further message.
    if (error.code !== 'commander.help') {
      report(usageMessage(error), `See ${commandPath(program, words)} --help.\n`);
    }
    return EXIT.wrongUsage;
  }
}

/** All commands, with their help. */
export function buildProgram(): Command {
  const program = new Command('petstore-server')
    .description('The pet store inventory service and the commands of its operator.')
    .version(packageJson.version, '-V')
    .version(packageJson.version, '-v, --version')
    .helpCommand(false)
    // The options after a command are those of the command.
    .enablePositionalOptions()
    .exitOverride()
    // runProgram writes errors, as text or as JSON.
    .configureOutput({ outputError: () => undefined })
    .configureHelp({
      subcommandTerm: commandTerm,
      optionDescription: describedOption,
      // Commander removes the codes where the stream shows no colours.
      styleTitle: (title) => styleText('bold', title, { validateStream: false }),
    })
    .addHelpText('after', NOTES);
  addService(program);
  addAccounts(program);
  addKeys(program);
  addAdminKeys(program);
  addLoginLink(program);
  addBans(program);
  addPets(program);
  addInventory(program);
  addStocktakes(program);
  addReports(program);
  addOrders(program);
  addWebhooks(program);
  addMovements(program);
  addActivity(program);
  addDatabase(program);
  addDoctor(program);
  addMove(program);
  addOpenApi(program);
  printsCompletion(
    addDescribed(program, 'completion', completionDescription(program.name())),
    program,
    process.stdout,
  );
  printsHelp(addDescribed(program, 'help', helpDescription('keys create')), program);
  // The short option of earlier builds still works.
  program.options.find(({ short }) => short === '-V')?.hideHelp();
  return program;
}

/** Each wrong variable, or the one sentence. */
function entriesOf(error: unknown, sentence: string): readonly { readonly message: string }[] {
  const sentences = error instanceof ConfigError ? error.faults : [sentence];
  return sentences.map((message) => ({ message }));
}
