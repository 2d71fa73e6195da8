import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { groupsOf } from './groups.ts';
import { runGroups } from './run-groups.ts';

/** Runs the daily tests: all, or the files of the command line, relative to `server/test`. */
const folder = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');
const globalSetup = fileURLToPath(new URL('../global-setup.ts', import.meta.url));
const named = process.argv.slice(2);
const files = named.length > 0 ? named : globSync('**/*.test.ts', { cwd: folder }).toSorted();
const isSuccess = await runGroups(groupsOf(files), { folder, globalSetup });
process.exitCode = isSuccess ? 0 : 1;
