import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNEXPLAINED } from '../../src/domain/ledger/ledger.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { json, newCliShop, petRow } from '../support/command-line.ts';

test('a pet is created, edited, found, archived and restored on the command line', async (t) => {
  const { store, cli } = await newCliShop(t);
  const created = await cli(
    'pets',
    'create',
    '42',
    '--name',
    'Golden Rex',
    '--category',
    'Dogs',
    '--quantity',
    '1200',
  );
  assert.equal(
    created.stdout,
    [
      'Pet 42 created:',
      'PET  NAME        CATEGORY  QUANTITY  AVAILABLE  STATUS     ALERT',
      ' 42  Golden Rex  Dogs         1,200      1,200  available',
      '',
    ].join('\n'),
  );
  const again = await cli('pets', 'create', '42');
  assert.deepEqual([again.code, again.stderr], [1, 'error: There is a pet with petId 42 already.\n']);
  const edited = await json(
    cli,
    'pets',
    'edit',
    '42',
    '--name',
    'Max',
    '--category',
    '',
    '--low',
    '5',
    '--restock',
    '9',
  );
  assert.equal(edited.name, 'Max');
  assert.equal(edited.category, null);
  assert.deepEqual([edited.lowStockAt, edited.restockAt], [5, 9]);
  assert.equal((await json(cli, 'pets', 'edit', '42', '--low', 'none')).restockAt, null);
  assert.equal((await cli('pets', 'edit', '42')).code, 2);
  assert.match((await cli('pets', 'archive', '42')).stderr, /quantity 1200 and 0 reserved/);
  await json(cli, 'pets', 'create', '-9223372036854775808', '--name', 'Max the second');
  assert.match((await cli('pets', 'archive', '-9223372036854775808')).stdout, /is archived\./);
  const ids = async (...words: readonly string[]) =>
    (await cli('pets', ...words, '--json')).stdout.match(/(?<="petId":)-?\d+/g) ?? [];
  assert.deepEqual(await ids('search', 'ma'), ['42']);
  assert.deepEqual(await ids('search', 'sec', 'max', '--archived', 'include'), ['-9223372036854775808']);
  assert.deepEqual(await ids('search', '42'), ['42']);
  assert.deepEqual(await ids('list'), ['42']);
  assert.deepEqual(await ids('list', '--archived', 'only'), ['-9223372036854775808']);
  assert.match((await cli('pets', 'restore', '-9223372036854775808')).stdout, /is not archived\./);
  assert.deepEqual(await ids('list', '--limit', '1'), ['-9223372036854775808']);
  assert.match((await cli('pets', 'list', '--limit', '1')).stdout, /There are more pets/);
  assert.deepEqual(await ids('list', '--after', '0'), ['42']);
  assert.deepEqual(await ids('list', '--status', 'available', '--alert', 'out'), ['-9223372036854775808']);
  assert.deepEqual(await ids('search', 'max', '--category', 'Dogs'), []);
  for (const wrong of [
    ['--alert', 'red'],
    ['--status', 'gone'],
    ['--category', 'Dogs', '--after', '1'],
  ]) {
    assert.equal((await cli('pets', 'list', ...wrong)).code, 2, wrong.join(' '));
  }
  assert.equal((await cli('pets', 'search', 'nothing')).stdout, 'No pets match.\n');
  assert.equal((await cli('pets', 'list', '--limit', '0')).code, 2);
  const actions = (await store.activity.list({ limit: 20 })).map(({ action, actor }) => `${actor} ${action}`);
  assert.deepEqual(actions.toReversed(), [
    'cli pets.create',
    'cli pets.update',
    'cli pets.update',
    'cli pets.create',
    'cli pets.archive',
    'cli pets.restore',
  ]);
  assert.deepEqual((await store.verify()).faults, []);
});

