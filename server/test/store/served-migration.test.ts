import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launchService, serviceEnvironment } from '../blackbox/service-process.ts';
import { commandLine, json, temporaryFolder } from '../support/command-line.ts';
import { newDatabase, type TestDatabase, testEngine } from '../support/test-database.ts';

const IN_USE =
  /has an older schema and is in use by a petstore-server; stop the service, every instance and command of it, then start again\./;

/** Makes the newest step due again. */
async function undoPrunesRecorded(database: TestDatabase): Promise<void> {
  await database.run(`DROP TABLE prunes; ALTER TABLE ledger_start DROP COLUMN deleted_sequence;
ALTER TABLE ledger_start DROP COLUMN deleted_hash`);
  if (!database.url.startsWith('sqlite:')) await database.run('DROP FUNCTION refuse_prune_change');
}

test('a migration that is due is refused while an instance runs, and made once after its end', async (t) => {
  const folder = temporaryFolder(t);
  const database = await newDatabase(t);
  const env = { PETSTORE_DATABASE: database.url, ...testEngine().variables };
  const cli = commandLine(folder, { env });
  await json(cli, 'migrate');
  const service = await launchService(serviceEnvironment('node', folder, env));
  t.after(() => service.kill9());
  assert.deepEqual((await json(cli, 'migrate')).migrations, [], 'nothing is due');

  const applied = () => database.rows('SELECT version FROM schema_migrations ORDER BY version');
  await database.run('DELETE FROM schema_migrations WHERE version = 3');
  for (const command of ['migrate', 'serve', 'start']) {
    const { code, stdout, stderr } = await cli(command);
    assert.equal(code, 1, `${command}: ${stdout}${stderr}`);
    assert.match(stderr, IN_USE);
    assert.deepEqual(await applied(), [[1], [2]]);
  }

  await service.kill9();
  await undoPrunesRecorded(database);
  const made = await Promise.all([1, 2, 3].map(() => json(cli, 'migrate')));
  assert.deepEqual(
    made.flatMap(({ migrations }) => migrations),
    ['prunes-recorded'],
  );
  assert.deepEqual(await applied(), [[1], [2], [3]]);
});
