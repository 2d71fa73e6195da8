import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../server/test/support/command-line.ts';
import { linkPackages } from './link-packages.ts';
import { ROOT } from './packages.ts';

const TIMEOUT_MS = 300_000;
const DOCKERFILE = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8');
const PACKAGE = [
  'server/dist/src/service/main.js',
  'server/dist/sample/pets.csv',
  'server/web/dist/index.html',
];
const PAGES = ['docs.html.br', 'licenses.txt'].map((name) => `server/web/dist/${name}`);

/**
 * Copies what a stage copies, and links the installed packages in place of its `npm ci`.
 * @param packageStage The folder of the stage `package`, from which the stage `build` copies.
 */
function copyStage(name: string, folder: string, packageStage?: string): void {
  mkdirSync(folder);
  const [stage = ''] = new RegExp(`^FROM \\S+ AS ${name}$[\\s\\S]*?(?=^FROM )`, 'm').exec(DOCKERFILE) ?? [];
  for (const [, words = ''] of stage.matchAll(/^COPY (.+)$/gm)) {
    const paths = words.replace(/^--from=package /, '').split(' ');
    const place = paths.pop() ?? '';
    for (const path of paths) {
      const source = path.startsWith('/app/') ? join(packageStage ?? '', path.slice(5)) : join(ROOT, path);
      const copy = join(folder, place.endsWith('/') ? join(place, basename(path)) : place);
      cpSync(source, copy, { recursive: true });
    }
  }
  linkPackages(folder);
}

/** Runs the program that a stage of the Dockerfile runs. */
function runIn(folder: string, program: string): void {
  assert.ok(DOCKERFILE.includes(`\nRUN ["node", "${program}"]\n`), program);
  execFileSync(process.execPath, [program], { cwd: folder, timeout: TIMEOUT_MS, stdio: 'pipe' });
}

test('the stages of the Dockerfile copy all that the package and its start need', (t) => {
  const [built, image] = ['package', 'image'].map((name) => join(temporaryFolder(t), name)) as [
    string,
    string,
  ];
  copyStage('package', built);
  runIn(built, 'server/scripts/build-package.ts');
  copyStage('build', image, built);
  for (const name of [...PACKAGE, ...PAGES]) assert.ok(existsSync(join(image, name)), name);
  assert.ok(!existsSync(join(image, 'server/src')), 'the image runs the package');
  runIn(image, 'deploy/first-start.js');
});
