import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { strFromU8, unzipSync } from 'fflate';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { json, newCliShop, petRow } from '../support/command-line.ts';

test('the reorder list is shown, written and changed from the command line', async (t) => {
  const { store, cli, folder } = await newCliShop(t);
  await store.importPets(
    [
      petRow(1, { name: 'Biscuit', category: 'Dogs', quantity: 0 }),
      petRow(9_007_199_254_740_993n, { name: 'Luna', category: 'Cats', quantity: 2 }),
      petRow(3, { name: 'Rex', quantity: 50 }),
    ],
    'cli',
  );
  await store.setDefaultThresholds({ lowStockAt: 5, restockAt: 8 }, CLI_AUTHOR);
  const reorders = async (...words: string[]) => (await cli('pets', 'reorders', ...words)).stdout;

  assert.equal(
    await reorders('list'),
    `             PET  NAME     SUPPLIER  ALERT  AVAILABLE  DAYS  SUGGESTED  ON THE WAY  EXPECTED
               1  Biscuit            out            0                8
9007199254740993  Luna               low            2                6
`,
  );
  const set = ['1', '--ordered', '140', '--expected', '2026-12-03', '--supplier', 'Zoo Wholesale'];
  const made = await json(cli, 'pets', 'reorders', 'set', ...set);
  assert.deepEqual(
    [made.outstanding, made.expectedOn, made.supplier, made.orderedBy],
    [140, '2026-12-03', 'Zoo Wholesale', { keyId: null, name: 'cli' }],
  );
  assert.match(await reorders('list', '--state', 'ordered'), /\n +1 .*Zoo Wholesale .*140 +2026-12-03\n$/);
  assert.match(await reorders('list', '--limit', '1'), /There are more pets/);
  assert.match(await reorders('list', '--supplier', 'Zoo Wholesale', '--json'), /"petId":\s*1,/);
  assert.match(await reorders('list', '--alert', 'low'), /^ +PET .*\n9007199254740993 [^\n]*\n$/);
  assert.match(await reorders('list', '--supplier', ' Zoo Wholesale '), /140 +2026-12-03\n$/);
  for (const filter of [
    ['--supplier', 'Nobody'],
    ['--category', 'Birds'],
    ['--alert', 'oversold'],
  ])
    assert.equal(await reorders('list', ...filter), 'No pet of the reorder list matches.\n');

  const lines = (await reorders('export', '--supplier', '')).trimEnd().split('\r\n');
  assert.match(lines[0] ?? '', /^petId,name,category,sku,supplier,state,alertLevel,/);
  assert.deepEqual(lines.slice(1), ['9007199254740993,Luna,Cats,,,to_order,low,2,0,2,,8,6,,0,0,,']);
  assert.equal(JSON.parse(await reorders('export', '--category', 'Cats', '--json')).length, 1);
  const book = join(folder, 'order.xlsx');
  assert.match(await reorders('export', '--supplier', 'Zoo Wholesale', book), /^1 row written to /);
  const sheet = unzipSync(readFileSync(book))['xl/worksheets/sheet1.xml'] as Uint8Array;
  assert.match(strFromU8(sheet), /Zoo Wholesale/);

  await cli('inventory', 'adjust', '1', '100', '--reason', 'received');
  assert.equal((await store.reorders.find(1n)).open?.received, 100);
  assert.equal((await json(cli, 'pets', 'reorders', 'set', '1', '--expected', 'none')).expectedOn, null);
  assert.equal((await json(cli, 'pets', 'reorders', 'set', '1', '--ordered', 'none')).ordered, null);
});

test('a wrong reorder is refused with a sentence', async (t) => {
  const { cli } = await newCliShop(t);
  const refused = async (...words: string[]) => {
    const { code, stderr } = await cli('pets', 'reorders', ...words);
    assert.notEqual(code, 0, words.join(' '));
    return stderr;
  };
  assert.equal((await cli('pets', 'reorders', 'list')).stdout, 'Nothing must be ordered.\n');
  assert.match(await refused('set', '1'), /give --ordered, --expected or --supplier/);
  assert.match(await refused('set', '1', '--ordered', '0'), /give a whole number, 1 or more, or none/);
  assert.match(await refused('set', '1', '--expected', '2026-02-30'), /give a day such as 2026-12-03/);
  assert.match(await refused('set', '404', '--ordered', '5'), /There is no pet with petId 404/);
  assert.match(await refused('list', '--state', 'low'), /all, to_order, ordered/);
});