test('stock is corrected on the command line through the ledger, and a pet entered by mistake leaves the lists', async (t) => {
  const { store, cli } = await newCliShop(t);
  const pets = (words: string) => cli('pets', ...words.split(' '));
  await json(cli, 'pets', 'create', '301', '--quantity', '5');
  assert.equal(
    (await pets('set 301 8 --reason cycle_count')).stdout,
    'Pet 301 has 8 units, 8 of them available; it is available.\n',
  );
  assert.equal((await json(cli, 'pets', 'adjust', '301', '-2', '--note', 'torn bag')).quantity, 6);
  for (const [words, reason] of [
    [
      'adjust 301 -7',
      /^error: Pet 301 has quantity 6 and 0 reserved, which does not allow the change\. Nothing was changed\.\n$/,
    ],
    ['set 9 1', /^error: There is no pet with petId 9\.\n$/],
    ['delete 9 --yes', /^error: There is no pet with petId 9\.\n$/],
  ] as const) {
    const { code, stderr } = await pets(words);
    assert.equal(code, 1, words);
    assert.match(stderr, reason);
  }
  assert.equal((await pets('adjust 301 0')).code, 2);
  assert.equal((await pets('set 301 -1')).code, 2);
  const placed = {
    kind: 'place',
    lines: [{ petId: 301n, quantity: 2 }],
    expiresAtMs: null,
    explanation: UNEXPLAINED,
  } as const;
  assert.equal((await store.write(placed, CLI_AUTHOR)).code, 'done');
  assert.match(
    (await pets('adjust 301 -5')).stderr,
    /--take-reserved takes reserved units too\. Nothing was changed/,
  );
  assert.equal((await json(cli, 'pets', 'adjust', '301', '-5', '--take-reserved')).available, -1);
  await store.write({ kind: 'step', step: 'cancel', orderId: 1 }, CLI_AUTHOR);

  assert.match(
    (await pets('delete 301 --yes')).stderr,
    /^error: Pet 301 was changed after its creation, .* Archive it instead: set its quantity to 0 first\.\n$/,
  );
  await json(cli, 'pets', 'create', '302', '--quantity', '5');
  assert.match((await pets('delete 302')).stderr, /Add --yes to confirm, or pets archive 302 to hide it/);
  const deleted = await pets('delete 302 --note mistyped --yes');
  assert.deepEqual([deleted.code, deleted.stdout], [0, 'Pet 302 is deleted.\n']);
  assert.equal((await pets('show 302')).code, 1);
  const { faults, pets: all } = await store.verify();
  assert.deepEqual([faults, all], [[], 1]);
});

test('a list that is a part says so to programs too, and --all shows all of it', async (t) => {
  const { store, cli } = await newCliShop(t);
  await store.importPets(
    Array.from({ length: 21 }, (_, i) => petRow(i + 1)),
    'cli',
  );
  const part = await cli('pets', 'list', '--json');
  const all = await cli('pets', 'list', '--all', '--json');
  const more = 'There are more pets; --limit shows more of them, --all shows all.\n';
  assert.deepEqual([JSON.parse(part.stdout).length, part.stderr], [20, more]);
  assert.deepEqual([JSON.parse(all.stdout).length, all.stderr], [21, '']);
  assert.equal((await cli('pets', 'list')).stderr, '');
  assert.equal((await cli('pets', 'list', '--all', '--limit', '3')).code, 2);
  assert.equal((await json(cli, 'activity', '--since', '2d')).length, 1);
  assert.deepEqual(await json(cli, 'orders', 'list', '--all', '--since', '90m'), []);
  assert.deepEqual(await json(cli, 'pets', 'imports', 'list', '--all'), []);
  assert.equal((await cli('activity', '--since', '2 days')).code, 2);
});

