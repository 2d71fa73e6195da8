import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { json, newCliShop, petRow } from '../support/command-line.ts';

test('stock-takes are listed, shown and reported as CSV and JSON', async (t) => {
  const { store, cli } = await newCliShop(t);
  await store.importPets([petRow(1, { name: '=1+1', category: 'Dogs "x"', quantity: 5 }), petRow(2)], 'cli');
  assert.match((await cli('stocktakes', 'list')).stdout, /^There are no such stock-takes\.$/m);
  const { id } = await store.stocktakes.start(
    { name: 'Autumn', scope: { category: 'Dogs "x"', alertLevels: ['low', 'out'] }, posting: 'at_count' },
    CLI_AUTHOR,
  );
  const counter = { ...CLI_AUTHOR, actorName: 'cli' };
  for (const [petId, counted] of [
    [1n, 3],
    [2n, 1],
  ] as const) {
    await store.stocktakes.count(id, { petId, counted, note: null, occurredAtMs: null }, counter);
  }
  const listed = (await cli('stocktakes', 'list', '--state', 'running')).stdout;
  assert.match(listed, /Autumn\s+running\s+category Dogs "x", alert low or out/);
  assert.match((await cli('stocktakes', 'list', '--state', 'closed')).stdout, /no such stock-takes/);
  const shown = await json(cli, 'stocktakes', 'show', id);
  assert.deepEqual(
    [shown.name, shown.state, (shown.totals as { shortage: number }).shortage],
    ['Autumn', 'running', 2],
  );
  assert.match((await cli('stocktakes', 'show', id)).stdout, /With a difference\s+1/);

  const csv = (await cli('stocktakes', 'report', id)).stdout.split('\r\n');
  assert.equal(
    csv[0],
    'petId,name,category,expected,counted,variance,posted,counts,countedBy,countedAt,sequence',
  );
  assert.match(csv[1] ?? '', /^1,'=1\+1,"Dogs ""x""",5,3,-2,-2,1,cli,20\S+Z,\d+$/);
  assert.match(csv[2] ?? '', /^2,,,1,1,0,0,1,cli,/);
  assert.equal((await cli('stocktakes', 'report', id, '--differences')).stdout.split('\r\n').length, 3);
  const report = JSON.parse((await cli('stocktakes', 'report', id, '--json')).stdout);
  assert.deepEqual(
    report.map((line: { petId: number; countedBy: object }) => [line.petId, line.countedBy]),
    [
      [1, { keyId: null, name: 'cli' }],
      [2, { keyId: null, name: 'cli' }],
    ],
  );
  assert.match((await cli('stocktakes', 'show', 'stk_none')).stderr, /There is no stock-take "stk_none"\./);
});
