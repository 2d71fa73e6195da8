import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Connection, ConnectionLost } from '../../src/store/postgres/connection.ts';
import { READ } from '../../src/store/postgres/statements.ts';
import { newAdminStore } from '../command-line.ts';
import { useEngine } from '../test-database.ts';
import { PostgresEngine } from './postgres-engine.ts';

useEngine(new PostgresEngine());

test('a connection that was closed is not opened again by a question that comes late', async (t) => {
  const { database } = await newAdminStore(t);
  const count = async () => {
    const [[connections] = []] = await database.rows(
      'SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()',
    );
    return connections;
  };
  const before = await count();
  const connection = new Connection(database.url);
  await connection.read(READ.head);
  assert.equal(await count(), Number(before) + 1);
  await connection.close();
  await assert.rejects(connection.read(READ.head), ConnectionLost);
  await assert.rejects(connection.client(), ConnectionLost);
  // The server notices an end a moment after it was told.
  const deadlineMs = performance.now() + 10_000;
  while ((await count()) !== before) assert.ok(performance.now() < deadlineMs, 'a connection is left');
});
