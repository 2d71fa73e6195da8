import { runProgram } from './cli/program.ts';

/** A reader that closes the pipe early, such as `head`, is not a failure. */
function endQuietlyWhenUnread(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
}

process.stdout.on('error', endQuietlyWhenUnread);
process.stderr.on('error', endQuietlyWhenUnread);

const exitCode = await runProgram(process.argv.slice(2));
// After a failed start, open handles must not keep the process alive.
if (exitCode === 0) process.exitCode = 0;
else process.exit(exitCode);
