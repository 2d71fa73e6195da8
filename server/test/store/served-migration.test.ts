import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isPostgres } from '../../src/store/open-engine.ts';
import { SCHEMA_VERSION } from '../../src/store/schema/migrations.ts';
import { launchService, serviceEnvironment } from '../blackbox/service-process.ts';
import { SOURCE } from '../support/bundle/service-program.ts';
import {
  type CommandLine,
  commandLine,
  environmentOf,
  json,
  run,
  temporaryFolder,
} from '../support/command-line.ts';
import { newDatabase, testEngine } from '../support/test-database.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const IN_USE =
  /has an older schema and is in use by a petstore-server; stop the service, every instance and command of it, then start again\./;
const LATER_RELEASE = new URL('later-migration.ts', import.meta.url).href;

/** The versions that this release has applied, and then a later one. */
const OWN = Array.from({ length: SCHEMA_VERSION }, (_, i) => i + 1);
const LATER = SCHEMA_VERSION + 1;

/** A database of this release, with the command line of this release and that of later ones. */
async function databaseOfThisRelease(t: TestContext) {
  const folder = temporaryFolder(t);
  const database = await newDatabase(t);
  const env = { PETSTORE_DATABASE: database.url, ...testEngine().variables };
  const laterRelease = (sql: string): CommandLine => {
    const preload = {
      NODE_OPTIONS: `--import=${LATER_RELEASE}`,
      BUN_OPTIONS: `--preload=${fileURLToPath(LATER_RELEASE)}`,
    };
    const extra = { ...env, ...preload, LATER_MIGRATION: sql };
    // The module that it imports changes one of the source.
    return (...words) => run(process.execPath, [SOURCE, ...words], folder, environmentOf(folder, extra));
  };
  const thisRelease = commandLine(folder, { env });
  await json(thisRelease, 'migrate');
  const applied = async () =>
    (await database.rows('SELECT version FROM schema_migrations ORDER BY version')).flat();
  return { folder, env, database, thisRelease, laterRelease, applied };
}

test('a migration that is due is refused while an instance runs, and made once after its end', async (t) => {
  const { folder, env, database, thisRelease, laterRelease, applied } = await databaseOfThisRelease(t);
  const later = laterRelease('CREATE TABLE later (id bigint)');
  const service = await launchService(serviceEnvironment('node', folder, env));
  t.after(() => service.kill9());
  assert.deepEqual((await json(thisRelease, 'migrate')).migrations, [], 'nothing is due');

  // On PostgreSQL each refusal waits seconds for sessions to end.
  for (const command of testEngine().share < 1 ? ['serve'] : ['migrate', 'serve', 'start']) {
    const { code, stdout, stderr } = await later(command);
    assert.equal(code, 1, `${command}: ${stdout}${stderr}`);
    assert.match(stderr, IN_USE);
    assert.deepEqual(await applied(), OWN);
  }
  assert.match((await later('accounts', 'list')).stderr, /older schema; run petstore-server migrate first\./);

  // The way back is a backup from before the migration, also where its release was replaced already.
  const backup = await later('backup', 'before.db');
  assert.doesNotMatch(backup.stderr, /older schema/);
  if (!isPostgres(database.url)) {
    assert.match((await later('backup', 'check', 'before.db')).stdout, /An older release made it/);
    mkdirSync(join(folder, 'backups'));
    assert.equal((await json(later, 'backup', '--to', 'backups')).unrecorded, null);
    assert.equal((await database.rows('SELECT 1 FROM newest_backup')).length, 1);
  }

  await service.kill9();
  const made = await Promise.all([1, 2, 3].map(() => json(later, 'migrate')));
  assert.deepEqual(
    made.flatMap(({ migrations }) => migrations),
    ['later'],
  );
  assert.deepEqual(await applied(), [...OWN, LATER]);
  assert.deepEqual(await json(later, 'accounts', 'list'), []);
  const { stderr } = await thisRelease('migrate');
  assert.ok(stderr.includes(`has schema version ${LATER}, newer than this release knows`), stderr);
});

test('a migration that breaks off changes nothing, and can be run again', async (t) => {
  if (isSkippedDaily(t)) return;
  const { database, thisRelease, laterRelease, applied } = await databaseOfThisRelease(t);
  const broken = laterRelease('CREATE TABLE later (id bigint); INSERT INTO missing VALUES (1)');
  assert.match((await broken('migrate')).stderr, /missing/);
  assert.deepEqual(await applied(), OWN);
  await assert.rejects(database.rows('SELECT 1 FROM later'), /later/);
  assert.deepEqual(await json(thisRelease, 'accounts', 'list'), []);

  const mended = laterRelease('CREATE TABLE later (id bigint)');
  assert.deepEqual((await json(mended, 'migrate')).migrations, ['later']);
  assert.deepEqual(await applied(), [...OWN, LATER]);
});

test('a database that an unreleased version made is refused', async (t) => {
  const { database, thisRelease, applied } = await databaseOfThisRelease(t);
  await database.run(`DELETE FROM schema_migrations WHERE version > 1;
UPDATE schema_migrations SET name = 'first', checksum = 'of the first';
INSERT INTO schema_migrations VALUES (2, 'ledger-opened', 'x', 0), (3, 'prunes-recorded', 'y', 0)`);
  for (const command of ['migrate', 'serve', 'verify']) {
    const { code, stderr } = await thisRelease(command);
    assert.equal(code, 1, command);
    assert.match(stderr, /was made by an unreleased version of petstore-server: its schema version 1 is not/);
  }
  assert.deepEqual(await applied(), [1, 2, 3]);
});
