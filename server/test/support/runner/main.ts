import { fileURLToPath } from 'node:url';
import { RUN_LONG_TESTS } from '../long-test.ts';
import { groupsOf } from './groups.ts';
import { runGroups } from './run-groups.ts';
import { ROOT, testsOfWords } from './test-folders.ts';

/** Runs the tests that the command line names. */
const globalSetup = fileURLToPath(new URL('../global-setup.ts', import.meta.url));
const { files, isLong } = testsOfWords(process.argv.slice(2));
process.env[RUN_LONG_TESTS] = isLong ? '1' : '';
const isSuccess = await runGroups(groupsOf(files), { folder: ROOT, globalSetup });
process.exitCode = isSuccess ? 0 : 1;
