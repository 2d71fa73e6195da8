import { homedir } from 'node:os';
import { EXIT } from './exit-codes.ts';
import { Interruption } from './failure.ts';
import { runProgram } from './program.ts';

/** A reader that closes the pipe early, such as `head`, is not a failure. */
function endQuietlyWhenUnread(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
}

process.stdout.on('error', endQuietlyWhenUnread);
process.stderr.on('error', endQuietlyWhenUnread);

const interruption = new AbortController();
process.once('SIGINT', () => {
  // A second Ctrl-C does not wait.
  process.once('SIGINT', () => process.exit(EXIT.interrupted));
  interruption.abort(new Interruption());
});

const exitCode = await runProgram(process.argv.slice(2), {
  env: process.env,
  platform: process.platform,
  home: homedir(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  fetch: globalThis.fetch,
  signal: interruption.signal,
});
// Kept connections must not keep the process alive; what was written to a pipe must arrive first.
process.stdout.write('', () => process.stderr.write('', () => process.exit(exitCode)));
