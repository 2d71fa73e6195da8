import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import pg from 'pg';
import { adminShop } from '../support/admin-shop.ts';
import { petRows } from '../support/pet-rows.ts';

const READINGS = [
  '/admin/v1/pets/export',
  '/admin/v1/reports/stock',
  '/admin/v1/reports/movements/export',
  '/admin/v1/reorders',
  '/admin/v1/ledger/audit',
];
/** An action waits 5 seconds for a lock, and a busy machine may need longer for all readings. */
const ROUNDS = 4;
/** The service writes counts and usage now and then. */
const BUSY_TIMEOUT_MS = 60_000;

/** Lets no one else create an account. Returns a function that ends this. */
async function holdAccounts(url: string): Promise<() => Promise<void>> {
  if (url.startsWith('sqlite:')) {
    const database = new DatabaseSync(url.slice('sqlite:'.length), { timeout: BUSY_TIMEOUT_MS });
    database.exec('BEGIN IMMEDIATE');
    return async () => database.close();
  }
  const client = new pg.Client(url);
  await client.connect();
  await client.query('BEGIN');
  await client.query('LOCK TABLE accounts IN SHARE ROW EXCLUSIVE MODE');
  return () => client.end();
}

test('exports, reports and audits do not wait for a management action that waits', async (t) => {
  const { app, send } = await adminShop(t, 'administrator', { pets: petRows(3) });
  const read = () => Promise.all(READINGS.map((target) => send('GET', target)));
  // The threads start.
  await read();
  let wasFirst = false;
  for (let round = 1; round <= ROUNDS && !wasFirst; round += 1) {
    const release = await holdAccounts(app.database.url);
    let isDone = false;
    const created = send('POST', '/admin/v1/accounts', { name: `Shop ${round}`, plan: 'free' }).finally(
      () => (isDone = true),
    );
    // The first readings may come before the action.
    const responses = [...(await read()), ...(await read())];
    wasFirst = !isDone;
    await release();
    const { status } = await created;
    assert.ok(wasFirst ? status === 201 : status === 201 || status === 503, String(status));
    for (const response of responses) assert.equal(response.status, 200);
  }
  assert.ok(wasFirst);
});
