import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { databaseFile, openDatabase } from '../../../src/store/sqlite/open.ts';
import { petRow } from '../../support/command-line.ts';
import { startApp } from '../../support/harness.ts';

/** The duration of an import of some hundred thousand pets; longer than an operator command waits. */
const HELD_MS = 8_000;

test('a change waits for an import that holds the database, instead of being refused', async (t) => {
  const app = await startApp(t, { pets: [petRow(1)] });
  const other = openDatabase(databaseFile(app.config.database));
  t.after(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  const beginMs = performance.now();
  const changing = app.request('PATCH', '/v1/inventory/1', { body: '{"quantity":7}' });
  assert.equal((await app.request('GET', '/v1/inventory')).status, 200, 'lists continue');
  await delay(HELD_MS);
  other.exec('ROLLBACK');
  assert.equal((await changing).status, 200);
  assert.ok(performance.now() - beginMs >= HELD_MS);
});
