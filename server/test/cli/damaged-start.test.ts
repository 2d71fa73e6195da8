import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { commandLine, json, temporaryFolder } from '../support/command-line.ts';
import { damageTable } from '../support/damaged-table.ts';
import { startUntil } from '../support/launched-process.ts';

test('a service reads its pets after the start without a request, and logs that they are damaged', async (t) => {
  const folder = temporaryFolder(t);
  const env = { PETSTORE_DATABASE: `sqlite:${join(folder, 'petstore.db')}`, PETSTORE_PEPPER: 'x'.repeat(32) };
  await json(commandLine(folder, { env }), 'migrate');
  damageTable(join(folder, 'petstore.db'), 'inventory');
  const isLogged = (text: string) => text.includes('the list was not read at the start');
  const { text, stop } = await startUntil(t, folder, ['serve'], isLogged, env);
  assert.match(text, /"msg":"listening"/);
  const url = /"url":"([^"]+)"/.exec(text)?.[1];
  const ready = await fetch(new URL('/readyz', url));
  assert.equal(ready.status, 503);
  assert.match(await ready.text(), /damaged/);
  await stop();
});
