import { fileURLToPath } from 'node:url';
import { RUN_LONG_TESTS } from '../long-test.ts';
import { groupsOf } from './groups.ts';
import { runGroups } from './run-groups.ts';
import { ROOT, testsOfWords } from './test-folders.ts';

const HELP = `npm test -- [FILE...] [FOLDER...] [--long]

Runs the tests of all packages, except those that are marked as long.

  FILE    all tests of the file, such as web/test/stock/stock.test.ts
  FOLDER  the tests of the files in it that are not marked, such as web/test; no files beside it
  --long  all tests of the files that have marked ones
`;

const words = process.argv.slice(2);
if (words.includes('--help')) process.stdout.write(HELP);
else {
  try {
    process.exitCode = (await runTests()) ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

/** Runs the tests that the command line names. Returns whether all passed. */
async function runTests(): Promise<boolean> {
  const { files, isLong } = testsOfWords(words);
  process.env[RUN_LONG_TESTS] = isLong ? '1' : '';
  const globalSetup = fileURLToPath(new URL('../global-setup.ts', import.meta.url));
  return runGroups(groupsOf(files), { folder: ROOT, globalSetup });
}
