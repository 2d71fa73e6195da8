import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { request } from '../../blackbox/api-request.ts';
import { NO_LIMIT } from '../../blackbox/operator.ts';
import { launchService, RUNTIMES, type Runtime, serviceEnvironment } from '../../blackbox/service-process.ts';
import { commandLine, json, temporaryFolder } from '../../support/command-line.ts';
import { debianPostgres } from '../support/postgres-binaries.ts';
import { startPostgres } from '../support/postgres-server.ts';

const PETS = 2_000;
const debian = await debianPostgres();
const skip = debian
  ? false
  : 'NOT RUN: Debian has no PostgreSQL with pg_dump here (apt-get install postgresql)';
const server =
  debian && (await startPostgres({ after: after as TestContext['after'] }, { binaries: debian.binaries }));

/** Settings of the role, as an administrator or a provider may have made them. */
const SETTINGS: Readonly<Record<string, readonly string[]>> = {
  'forms of values': [
    "datestyle = 'German, DMY'",
    "intervalstyle = 'sql_standard'",
    "timezone = 'Asia/Kathmandu'",
    "bytea_output = 'escape'",
    'standard_conforming_strings = off',
    'extra_float_digits = -15',
    'array_nulls = off',
    'quote_all_identifiers = on',
    "client_encoding = 'LATIN1'",
    "client_min_messages = 'debug5'",
  ],
  'rules of transactions': [
    "default_transaction_isolation = 'serializable'",
    'default_transaction_deferrable = on',
    'transform_null_equals = on',
    'check_function_bodies = off',
    'row_security = off',
    "work_mem = '64kB'",
    'plan_cache_mode = force_generic_plan',
    'gin_fuzzy_search_limit = 1',
  ],
  'short times': [
    'statement_timeout = 100',
    'lock_timeout = 100',
    'idle_in_transaction_session_timeout = 20',
    // The first statement of a connection must come before it, also on a busy machine.
    'idle_session_timeout = 500',
  ],
};

interface Shop {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly key: string;
}

/** Uses a shop as clients do. */
async function useShop({ folder, env, key }: Shop, runtime: Runtime): Promise<void> {
  const service = await launchService(serviceEnvironment(runtime, folder, env));
  try {
    const send = async (method: string, path: string, body?: string) => {
      const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': `${runtime}-${path}` };
      const answer = await request(service, {
        method,
        path,
        key,
        ...(body !== undefined && { body, headers }),
      });
      assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.body.toString()}`);
      return answer.body.toString();
    };
    await send('GET', '/readyz');
    await send('PATCH', '/v1/inventory/7', '{"quantity":55}');
    await send('PATCH', '/v1/inventory/7', '{"quantity":55}');
    await send('POST', '/v1/store/orders', '{"lines":[{"petId":9,"quantity":2}]}');
    assert.match(await send('GET', '/v1/inventory/7'), /"quantity":55\b/);
    assert.equal((await send('GET', '/v1/movements?limit=10')).match(/"sequence"/g)?.length, 10);
    await send('GET', '/v1/store/orders');
  } finally {
    assert.equal(await service.stop(), 0);
  }
}

for (const [name, settings] of Object.entries(SETTINGS)) {
  test(`${name} that a role has change no command, no backup and no answer`, { skip }, async (t) => {
    if (!debian || !server) return;
    const folder = temporaryFolder(t);
    const backups = join(folder, 'backups');
    mkdirSync(backups);
    const [url, other] = [await server.createDatabase(), await server.createDatabase()];
    await server.query('ALTER ROLE petstore CREATEDB');
    t.after(() => server.query('ALTER ROLE petstore RESET ALL'));
    for (const setting of settings) await server.query(`ALTER ROLE petstore SET ${setting}`);
    const envOf = (database: string) => ({
      PETSTORE_DATABASE: database,
      PETSTORE_PEPPER: 'p'.repeat(64),
      PETSTORE_POSTGRES_TOOLS: debian.tools,
    });
    const [cli, restored] = [url, other].map((database) => commandLine(folder, { env: envOf(database) }));
    assert.ok(cli && restored);
    await json(cli, 'migrate');
    const rows = Array.from({ length: PETS }, (_, i) => `${i + 1},"R\\ex 'ö€ ${i}",${i + 10},"C\\"`);
    writeFileSync(join(folder, 'pets.csv'), `petId,name,quantity,category\n${rows.join('\n')}\n`);
    await json(cli, 'pets', 'import', 'pets.csv');
    const limits = ['--per-minute', String(NO_LIMIT), '--per-day', String(NO_LIMIT)];
    await json(cli, 'accounts', 'create', 'shop', '--plan', 'enterprise', ...limits);
    const { key } = await json(cli, 'keys', 'create', '--account', 'shop');
    for (const runtime of RUNTIMES) await useShop({ folder, env: envOf(url), key: String(key) }, runtime);
    const before = await json(cli, 'verify');
    const { file } = await json(cli, 'backup', '--to', backups);
    await json(cli, 'backup', 'check', backups);
    await json(restored, 'restore', String(file));
    assert.deepEqual(await json(restored, 'verify'), before);
    const search = ['pets', 'search', `ö€ ${PETS - 1}`];
    const found = await json(restored, ...search);
    assert.match(JSON.stringify(found), /R\\\\ex 'ö€ 1999/);
    assert.deepEqual(found, await json(cli, ...search));
    await json(restored, 'restore', String(file), '--replace');
  });
}
