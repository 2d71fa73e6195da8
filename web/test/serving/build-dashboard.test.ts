import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  buildDashboard,
  isBuildDue,
  replaceFolder,
} from '../../../server/src/cli/dashboard/build-dashboard.ts';
import { temporaryFolder } from '../../../server/test/support/command-line.ts';

const WRITES_INDEX = `import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
const folder = process.argv[process.argv.indexOf('--outDir') + 1];
writeFileSync(join(folder, 'index.html'), process.argv.slice(2).join(' '));
`;
/** A source is edited after it was read, and before the build is written. */
const EDITED_MEANWHILE = `import { writeFileSync as edit } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
edit('src/app/main.tsx', 'edited');
await delay(20);
${WRITES_INDEX}`;
/** Writes a second file only when two builds of the workspace have begun. */
const WAITS_FOR_ANOTHER = `${WRITES_INDEX}import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
writeFileSync('begun-' + process.pid, '');
while (readdirSync('.').filter((name) => name.startsWith('begun-')).length < 2) await delay(10);
writeFileSync(join(folder, 'own.txt'), folder);
`;

/** A workspace with a program in place of Vite; `undefined`: with a package that cannot be used. */
function workspace(t: TestContext, vite: string | undefined): string {
  const web = join(temporaryFolder(t), 'web');
  mkdirSync(join(web, 'src/app'), { recursive: true });
  writeFileSync(join(web, 'package.json'), '{"type":"module"}');
  writeFileSync(join(web, 'index.html'), '<p>');
  writeFileSync(join(web, 'src/app/main.tsx'), '');
  const folder = join(web, 'node_modules/vite');
  mkdirSync(join(folder, 'bin'), { recursive: true });
  // Not without a folder: a parent of the temporary folder may have one.
  const manifest = { name: 'vite', type: 'module', ...(vite === undefined && { exports: {} }) };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  if (vite !== undefined) writeFileSync(join(folder, 'bin/vite.js'), vite);
  return web;
}

test('a build is due when it is missing or older than a source, and not in a release', async (t) => {
  const web = workspace(t, WRITES_INDEX);
  assert.ok(isBuildDue(web));
  assert.equal(await buildDashboard(web), undefined);
  const index = join(web, 'dist/index.html');
  const later = (seconds: number) => Date.now() / 1_000 + seconds;
  utimesSync(index, later(10), later(10));
  assert.equal(isBuildDue(web), false);
  utimesSync(join(web, 'src/app/main.tsx'), later(20), later(20));
  assert.ok(isBuildDue(web), 'a source changed');
  utimesSync(index, later(30), later(30));
  assert.equal(isBuildDue(web), false);
  mkdirSync(join(web, '../docs'));
  for (const name of ['docs/orders.md', 'SECURITY.md', 'openapi.json']) {
    const file = join(web, '..', name);
    writeFileSync(file, '');
    utimesSync(file, later(40), later(40));
    assert.ok(isBuildDue(web), `${name} changed`);
    rmSync(file);
  }
  rmSync(join(web, 'src/app/main.tsx'));
  utimesSync(join(web, 'src/app'), later(40), later(40));
  assert.ok(isBuildDue(web), 'a source was removed');
  rmSync(join(web, 'src'), { recursive: true });
  assert.equal(isBuildDue(web), false, 'a release has no sources');
});

test('a source that is edited during a build makes the next one due', async (t) => {
  const web = workspace(t, EDITED_MEANWHILE);
  assert.equal(await buildDashboard(web), undefined);
  assert.ok(isBuildDue(web));
});

test('two builds at the same time leave one of them whole', async (t) => {
  const web = workspace(t, WAITS_FOR_ANOTHER);
  mkdirSync(join(web, 'dist'));
  writeFileSync(join(web, 'dist/old.txt'), '');
  assert.deepEqual(await Promise.all([buildDashboard(web), buildDashboard(web)]), [undefined, undefined]);
  assert.deepEqual(readdirSync(join(web, 'dist')).toSorted(), ['index.html', 'own.txt']);
  const index = readFileSync(join(web, 'dist/index.html'), 'utf8');
  assert.ok(index.includes(readFileSync(join(web, 'dist/own.txt'), 'utf8')), 'both files are of one build');
  assert.deepEqual(
    readdirSync(web).filter((name) => name.startsWith('dist')),
    ['dist'],
  );
});

test('a build removes what an earlier one left that a signal ended, and no other folder', async (t) => {
  const web = workspace(t, WRITES_INDEX);
  for (const name of ['dist-aB3xY9', 'dist-zZ9aa0', 'dist-of-monday']) {
    mkdirSync(join(web, name));
    writeFileSync(join(web, name, 'index.html'), '');
  }
  const hourAgo = statSync(join(web, 'dist-zZ9aa0')).mtimeMs / 1_000 - 3_600;
  for (const old of ['dist-aB3xY9', 'dist-of-monday']) utimesSync(join(web, old), hourAgo, hourAgo);
  assert.equal(await buildDashboard(web), undefined);
  assert.deepEqual(
    readdirSync(web).filter((name) => name.startsWith('dist')),
    ['dist', 'dist-of-monday', 'dist-zZ9aa0'],
  );
});

test('a folder that another process moved away or put there first is replaced', (t) => {
  const parent = temporaryFolder(t);
  const place = join(parent, 'dist');
  for (const name of ['a', 'b', 'c']) {
    mkdirSync(join(parent, name));
    writeFileSync(join(parent, name, 'name.txt'), name);
    replaceFolder(join(parent, name), place);
    assert.equal(readFileSync(join(place, 'name.txt'), 'utf8'), name);
  }
});

test('a build that fails leaves the one before', async (t) => {
  const web = workspace(t, `${WRITES_INDEX}process.exitCode = 3;`);
  mkdirSync(join(web, 'dist'));
  writeFileSync(join(web, 'dist/index.html'), 'before');
  assert.match((await buildDashboard(web)) ?? '', /failed \(exit code 3\)/);
  assert.equal(readFileSync(join(web, 'dist/index.html'), 'utf8'), 'before');
});

test('a build that fails or takes too long leaves none, and says why', async (t) => {
  assert.match(
    (await buildDashboard(workspace(t, undefined))) ?? '',
    /Vite is not installed: run npm ci --include=dev\.$/,
  );
  const broken = workspace(t, `${WRITES_INDEX} console.error('no such module'); process.exitCode = 3;`);
  assert.match((await buildDashboard(broken)) ?? '', /failed \(no such module\)\.$/);
  assert.equal(existsSync(join(broken, 'dist/index.html')), false);
  const endless = workspace(t, `${WRITES_INDEX} setInterval(() => {}, 1_000);`);
  assert.match((await buildDashboard(endless, 500)) ?? '', /it took more than 0\.5 seconds/);
  assert.equal(existsSync(join(endless, 'dist/index.html')), false);
});

test('a service that may not write its build starts without it, and says why', async (t) => {
  // A folder that is missing: root may write into each that is there.
  const web = join(workspace(t, WRITES_INDEX), 'missing');
  assert.equal(
    await buildDashboard(web),
    `The dashboard is not built: ${join(web, 'dist/index.html')} cannot be written: its folder does not exist.`,
  );
});
