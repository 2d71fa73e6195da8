import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { databaseFile } from '../../src/store/sqlite/open.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { listJson, petRow } from '../support/pet-rows.ts';
import { update } from '../support/stock-requests.ts';

/*
 * After a commit of the process the serving thread takes the end of the ledger from the writing thread. It reads the database
 * instead where another connection has committed too, whatever the order. The operator of a test is such a connection, in this thread.
 */

async function startShop(t: Parameters<typeof startApp>[0]) {
  const app = await startApp(t, { pets: [petRow(1n)] });
  const key = await app.makeKey();
  const list = (of?: string) => app.request('GET', '/v1/inventory', of === undefined ? {} : { key: of });
  assert.equal((await list(key.key)).status, 200);
  return { app, key, list };
}

/** Waits in this turn of the event loop until the writing thread has committed up to this movement. */
function awaitCommit({ database }: TestApp, sequence: number): void {
  const connection = new DatabaseSync(databaseFile(database.url), { readOnly: true });
  const newest = connection.prepare('SELECT max(sequence) AS sequence FROM movements');
  while ((newest.get() as { sequence: number }).sequence < sequence);
  connection.close();
}

test('each list has the change before it, and its own tag', async (t) => {
  const { app, list } = await startShop(t);
  let tag = (await list()).headers.get('ETag') ?? '';
  for (const quantity of [7, 8, 9]) {
    await update(app, 1, { quantity });
    const { status, text, headers } = await app.request('GET', '/v1/inventory', {
      headers: { 'If-None-Match': tag },
    });
    assert.deepEqual([status, text], [200, listJson([petRow(1n, quantity)])]);
    tag = headers.get('ETag') ?? '';
  }
});

test('a key that is revoked while a change is written is refused after the change', async (t) => {
  const { app, key, list } = await startShop(t);
  const changing = update(app, 1, { quantity: 7 });
  await app.admin.keys.revoke(key.principal.key.id, app.clock.nowMs, CLI_AUTHOR);
  assert.equal((await changing).status, 200);
  assert.equal((await list(key.key)).status, 401);
  assert.equal((await list()).text, listJson([petRow(1n, 7)]));
});

test('a key that is revoked after the serving thread has seen a commit, and before its report, is refused', async (t) => {
  const { app, key, list } = await startShop(t);
  const before = app.store.inventoryTag();
  const changing = update(app, 1, { quantity: 7 });
  // The writing thread gets the change in one of these turns.
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  awaitCommit(app, 2);
  assert.notEqual(app.store.inventoryTag(), before);
  await app.admin.keys.revoke(key.principal.key.id, app.clock.nowMs, CLI_AUTHOR);
  assert.equal((await changing).status, 200);
  assert.equal((await list(key.key)).status, 401);
});
