import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pepperCheck } from '../../src/cli/pepper.ts';
import { openAdmin, prepareStore } from '../../src/store/open-admin.ts';
import { commandLine, json, temporaryFolder } from '../support/command-line.ts';
import { newDatabase, testEngine } from '../support/test-database.ts';

const PEPPER = 'a pepper for a database with sample data';

test('a shop is not set up in a database with sample data, and all other commands work on it', async (t) => {
  const database = await newDatabase(t);
  const folder = temporaryFolder(t);
  const env = { ...testEngine().variables, PETSTORE_PEPPER: PEPPER };
  const pets = join(folder, 'pets.csv');
  writeFileSync(pets, 'petId,quantity\n1,1\n');
  const identity = { environment: 'production', pepperCheck: pepperCheck(Buffer.from(PEPPER)) } as const;
  await prepareStore(database.url, [], () => ({ ...identity, isSample: true }));
  const cli = commandLine(folder, { env: { ...env, PETSTORE_DATABASE: database.url } });
  for (const words of [
    'serve',
    'migrate',
    'migrate --dry-run',
    'accounts create shop --plan pro',
    'pets create 1',
    `pets import ${pets}`,
    `pets import ${pets} --dry-run`,
  ]) {
    const { code, stdout, stderr } = await cli(...words.split(' '));
    assert.deepEqual([code, stdout], [1, ''], words);
    assert.match(stderr, /has the sample data of petstore-server start, and a shop must not be mixed/, words);
    assert.match(stderr, /Set PETSTORE_DATABASE to a database of the shop, such as sqlite:\S+\./, words);
    assert.match(stderr, /run pets export, and import that file there\.\n$/, words);
  }
  for (const words of [
    'accounts list',
    'admin-keys create --role viewer',
    'pets list',
    'orders list',
    'verify',
    'pets export',
  ]) {
    assert.equal((await cli(...words.split(' '))).code, 0, words);
  }
  // The mark outlives later preparations, such as those of a start.
  await prepareStore(database.url, [], (found) => ({ ...identity, isSample: found?.isSample ?? false }));
  const store = await openAdmin(database.url);
  assert.equal(store.isSample, true);
  await store.close();
  assert.deepEqual((await json(cli, 'verify')).faults, []);
});
