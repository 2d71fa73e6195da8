import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path/posix';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../src/', import.meta.url));
const COMMENT = /\/\*.*?\*\//gs;

const sources = new Map(
  globSync('**/*.{css,ts,tsx}', { cwd: ROOT }).map((file) => {
    const source = readFileSync(join(ROOT, file), 'utf8');
    return [file.replaceAll('\\', '/'), file.endsWith('.css') ? source.replaceAll(COMMENT, '') : source];
  }),
);

const OF_LIBRARIES = /^--(?:mantine|scalar)-/;

test('each custom property that a style uses is declared', () => {
  const declared = new Set<string>();
  for (const source of sources.values())
    for (const [, name = ''] of source.matchAll(/(--[\w-]+)['"]?\]?\s*:/g)) declared.add(name);
  assert.ok(declared.has('--accent'));
  const missing = [...sources].flatMap(([file, source]) =>
    [...source.matchAll(/var\((--[\w-]+)\s*\)/g)]
      .map(([, name = '']) => name)
      .filter((name) => !declared.has(name) && !OF_LIBRARIES.test(name))
      .map((name) => `${file}: ${name}`),
  );
  assert.deepEqual(missing, []);
});

test('each class of a module is used by a file that imports the module', () => {
  const modules = [...sources].filter(([file]) => file.endsWith('.module.css'));
  assert.ok(modules.length > 50, `${modules.length} modules`);
  const unused = modules.flatMap(([file, source]) => {
    const importers = [...sources.values()].filter((text) => text.includes(`/${basename(file)}'`));
    const words = new Set(importers.flatMap((text) => text.match(/[\w-]+/g) ?? []));
    const names = new Set([...source.matchAll(/\.([a-z][\w-]*)(?=[^{}]*\{)/gi)].map(([, name = '']) => name));
    return [...names]
      .filter((name) => !name.startsWith('mantine-') && !words.has(name))
      .map((name) => `${file}: ${name}`);
  });
  assert.deepEqual(unused, []);
});
