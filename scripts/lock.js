import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

/*
 * Writes package-lock.json from the files package.json, without what its packages say in `engines`: npm compares that with
 * its own Node, while the Node of the lockfile runs them, and would warn at each `npm ci` with an older one.
 */
execFileSync('npm', ['install', '--package-lock-only'], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
for (const [name, entry] of Object.entries(lock.packages))
  if (name.includes('node_modules/')) delete entry.engines;
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
