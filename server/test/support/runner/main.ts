import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { groupsOf } from './groups.ts';
import { runGroups } from './run-groups.ts';
import { ROOT, TEST_FOLDERS } from './test-folders.ts';

/** Runs the daily tests: all, or the files and folders of the command line, relative to the root of the repository. */
const globalSetup = fileURLToPath(new URL('../global-setup.ts', import.meta.url));
const named = process.argv.slice(2);
const files = (named.length > 0 ? named : TEST_FOLDERS).flatMap((name) =>
  name.endsWith('.ts') ? [name] : globSync(`${name}/**/*.test.ts`, { cwd: ROOT }).toSorted(),
);
const isSuccess = await runGroups(groupsOf(files), { folder: ROOT, globalSetup });
process.exitCode = isSuccess ? 0 : 1;
