import { after, describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import './at-process-end.ts';
import { loadTests } from './followed-promises.ts';

/** A test has its own time-out; a file with many of them has this one. */
const FILE_TIMEOUT_MS = 2_700_000;

/** Results are sent to the run well before. `--test-force-exit` loses those of the last file now and then. */
const LINGER_MS = 5_000;

/** Runs test files in this process, one after the other. Each is a suite, so that its hooks run around its own tests. */
export function runGroup(folder: string, files: readonly string[]): void {
  // The runner names only the message of an error that comes after its test.
  process.prependListener('unhandledRejection', (error: unknown) => console.error(error));
  process.prependListener('uncaughtExceptionMonitor', (error) => console.error(error));
  // The runner holds it open, and may be killed alone. Errors of a lost output would be written without end.
  process.stdin.once('end', () => process.exit(1)).resume();
  process.stdin.unref();
  // A failed test may leave something open, with which its process would never end.
  after(() => {
    setTimeout(() => process.exit(), LINGER_MS).unref();
  });
  for (const file of files) {
    describe(file, { timeout: FILE_TIMEOUT_MS }, () => loadTests(pathToFileURL(`${folder}/${file}`)));
  }
}