test('inventory shows and changes the stock of a pet, with the options of petstore', async (t) => {
  const { cli } = await newCliShop(t);
  await json(cli, 'pets', 'create', '42', '--name', 'Rex', '--quantity', '5');
  assert.match((await cli('inventory', 'get', '42')).stdout, /^ 42 {2}Rex .* 5 {2}/m);
  const set = await json(cli, 'inventory', 'set', '42', '7', '--if-quantity', '5', '--reference', 'count-9');
  assert.equal(set.quantity, 7);
  const stale = await cli('inventory', 'adjust', '42', '1', '--if-quantity', '5');
  assert.deepEqual(
    [stale.code, stale.stderr],
    [
      1,
      'error: Pet 42 has quantity 7 and 0 reserved, not the quantity of --if-quantity. Nothing was changed.\n',
    ],
  );
  assert.equal((await json(cli, 'inventory', 'adjust', '42', '-2', '--reason', 'sold')).quantity, 5);
  assert.equal((await json(cli, 'inventory', 'set', '42', '--status', 'pending')).status, 'pending');
  assert.equal((await json(cli, 'inventory', 'get', '42')).status, 'pending');
  assert.deepEqual((await json(cli, 'verify')).movements, 4);
});

test('codes of a pet are shown, listed and set on the command line', async (t) => {
  const { cli } = await newCliShop(t);
  const set = ['--sku', 'DOG 1', '--barcode', '4006381333931', '--barcode', 'a,b'];
  const created = await json(cli, 'pets', 'create', '42', '--name', 'Rex', ...set);
  assert.deepEqual([created.sku, created.barcodes], ['DOG 1', ['4006381333931', 'a,b']]);
  assert.equal(
    (await cli('pets', 'list')).stdout,
    [
      'PET  NAME  CATEGORY  SKU    BARCODES           QUANTITY  AVAILABLE  STATUS     ALERT',
      ' 42  Rex             DOG 1  4006381333931 a,b         0          0  available  out',
      '',
    ].join('\n'),
  );
  assert.match((await cli('pets', 'show', '42')).stdout, /^Pet 42, Rex: 0 on hand, available\n/);
  assert.match(
    (await cli('pets', 'show', '42')).stdout,
    /\n {2}SKU +DOG 1\n {2}barcodes +4006381333931 a,b\n/,
  );
  await json(cli, 'pets', 'create', '43');
  const ids = async (...words: readonly string[]) =>
    (await cli('pets', ...words, '--json')).stdout.match(/(?<="petId":)-?\d+/g) ?? [];
  assert.deepEqual(await ids('list', '--sku', 'DOG 1'), ['42']);
  assert.deepEqual(await ids('list', '--barcode', '04006381333931'), ['42']);
  assert.deepEqual(await ids('search', 'a,b'), ['42']);
  assert.deepEqual(await ids('list', '--barcode', 'none'), []);
  const wrong = await cli('pets', 'list', '--barcode', '4006381333932');
  assert.deepEqual([wrong.code, /check digit, which must be 1/.test(wrong.stderr)], [2, true]);
  assert.equal((await cli('pets', 'edit', '43', '--take-codes')).code, 2);
  const taken = await cli('pets', 'edit', '43', '--sku', 'DOG 1');
  assert.deepEqual([taken.code, taken.stderr], [1, 'error: Pet 42 (Rex) has the SKU "DOG 1".\n']);
  await json(cli, 'pets', 'archive', '42');
  assert.match((await cli('pets', 'edit', '43', '--sku', 'DOG 1')).stderr, /\(--take-codes\) to take it\./);
  assert.equal((await json(cli, 'pets', 'edit', '43', '--sku', 'DOG 1', '--take-codes')).sku, 'DOG 1');
  assert.equal(
    (await cli('pets', 'restore', '42')).stdout,
    'Pet 42 is not archived.\nPet 43 has taken its SKU "DOG 1".\n',
  );
  const removed = await json(cli, 'pets', 'edit', '42', '--barcode', '');
  assert.deepEqual([removed.sku, removed.barcodes], [null, []]);
});
