import { runProgram } from './cli/program.ts';
import { endBySignals } from './process/end-by-signals.ts';

endBySignals();

/** A reader that closes the pipe early, such as `head`, is not a failure; a full disk is one. */
function endUnwritten(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit();
  process.stderr.write(`error: Standard output cannot be written (${error.message}).\n`);
  process.exit(1);
}

process.stdout.on('error', endUnwritten);
process.stderr.on('error', endUnwritten);

const exitCode = await runProgram(process.argv.slice(2));
// After a failed start, open handles must not keep the process alive.
if (exitCode === 0) process.exitCode = 0;
else process.exit(exitCode);
