import assert from 'node:assert/strict';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { commandLine, json, temporaryFolder } from '../support/command-line.ts';
import { startUntil } from '../support/launched-process.ts';

/** Overwrites the first page of a table. */
function damage(file: string, table: string): void {
  const database = new DatabaseSync(file, { readOnly: true });
  const { page } = database
    .prepare('SELECT rootpage AS page FROM sqlite_schema WHERE name = ?')
    .get(table) as { page: number };
  const { page_size: bytes } = database.prepare('PRAGMA page_size').get() as { page_size: number };
  database.close();
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(bytes, 0xff), 0, bytes, (page - 1) * bytes);
  closeSync(descriptor);
}

test('a service reads its pets after the start without a request, and logs that they are damaged', async (t) => {
  const folder = temporaryFolder(t);
  const env = { PETSTORE_DATABASE: `sqlite:${join(folder, 'petstore.db')}`, PETSTORE_PEPPER: 'x'.repeat(32) };
  await json(commandLine(folder, { env }), 'migrate');
  damage(join(folder, 'petstore.db'), 'inventory');
  const isLogged = (text: string) => text.includes('the list was not read at the start');
  const { text, stop } = await startUntil(t, folder, ['serve'], isLogged, env);
  assert.match(text, /"msg":"listening"/);
  const url = /"url":"([^"]+)"/.exec(text)?.[1];
  const ready = await fetch(new URL('/readyz', url));
  assert.equal(ready.status, 503);
  assert.match(await ready.text(), /damaged/);
  await stop();
});
