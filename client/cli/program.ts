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
import { isColoured, Paint } from '@petstore-inventory/shared/terminal/paint';
import { safe } from '@petstore-inventory/shared/terminal/safe-text';
import { Command, CommanderError } from 'commander';
import { VERSION } from '../src/index.ts';
import { addLogin } from './account/login.ts';
import { addCommand } from './command.ts';
import type { Context } from './context.ts';
import { EXIT, EXIT_CODES, type ExitCode } from './exit-codes.ts';
import { CommandFailure, FailedResult, Interruption, reportOf } from './failure.ts';
import { addExport } from './files/export.ts';
import { addImport } from './files/import.ts';
import { addOrders } from './orders/orders.ts';
import { addAdjust } from './stock/adjust.ts';
import { addFind } from './stock/find.ts';
import { addGet } from './stock/get.ts';
import { addHistory } from './stock/history.ts';
import { addLimits } from './stock/limits.ts';
import { addList } from './stock/list.ts';
import { addSell } from './stock/sell.ts';
import { addSet } from './stock/set.ts';
import { addWatch } from './stock/watch.ts';
import { jsonOf } from './terminal/printer.ts';
import { addTrigger } from './webhooks/trigger.ts';
import { addWebhooks } from './webhooks/webhooks.ts';

/** A secret of the service: an API key, a management key, or that of a webhook endpoint. */
const SECRET = /(?:ps[ak]_(?:live|test)_|whsec_)\w{8}/;

const NOTES = `
petstore login keeps the address of the service and an API key. PETSTORE_URL and PETSTORE_API_KEY take precedence over it.

${EXIT_CODES}

Examples:
  petstore login
  petstore list --alert low,out
  petstore adjust 42 -1 --reason sold`;

/** Runs one command line. Resolves with its exit code after the command has finished. */
export async function runProgram(words: readonly string[], context: Context): Promise<ExitCode> {
  const isJson = words.includes('--json');
  try {
    if (words[0] === 'complete') {
      await complete(buildProgram(context), words.slice(1), context.stdout);
      return EXIT.done;
    }
    requireNoSecret(words);
    const program = buildProgram(context);
    try {
      await program.parseAsync(words, { from: 'user' });
      return EXIT.done;
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      if (error.exitCode === 0) return EXIT.done;
      // A command line without a command prints the help, which needs no further message.
      if (error.code === 'commander.help') return EXIT.wrongUsage;
      const hint = isJson ? '' : `\nSee ${commandPath(program, words)} --help.`;
      throw new CommandFailure(`${usageMessage(error)}${hint}`, EXIT.wrongUsage);
    }
  } catch (error) {
    // Ctrl-C needs no message.
    if (error instanceof Interruption) return EXIT.interrupted;
    const { exitCode, ...report } = reportOf(error);
    const isPrinted = error instanceof FailedResult && isJson;
    if (!isPrinted) context.stderr.write(isJson ? `${jsonOf(report)}\n` : `error: ${shown(report.error)}\n`);
    return exitCode;
  }
}

/** All commands, with their help. */
export function buildProgram(context: Context): Command {
  const { stdout, stderr, env } = context;
  const [onStdout, onStderr] = [isColoured(stdout, env), isColoured(stderr, env)];
  const program = new Command('petstore')
    .description('Stock of a pet shop: reads and changes it, places orders, and follows changes live.')
    .version(VERSION, '-v, --version')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHasColors: () => onStdout,
      getErrHasColors: () => onStderr,
      // runProgram writes errors, as text or as JSON.
      outputError: () => undefined,
    })
    .configureHelp({
      subcommandTerm: commandTerm,
      optionDescription: describedOption,
      // Commander removes the codes where the stream shows no colours.
      styleTitle: (title) => new Paint(true).style('bold', title),
    })
    .addHelpText('after', NOTES);
  addLogin(program, context);
  addList(program, context);
  addFind(program, context);
  addGet(program, context);
  addSet(program, context);
  addAdjust(program, context);
  addSell(program, context);
  addHistory(program, context);
  addWatch(program, context);
  addOrders(program, context);
  addExport(program, context);
  addImport(program, context);
  addLimits(program, context);
  addWebhooks(program, context);
  addTrigger(program, context);
  const completion = addCommand(program, 'completion', {
    ...completionDescription(program.name()),
    isLocal: true,
  });
  printsCompletion(completion, program, stdout);
  const help = addCommand(program, 'help', { ...helpDescription('orders place'), isLocal: true });
  printsHelp(help, program);
  return program;
}

/** @throws CommandFailure for a secret on the command line. */
function requireNoSecret(words: readonly string[]): void {
  if (!words.some((word) => SECRET.test(word))) return;
  throw new CommandFailure(
    'A key or secret on the command line can be read by other users of the machine and stays in the history of the shell. ' +
      'Replace that key, then run petstore login, or set PETSTORE_API_KEY or PETSTORE_WEBHOOK_SECRET. Nothing was sent.',
    EXIT.wrongUsage,
  );
}

/** Safe text that keeps its lines. */
function shown(message: string): string {
  return message.split('\n').map(safe).join('\n');
}
