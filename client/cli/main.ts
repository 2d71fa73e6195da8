import { homedir } from 'node:os';
import { EXIT } from './exit-codes.ts';
import { Interruption } from './failure.ts';
import { runProgram } from './program.ts';

const interruption = new AbortController();
let unwritable: NodeJS.ErrnoException | undefined;

/** A reader that closes the pipe early, such as `head`, is not a failure. The command ends, and removes what it made. */
function endWhenUnwritable(error: NodeJS.ErrnoException): void {
  unwritable ??= error;
  interruption.abort(new Interruption());
}

process.stdout.on('error', endWhenUnwritable);
// The exit code is all that can still be reported.
process.stderr.on('error', () => {});

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

/** Ends the process. Kept connections must not keep it alive. */
function end(): never {
  if (!unwritable) process.exit(exitCode);
  if (unwritable.code === 'EPIPE') process.exit(exitCode === EXIT.interrupted ? EXIT.done : exitCode);
  process.stderr.write(`error: Standard output cannot be written (${unwritable.message}).\n`);
  process.exit(EXIT.failed);
}

if (unwritable) end();
// Everything written to a pipe must arrive before the process ends. An error arrives here before it is an event, on Bun only as an event.
process.stdout.write('', (error) => {
  unwritable ??= error ?? undefined;
  process.stderr.write('', () => setImmediate(end));
});
