import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { GUIDES, readGuides } from '../../web/build/guides.ts';
import { ROOT } from './packages.ts';

test('the stage of the package in the Dockerfile copies each guide, and each file that a guide links to', () => {
  const [stage = ''] =
    /^FROM \S+ AS package$[\s\S]*?(?=^FROM )/m.exec(readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8')) ??
    [];
  const copied = [...stage.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, words = '']) => words.split(' '));
  const isCopied = (path: string) => copied.some((one) => path === one || path.startsWith(`${one}/`));
  const read = (path: string) => {
    const file = join(ROOT, path);
    // A link to a folder needs a file in it.
    if (existsSync(file) && statSync(file).isDirectory())
      return copied.some((one) => isCopied(path) || one.startsWith(path)) ? '' : undefined;
    return isCopied(path) && existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  };
  assert.equal(readGuides(() => '', GUIDES, read).length, GUIDES.length);
});
