import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPages } from './build-pages.ts';

/*
 * Makes what the package has besides `bin`: JavaScript, because Node strips no types below node_modules, and the pages
 * of the dashboard.
 */
const SERVER = fileURLToPath(new URL('..', import.meta.url));
const ROOT = join(SERVER, '..');

for (const folder of ['dist', 'web']) rmSync(join(SERVER, folder), { recursive: true, force: true });
execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['--project', 'tsconfig.build.json'], {
  cwd: SERVER,
  stdio: 'inherit',
});
cpSync(join(SERVER, 'sample'), join(SERVER, 'dist/sample'), { recursive: true });

await buildPages();
cpSync(join(ROOT, 'web/dist'), join(SERVER, 'web/dist'), { recursive: true });
