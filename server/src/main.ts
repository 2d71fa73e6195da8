import { runProgram } from './cli/program.ts';

/** A reader that has seen enough, such as `head`, is no failure. */
function endQuietlyWhenUnread(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
}

process.stdout.on('error', endQuietlyWhenUnread);
process.stderr.on('error', endQuietlyWhenUnread);

const exitCode = await runProgram(process.argv.slice(2));
// A start that failed half-way may have left something running, which must not keep the process.
if (exitCode === 0) process.exitCode = 0;
else process.exit(exitCode);
