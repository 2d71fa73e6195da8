import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeAdminKey } from '../../server/test/blackbox/operator.ts';
import { startService } from '../../server/test/blackbox/service.ts';
import { blocksIn, ROOT, readPage } from '../../test/docs/pages.ts';
import { runExample } from './support/programs.ts';

const pets = [
  { petId: 7n, quantity: 5 },
  { petId: 21n, quantity: 3 },
];

test('the examples of the page of the client work, and print what their comments say', async (t) => {
  const blocks = blocksIn(readPage('client/README.md')).filter(({ language }) => language === 'ts');
  assert.ok(blocks.length >= 8);
  const service = await startService(t, { pets });
  const { port, key } = service;
  const adminKey = await makeAdminKey(service, 'administrator');
  const program = blocks
    .map(({ text }) => text)
    .join('\n\n')
    .replaceAll('http://localhost:8080', `http://127.0.0.1:${port}`);
  // In the repository, so that the name of the package is found.
  const path = join(ROOT, 'examples', `readme-${process.pid}.mts`);
  t.after(() => rmSync(path, { force: true }));
  writeFileSync(path, program);
  const output = await runExample(path, { PETSTORE_API_KEY: key, PETSTORE_ADMIN_KEY: adminKey });
  for (const [, expected = ''] of program.matchAll(/console\.log\(.*\/\/ (.*)$/gm)) {
    assert.ok(output.includes(`${expected}\n`), `${expected} is in:\n${output}`);
  }
});
