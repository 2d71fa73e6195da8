import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../server/test/support/command-line.ts';
import { linkPackages } from './link-packages.ts';
import { ROOT } from './packages.ts';

const TIMEOUT_MS = 120_000;

test('the stage of the pages in the Dockerfile copies all that their build needs', (t) => {
  const folder = temporaryFolder(t);
  const dockerfile = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8');
  const [stage = ''] = /^FROM \S+ AS pages$[\s\S]*?(?=^FROM )/m.exec(dockerfile) ?? [];
  for (const [, words = ''] of stage.matchAll(/^COPY (.+)$/gm)) {
    const paths = words.split(' ');
    const place = paths.pop() ?? '';
    for (const path of paths) {
      const copy = join(folder, place.endsWith('/') ? join(place, basename(path)) : place);
      cpSync(join(ROOT, path), copy, { recursive: true });
    }
  }
  linkPackages(folder);
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  const options = { cwd: join(folder, 'web'), timeout: TIMEOUT_MS, stdio: 'pipe' } as const;
  execFileSync(process.execPath, [vite, 'build', '--logLevel', 'error'], options);
  for (const name of ['index.html', 'docs.html.br', 'licenses.txt']) {
    assert.ok(existsSync(join(folder, 'web/dist', name)), name);
  }
});
