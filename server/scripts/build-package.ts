import { execFileSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPages } from './build-pages.ts';

/*
 * Makes what the package has besides `bin`: JavaScript, because Node strips no types below node_modules, and the pages
 * of the dashboard.
 */
const SERVER = fileURLToPath(new URL('..', import.meta.url));
const ROOT = join(SERVER, '..');
const DIST = join(SERVER, 'dist');
/** An import of the package `shared`, which is not published: its modules are in this package. */
const SHARED = /(?<=')@petstore-inventory\/shared\/([\w/-]+)(?=')/g;

for (const folder of ['dist', 'web']) rmSync(join(SERVER, folder), { recursive: true, force: true });
execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['--project', 'tsconfig.build.json'], {
  cwd: SERVER,
  stdio: 'inherit',
});
for (const name of ['src', 'package.json']) renameSync(join(DIST, 'server', name), join(DIST, name));
rmSync(join(DIST, 'server'), { recursive: true });
for (const file of globSync('src/**/*.js', { cwd: DIST })) {
  const shared = relative(join(DIST, dirname(file)), join(DIST, 'shared/src')).replaceAll('\\', '/');
  const source = readFileSync(join(DIST, file), 'utf8');
  writeFileSync(join(DIST, file), source.replace(SHARED, `${shared}/$1.js`));
}
cpSync(join(SERVER, 'sample'), join(DIST, 'sample'), { recursive: true });

await buildPages();
cpSync(join(ROOT, 'web/dist'), join(SERVER, 'web/dist'), { recursive: true });
