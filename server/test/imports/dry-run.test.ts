import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commandLine, newAdminStore, petRow, temporaryFolder } from '../support/command-line.ts';

test('pets import --dry-run shows what would change, and changes nothing', async (t) => {
  const { store, database } = await newAdminStore(t);
  await store.importPets([petRow(1, { name: 'Rex' }), petRow(2)], 'cli');
  const folder = temporaryFolder(t);
  const file = join(folder, 'pets.csv');
  writeFileSync(file, 'petId,quantity,name\n9007199254740993,5,\n1,7,Tom\n2,1,\n');
  const run = commandLine(folder, { env: { PETSTORE_DATABASE: database.url } });
  const { code, stdout } = await run('pets', 'import', file, '--dry-run');
  assert.equal(code, 0);
  assert.deepEqual(stdout.trimEnd().split('\n'), [
    `3 pets in ${file}: 1 new, 1 to change, 1 unchanged.`,
    '  new pet 9007199254740993: quantity 5, status "available"',
    '  changed pet 1: name "Rex" -> "Tom", quantity 1 -> 7',
    'Nothing was changed.',
  ]);
  const printed = (await run('pets', 'import', file, '--dry-run', '--json')).stdout;
  const json = JSON.parse(printed);
  assert.equal(json.dryRun, true);
  assert.deepEqual([json.created, json.changed, json.unchanged], [1, 1, 1]);
  assert.match(printed, /"differences":\[\{"petId":9007199254740993,/);
  assert.deepEqual(await database.rows('SELECT count(*) FROM movements'), [[2]]);
  assert.deepEqual(await database.rows('SELECT count(*) FROM imports'), [[0]]);
});
