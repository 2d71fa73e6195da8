import { fileURLToPath } from 'node:url';
import { RUN_LONG_TESTS } from '../long-test.ts';
import { groupsOf } from './groups.ts';
import { runGroups } from './run-groups.ts';
import { hasLongTests, ROOT, TEST_FOLDERS, testsOf } from './test-folders.ts';

/**
 * Runs tests of all folders, or of the files and folders of the command line, relative to the root of the repository: of a
 * file all, of a folder those that are not long. With `--long` all tests of the files that have long ones.
 */
const globalSetup = fileURLToPath(new URL('../global-setup.ts', import.meta.url));
const words = process.argv.slice(2);
const isLong = words.includes('--long');
const named = words.filter((word) => word !== '--long');
const found = (named.length > 0 ? named : TEST_FOLDERS).flatMap(testsOf);
const files = isLong ? found.filter(hasLongTests) : found;
if (isLong || named.some((name) => name.endsWith('.ts'))) process.env[RUN_LONG_TESTS] = '1';
const isSuccess = await runGroups(groupsOf(files), { folder: ROOT, globalSetup });
process.exitCode = isSuccess ? 0 : 1;
