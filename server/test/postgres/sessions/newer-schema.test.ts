import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MIGRATIONS as POSTGRES } from '../../../src/store/postgres/admin/migrations.ts';
import { SCHEMA_VERSION } from '../../../src/store/schema/migrations.ts';
import { MIGRATIONS as SQLITE } from '../../../src/store/sqlite/migrations.ts';
import { startApp } from '../../support/harness.ts';
import { petRow } from '../../support/pet-rows.ts';
import { useEngine } from '../../support/test-database.ts';
import { until } from '../../support/until.ts';
import { PostgresEngine } from '../support/postgres-engine.ts';

const engine = new PostgresEngine();
useEngine(engine);

test('the version of the schema is that of the newest migration', () => {
  for (const migrations of [POSTGRES, SQLITE]) assert.equal(migrations.at(-1)?.version, SCHEMA_VERSION);
});

test('an instance that lost its sessions changes nothing in a schema of a newer release', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n)], losesConnections: true });
  const set = (quantity: number) =>
    app.request('PATCH', '/v1/inventory/1', { body: JSON.stringify({ quantity }) });
  assert.equal((await set(2)).status, 200);
  await app.database.run(
    `INSERT INTO schema_migrations VALUES (${SCHEMA_VERSION + 1}, 'next', 'checksum', 1)`,
  );
  assert.equal((await set(3)).status, 200, 'its sessions are known to the migration');
  const name = new URL(app.database.url).pathname.slice(1);
  await (await engine.server()).terminateBackends(name);
  await until(async () => (await set(4)).status === 503, 'the refusal');
  assert.deepEqual(await app.database.rows('SELECT quantity FROM inventory'), [[3]]);
  await app.database.run(`DELETE FROM schema_migrations WHERE version = ${SCHEMA_VERSION + 1}`);
  await until(async () => (await set(5)).status === 200, 'the schema of this release');
});
