import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { VARIABLES } from '../../src/config-variables.ts';
import { changedAddress, serversOf, shownAddress } from '../../src/domain/database-address.ts';
import { NotReady } from '../../src/domain/errors.ts';
import { connectAdmin } from '../../src/store/postgres/admin/client.ts';
import { toolAddress } from '../../src/store/postgres/admin/tools.ts';
import { type Connection, ConnectionLost } from '../../src/store/postgres/connection.ts';
import { Connections } from '../../src/store/postgres/connections.ts';
import { commandLine, json, temporaryFolder } from '../support/command-line.ts';
import { until } from '../support/until.ts';
import { freePort } from './support/free-port.ts';
import { startPostgres } from './support/postgres-server.ts';

const SEVERAL = 'postgres://shop:p,@x@a:5433,[::1],b:5434/pets?sslmode=require';

test('an address of several servers is read, shown without its password, and changed as a whole', () => {
  assert.deepEqual(serversOf(SEVERAL), [
    'postgres://shop:p,@x@a:5433/pets?sslmode=require',
    'postgres://shop:p,@x@[::1]/pets?sslmode=require',
    'postgres://shop:p,@x@b:5434/pets?sslmode=require',
  ]);
  assert.equal(shownAddress(SEVERAL), 'postgres://shop@a:5433,[::1],b:5434/pets');
  assert.equal(shownAddress('postgres://shop:p@ss@db/pets'), 'postgres://shop@db/pets');
  const other = changedAddress('postgres://a:5433,b:5434/pets', (address) => {
    address.pathname = '/other';
  });
  assert.equal(other, 'postgres://a:5433,b:5434/other');
  assert.equal(
    toolAddress('postgres://shop:word@a:5433,b/pets').address,
    'postgres://shop@a:5433,b/pets?target_session_attrs=read-write',
  );
});

test('each server of an address must be one, and a replica is one server', () => {
  const { database, readDatabase } = VARIABLES;
  assert.equal(database.read(SEVERAL), SEVERAL);
  for (const wrong of ['a,,b', 'a,', ',a', 'a:5432,b:port', 'a:5432,b:99999']) {
    assert.throws(() => database.read(`postgres://${wrong}/pets`), wrong);
  }
  assert.throws(() => readDatabase.read('postgres://a,b/pets'));
  assert.equal(readDatabase.read('postgres://a/pets'), 'postgres://a/pets');
});

function openConnections(t: TestContext, url: string): Connections & { readonly left: () => number } {
  const ignore = () => undefined;
  let left = 0;
  const connections = new Connections({
    url,
    acceptedUnsafe: [],
    onOtherServer: () => {
      left += 1;
    },
    onListingLost: ignore,
    onReadingLost: ignore,
    onMovements: ignore,
    onEndpoints: ignore,
  });
  t.after(() => connections.close(async () => undefined));
  return Object.assign(connections, { left: () => left });
}

async function portOf(connection: Connection): Promise<unknown> {
  const [row] = await connection.read({ name: 'port', text: `SELECT current_setting('port') AS port` });
  return Number(row?.port);
}

test('the primary of several servers is used, and the newer one of two', async (t) => {
  const old = await startPostgres(t);
  const next = await old.startStandby(t);
  const dead = await freePort();
  const ofOld = await old.createDatabase();
  const env = { PETSTORE_DATABASE: ofOld, PETSTORE_PEPPER: 'p'.repeat(64) };
  await json(commandLine(temporaryFolder(t), { env }), 'migrate');
  const url = (...ports: readonly number[]) =>
    ofOld.replace(`127.0.0.1:${old.port}`, ports.map((port) => `127.0.0.1:${port}`).join());
  // Neither a server that is gone nor a standby.
  const connections = openConnections(t, url(dead, next.port, old.port));
  const [written] = await old.query('SELECT pg_current_wal_lsn() AS lsn');
  const follows = `SELECT pg_last_wal_replay_lsn() >= '${written?.lsn}' AS follows`;
  await until(async () => (await next.query(follows))[0]?.follows === true, 'the standby follows');
  assert.equal(await portOf(connections.writing), old.port);
  const { client, server } = await connectAdmin(url(dead, next.port, old.port));
  await client.end();
  assert.equal(server, ofOld);
  await assert.rejects(connectAdmin(url(dead, next.port)), /can only be read: it may be a replica now/);
  const none = openConnections(t, url(next.port, dead));
  await assert.rejects(none.writing.client(), ({ name, cause }: Error) => {
    assert.equal(name, ConnectionLost.name);
    return cause instanceof NotReady;
  });

  // The old one runs on, and is first in the address.
  const behind = openConnections(t, url(old.port, next.port));
  assert.equal(await portOf(behind.reading), old.port);
  await next.query('SELECT pg_promote()');
  const late = openConnections(t, url(old.port, next.port));
  assert.equal(await portOf(late.charging), old.port);
  for (const instance of [behind, late]) {
    await until(async () => {
      instance.probe();
      return instance.left() > 0;
    }, 'the old server is left');
    for (const connection of [instance.charging, instance.writing, instance.listing, instance.reading]) {
      assert.equal(await portOf(connection), next.port);
    }
    assert.equal(instance.left(), 1);
  }
});
