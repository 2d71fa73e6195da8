import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type CommandLine, json, newCliShop } from '../support/command-line.ts';

const LARGE_ID = '-9007199254740993';

async function newShop(t: TestContext, pets: string): Promise<{ folder: string; cli: CommandLine }> {
  const { folder, cli } = await newCliShop(t);
  await importPets({ folder, cli }, pets);
  return { folder, cli };
}

async function importPets({ folder, cli }: { folder: string; cli: CommandLine }, pets: string) {
  writeFileSync(join(folder, 'pets.csv'), pets);
  return json(cli, 'pets', 'import', 'pets.csv');
}

function thresholds(cli: CommandLine, ...words: readonly string[]) {
  return cli('pets', 'thresholds', ...words);
}

/** Each pet's own thresholds and its alert level. */
async function shown(cli: CommandLine, ...petIds: readonly string[]): Promise<unknown[]> {
  const pets = await json(cli, 'pets', 'thresholds', ...petIds);
  return (pets as unknown as { lowStockAt: unknown; restockAt: unknown; alertLevel: unknown }[]).map(
    (pet) => [pet.lowStockAt, pet.restockAt, pet.alertLevel],
  );
}

test('pets thresholds shows and changes the thresholds of pets', async (t) => {
  const { cli } = await newShop(t, `petId,quantity\n1,10\n2,3\n${LARGE_ID},1200\n`);
  assert.equal(
    (await thresholds(cli, '2', '1', LARGE_ID, '1')).stdout,
    [
      '              PET  LOW  RESTOCK  THRESHOLDS  AVAILABLE  ALERT',
      '                2                default             3',
      '                1                default            10',
      `${LARGE_ID}                default         1,200`,
      '',
    ].join('\n'),
  );
  assert.equal(
    (await thresholds(cli, '1', '2', '--low', '5', '--restock', '1000')).stdout,
    [
      '2 pets changed, 0 unchanged.',
      'PET  LOW  RESTOCK  THRESHOLDS  AVAILABLE  ALERT',
      '  1    5    1,000  own                10',
      '  2    5    1,000  own                 3  low',
      '',
    ].join('\n'),
  );
  assert.deepEqual(await json(cli, 'pets', 'thresholds', '2', LARGE_ID, '--low', '5', '--restock', '1000'), {
    changed: 1,
    pets: [
      { petId: 2, lowStockAt: 5, restockAt: 1000, reserved: 0, available: 3, alertLevel: 'low' },
      {
        petId: Number(LARGE_ID),
        lowStockAt: 5,
        restockAt: 1000,
        reserved: 0,
        available: 1200,
        alertLevel: null,
      },
    ],
  });
  const exact = await thresholds(cli, LARGE_ID, '--json');
  assert.ok(exact.stdout.startsWith(`[{"petId":${LARGE_ID},`), exact.stdout);
  assert.deepEqual(await shown(cli, '1', '2'), [
    [5, 1000, null],
    [5, 1000, 'low'],
  ]);

  assert.equal((await json(cli, 'pets', 'thresholds', '1', '2', '--none')).changed, 2);
  assert.deepEqual(await shown(cli, '1', '2'), [
    [null, null, null],
    [null, null, null],
  ]);
  assert.match((await thresholds(cli, '1', '--low', '0')).stdout, /^1 pet changed, 0 unchanged\.\n/);
  const { movements, faults } = await json(cli, 'verify');
  assert.deepEqual([movements, faults], [9, []], '3 imports, 6 changes');
});

test('pets thresholds refuses all pets if one does not exist', async (t) => {
  const { cli } = await newShop(t, 'petId,quantity\n1,10\n');
  for (const [petIds, them] of [
    [['1', '9'], 'is no pet with petId 9'],
    [['9', '1', '10'], 'are no pets with petId 9, 10'],
  ] as const) {
    for (const options of [[], ['--low', '3'], ['--none']]) {
      const refused = await thresholds(cli, ...petIds, ...options);
      const stderr = `error: There ${them}. Nothing was changed.\n`;
      assert.deepEqual(refused, { code: 1, stdout: '', stderr });
    }
  }
  assert.equal((await json(cli, 'verify')).movements, 1);
});

test('the default applies to pets without thresholds of their own', async (t) => {
  const { cli } = await newShop(t, 'petId,quantity,lowStockAt\n1,10,\n2,3,\n3,3,2\n');
  const text = async (...options: readonly string[]) => (await thresholds(cli, ...options)).stdout;
  const never = 'A pet without thresholds of its own is never low.';
  assert.equal(await text(), `${never}\n`);
  assert.equal(await text('--default'), `${never}\n`);
  const five = 'A pet without thresholds of its own is low at 5 available units, and back at 6.';
  assert.equal(await text('--default', '--low', '5'), `${five} The alert level of 1 pet changed.\n`);
  assert.equal(await text(), `${five}\n`);
  assert.deepEqual(await json(cli, 'pets', 'thresholds', '--default'), { lowStockAt: 5, restockAt: null });
  assert.deepEqual(await shown(cli, '1', '2', '3'), [
    [null, null, null],
    [null, null, 'low'],
    [2, null, null],
  ]);
  assert.match(await text('2', '3'), /\n +2 +5 +default +3 +low\n +3 +2 +own +3\n$/);
  assert.deepEqual(await json(cli, 'pets', 'thresholds', '--default', '--low', '1000', '--restock', '2000'), {
    lowStockAt: 1000,
    restockAt: 2000,
    movements: 1,
  });
  assert.match(await text('--default'), / low at 1,000 available units, and back at 2,000\.\n$/);
  assert.equal(await text('--default', '--none'), `${never} The alert level of 2 pets changed.\n`);
  assert.equal(await text('--default', '--none'), `${never} The alert level of 0 pets changed.\n`);
  assert.deepEqual((await json(cli, 'verify')).faults, []);
});

test('an import sets, keeps and removes thresholds', async (t) => {
  const shop = await newShop(t, 'petId,quantity,lowStockAt,restockAt\n1,10,5,8\n2,3,5,8\n3,3,,\n');
  const { cli } = shop;
  assert.deepEqual(await shown(cli, '1', '2', '3'), [
    [5, 8, null],
    [5, 8, 'low'],
    [null, null, null],
  ]);
  const kept = await importPets(shop, 'petId,quantity,restockAt,lowStockAt\n1,4,,\n2,7,,\n');
  assert.deepEqual(kept, { created: 0, changed: 2, unchanged: 0 });
  assert.deepEqual(await shown(cli, '1', '2'), [
    [5, 8, 'low'],
    [5, 8, 'low'],
  ]);
  const changed = await importPets(shop, 'petId,quantity,lowStockAt\n1,4,3\n2,7,none\n3,3,none\n');
  assert.deepEqual(changed, { created: 0, changed: 2, unchanged: 1 });
  assert.deepEqual(await shown(cli, '1', '2', '3'), [
    [3, null, null],
    [null, null, null],
    [null, null, null],
  ]);
  assert.deepEqual((await json(cli, 'verify')).faults, []);
});
