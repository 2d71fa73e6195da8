import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { strFromU8, unzipSync } from 'fflate';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { json, newCliShop, petRow } from '../support/command-line.ts';

test('reports are written as CSV, JSON and workbooks', async (t) => {
  const { store, cli, folder } = await newCliShop(t);
  const pets = [
    petRow(1, { name: '=1+1', category: 'Dogs', quantity: 5 }),
    petRow(2, { category: 'Cats', quantity: 7 }),
    petRow(9_007_199_254_740_993n, { quantity: 1 }),
  ];
  await store.importPets(pets, 'cli', Date.UTC(2026, 0, 31, 23, 30));
  await store.importPets([petRow(1, { quantity: 2, category: 'Dogs' })], 'cli', Date.UTC(2026, 1, 10));
  const { id } = await store.stocktakes.start({ name: 'Autumn', scope: {}, posting: 'at_close' }, CLI_AUTHOR);
  const count = { petId: 2n, counted: 4, note: null, occurredAtMs: null };
  await store.stocktakes.count(id, count, { ...CLI_AUTHOR, actorName: 'cli' });

  const written = async (...words: string[]) => (await cli('report', ...words)).stdout;
  assert.equal(
    await written('stock'),
    'category,pets,quantity,reserved,available\r\n,1,1,0,1\r\nCats,1,7,0,7\r\nDogs,1,2,0,2\r\n',
  );
  assert.equal(
    await written('stock', '--by', 'pet', '--as-of', '2026-02-01', '--category', 'Dogs'),
    "petId,name,category,quantity,reserved,available\r\n1,'=1+1,Dogs,5,0,5\r\n",
  );
  assert.match(await written('stock', '--by', 'total', '--sequence', '1'), /\r\n1,5,0,5\r\n$/);
  assert.match(await written('stock', '--by', 'pet', '--pet', '2'), /\r\n2,,Cats,7,0,7\r\n$/);
  const rows = JSON.parse(await written('stock', '--by', 'pet', '--json'));
  assert.deepEqual(
    rows.map(({ quantity }: { quantity: number }) => quantity),
    [2, 7, 1],
  );
  assert.match(await written('stock', '--by', 'pet', '--json'), /"petId":9007199254740993,/);
  assert.equal(await written('stock', '--category', 'None', '--json'), '[]\n');

  const head = 'month,kind,reason,revertedReason,movements,unitsIn,unitsOut,change';
  const [heading, ...utc] = (await written('movements', '--to', '2026-03-01')).trimEnd().split('\r\n');
  assert.equal(heading, head);
  assert.deepEqual(utc, ['2026-01,import,,,3,13,0,13', '2026-02,import,,,1,0,3,-3']);
  const berlin = await written('movements', '--to', '2026-03-01', '--time-zone', 'Europe/Berlin');
  assert.equal(berlin, `${head}\r\n2026-02,import,,,4,13,3,10\r\n`);
  // Half an hour of February is in January of UTC.
  const february = [
    'movements',
    '--time-zone',
    'Europe/Berlin',
    '--from',
    '2026-02-01',
    '--to',
    '2026-03-01',
  ];
  assert.equal(await written(...february), berlin);
  const january = ['movements', '--from', '2026-01-01', '--to', '2026-02-01', '--time-zone', 'Europe/Berlin'];
  assert.equal(await written(...january), `${head}\r\n`);
  assert.equal(
    await written(...january.with(4, '2026-02-01T00:00:00Z')),
    `${head}\r\n2026-02,import,,,3,13,0,13\r\n`,
  );
  assert.equal(
    await written('movements', '--from', '2026-02-01', '--to', '2026-03-01', '--by', 'category'),
    'month,category,kind,reason,revertedReason,movements,unitsIn,unitsOut,change\r\n2026-02,Dogs,import,,,1,0,3,-3\r\n',
  );
  assert.equal(
    await written('movements', '--per', 'day', '--from', '2026-02-01', '--to', '2026-03-01'),
    `${head.replace('month', 'day')}\r\n2026-02-10,import,,,1,0,3,-3\r\n`,
  );
  assert.match(await written('variance', '--by', 'pet'), /,Autumn,running,\S+,,2,,Cats,7,4,-3,0,3,0\r\n$/);
  assert.deepEqual(JSON.parse(await written('variance', '--to', '2026-01-01', '--json')), []);

  const made = await json(cli, 'report', 'stock', '--by', 'pet', join(folder, 'stock.xlsx'));
  assert.deepEqual([made.format, made.rows], ['xlsx', 3]);
  const sheet = unzipSync(readFileSync(join(folder, 'stock.xlsx')))['xl/worksheets/sheet1.xml'];
  assert.equal(strFromU8(sheet as Uint8Array).split('<row').length, 5);
  assert.match(await written('stock', join(folder, 'stock.csv')), /^3 rows written to /);
  assert.equal(readFileSync(join(folder, 'stock.csv'), 'utf8'), await written('stock'));
});

test('a report that cannot be made says why, and leaves no file', async (t) => {
  const { cli, folder } = await newCliShop(t);
  const refused = async (...words: string[]) => {
    const { code, stderr } = await cli('report', ...words);
    assert.notEqual(code, 0, words.join(' '));
    return stderr;
  };
  assert.match(
    await refused('movements', '--time-zone', 'Mars'),
    /give a time zone such as UTC, Europe\/Berlin/,
  );
  assert.match(await refused('movements', '--from', 'soon'), /give a time such as 2026-12-31T23:59:59Z/);
  assert.match(await refused('stock', '--sequence', '1.5'), /give the sequence of a movement/);
  assert.match(await refused('stock', '--as-of', '2999-01-01'), /is in the future/);
  assert.match(await refused('stock', '--sequence', '1', '--as-of', '1d'), /cannot be used with/);
  const file = join(folder, 'none.csv');
  assert.match(
    await refused('stock', '--sequence', '4711', file),
    /There is no movement 4711; the newest one is 0/,
  );
  assert.match(
    await refused('movements', '--from', '2026-02-01', '--to', '2026-01-01', file),
    /must be later/,
  );
  assert.match(
    await refused('variance', '--from', '2026-02-01', '--to', '2026-01-01', file),
    /to must be later than from/,
  );
  assert.throws(() => readFileSync(file), /ENOENT/);
  assert.throws(() => readFileSync(`${file}.part`), /ENOENT/);
  assert.match(await refused('stock', join(folder, 'no', 'where.csv')), /where\.csv/);
  const table = join(folder, 'stock.ODS');
  assert.match(
    await refused('stock', table),
    /stock\.ODS would have CSV inside; name a \.csv or \.xlsx file/,
  );
  assert.throws(() => readFileSync(table), /ENOENT/);
  assert.equal((await cli('report', 'stock', '--separator', 'tab', join(folder, 'stock.tsv'))).code, 0);
});
