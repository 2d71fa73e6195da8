import { homedir } from 'node:os';
import { EXIT } from './exit-codes.ts';
import { Interruption } from './failure.ts';
import { runProgram } from './program.ts';

const interruption = new AbortController();
let isUnread = false;

/** A reader that closes the pipe early, such as `head`, is not a failure. The command ends, and removes what it made. */
function endQuietlyWhenUnread(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  isUnread = true;
  interruption.abort(new Interruption());
}

process.stdout.on('error', endQuietlyWhenUnread);
process.stderr.on('error', endQuietlyWhenUnread);

for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.once(name, () => {
    // A second Ctrl-C does not wait.
    process.once(name, () => process.exit(EXIT.interrupted));
    interruption.abort(new Interruption());
  });
}

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
if (isUnread) process.exit(exitCode === EXIT.interrupted ? EXIT.done : exitCode);
// Kept connections must not keep the process alive; what was written to a pipe must arrive first.
process.stdout.write('', () => process.stderr.write('', () => process.exit(exitCode)));
