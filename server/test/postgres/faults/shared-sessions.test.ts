import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PostgresAdminEngine } from '../../../src/store/postgres/admin/engine.ts';
import { type PoolMode, startPooler } from '../support/pooler.ts';
import { sharedPostgres } from '../support/shared-postgres.ts';

const REFUSED: Readonly<Record<string, PoolMode>> = {
  'gives the session that is free to the next transaction': () => 0,
  'gives its sessions in turn': ({ earlier }) => earlier % 2,
  'moves a client while another one has a transaction': ({ client, isBeside }) =>
    client === 1 && isBeside ? 2 : client,
  'refuses transactions': 'statement',
};

const { server } = await sharedPostgres();

for (const [what, mode] of Object.entries(REFUSED)) {
  test(`refuses a pooler that ${what}`, async (t) => {
    const url = await startPooler(t, await server.createDatabase(), mode);
    await assert.rejects(
      PostgresAdminEngine.connectToPrepare(url, []),
      /is behind a connection pooler that shares sessions between clients/,
    );
  });
}

test('accepts a pooler that gives each client a session of its own', async (t) => {
  const url = await startPooler(t, await server.createDatabase(), 'session');
  const engine = await PostgresAdminEngine.connectToPrepare(url, []);
  assert.deepEqual(await engine.tableNames(), []);
  await engine.close();
});
