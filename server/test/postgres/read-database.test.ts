import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, type TestContext, test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { operatorCli } from '../blackbox/operator.ts';
import { launchService, serviceEnvironment } from '../blackbox/service-process.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { sharedPostgres } from './support/shared-postgres.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const whole = { after: after as TestContext['after'] };
const { server: postgres } = await sharedPostgres();
const folder = temporaryFolder(whole);
const pepper = randomBytes(24).toString('hex');
const database = await postgres.createDatabase();

/** Starts the service with a replica of this address; resolves with its output when it listens or exits. */
async function serveWith(replica: string): Promise<string | undefined> {
  const environment = serviceEnvironment('node', folder, {
    PETSTORE_DATABASE: database,
    PETSTORE_PEPPER: pepper,
    PETSTORE_READ_DATABASE: replica,
  });
  const service = await launchService(environment).catch((error: unknown) => String(error));
  if (typeof service === 'string') return service;
  assert.equal(await service.stop(), 0);
  return undefined;
}

async function makeDatabase(otherPepper: string): Promise<string> {
  const url = await postgres.createDatabase();
  const variables = { PETSTORE_DATABASE: url, PETSTORE_PEPPER: otherPepper };
  await operatorCli(serviceEnvironment('node', folder, variables))('migrate');
  return url;
}

test('a replica of the database is served with', async (t) => {
  if (isSkippedDaily(t)) return;
  assert.equal(await serveWith(database), undefined);
});

test('a database with the same pepper that follows no server, or has another ledger, is refused', async () => {
  const foreign = await makeDatabase(pepper);
  assert.match((await serveWith(foreign)) ?? '', /error: \S+ is no replica of the database/);
});

test('another database, an empty one, and one that is not there end the start with a sentence', async (t) => {
  if (isSkippedDaily(t)) return;
  const other = await makeDatabase(randomBytes(24).toString('hex'));
  assert.match(
    (await serveWith(other)) ?? '',
    /error: \S+ is no replica of the database; set PETSTORE_READ_DATABASE/,
  );
  const empty = await postgres.createDatabase();
  assert.match((await serveWith(empty)) ?? '', /error: \S+ is no replica of the database/);
  const unreachable = database.replace(/:\d+\//, ':1/');
  assert.match(
    (await serveWith(unreachable)) ?? '',
    /error: \S+ cannot be read \(.*ECONNREFUSED.*PETSTORE_READ_DATABASE's/,
  );
  for (const url of [other, empty, unreachable]) {
    assert.ok(!(await serveWith(url))?.includes(new URL(url).password), 'no password is shown');
  }
});

test('only PostgreSQL has replicas, and an invalid address is refused without being printed', () => {
  const replica = 'postgres://user:password@host:5432/petstore';
  assert.throws(() => readConfig({ PETSTORE_READ_DATABASE: replica }), {
    name: 'OperatorError',
    message: /^PETSTORE_READ_DATABASE must be empty when PETSTORE_DATABASE is a SQLite file/,
  });
  assert.throws(() => readConfig({ PETSTORE_READ_DATABASE: 'mysql://user:password@host/petstore' }), {
    name: 'OperatorError',
    message: /^PETSTORE_READ_DATABASE must be empty, or postgres:.*; it is another value\.$/,
  });
  assert.equal(
    readConfig({ PETSTORE_DATABASE: replica, PETSTORE_READ_DATABASE: replica }).readDatabase,
    replica,
  );
});
