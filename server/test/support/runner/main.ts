import { fileURLToPath } from 'node:url';
import { groupsOf } from './groups.ts';
import { runGroups } from './run-groups.ts';
import { ROOT, TEST_FOLDERS, testsOf } from './test-folders.ts';

/** Runs the daily tests: all, or the files and folders of the command line, relative to the root of the repository. */
const globalSetup = fileURLToPath(new URL('../global-setup.ts', import.meta.url));
const named = process.argv.slice(2);
const files = (named.length > 0 ? named : TEST_FOLDERS).flatMap(testsOf);
const isSuccess = await runGroups(groupsOf(files), { folder: ROOT, globalSetup });
process.exitCode = isSuccess ? 0 : 1;
