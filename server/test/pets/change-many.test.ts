import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { json, newCliShop, petRow } from '../support/command-line.ts';

async function shop(t: TestContext) {
  const { store, cli } = await newCliShop(t);
  const rows = Array.from({ length: 6 }, (_, i) =>
    petRow(i + 1, { name: `Pet ${i + 1}`, category: i < 4 ? 'Dog' : 'Cats', quantity: i % 2 }),
  );
  await store.importPets(rows, 'cli');
  const change = (...words: readonly string[]) => cli('pets', 'change', ...words);
  return { store, cli, change };
}

interface Shown {
  readonly id: string;
  readonly state: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly pets: readonly {
    readonly petId: number;
    readonly outcome: string;
    readonly reason: string | null;
  }[];
}

test('pets change shows what a filter would change, changes it with --yes, and undoes it', async (t) => {
  const { store, cli, change } = await shop(t);
  const words = ['--category', 'Dog', '--set', 'category=Dogs', '--set', 'low=4'];
  const preview = await change(...words, '--dry-run');
  assert.match(preview.stdout, /^4 will change\.\n/);
  assert.match(preview.stdout, /1 +Pet 1 +planned +Dog +available[^]*Nothing was changed\.\n$/);
  assert.deepEqual(await store.bulkChanges.list({ limit: 9 }), []);
  assert.equal((await store.pets.find(1n)).category, 'Dog');

  const refused = await change(...words);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /pets change would change 4 pets\. Add --yes to confirm, or --dry-run/);
  const done = (await json(cli, 'pets', 'change', ...words, '--yes')) as unknown as Shown;
  assert.deepEqual([done.state, done.counts.changed], ['applied', 4]);
  const first = await store.pets.find(1n);
  assert.deepEqual([first.category, first.lowStockAt, first.restockAt], ['Dogs', 4, null]);
  assert.match((await change(...words, '--yes')).stdout, /^no pets match\./);
  const again = await change('1', '--set', 'low=9', '--dry-run');
  assert.match(again.stdout, /LOW BEFORE +RESTOCK BEFORE\n +1 +Pet 1 +planned +Dogs +available +4\n/);

  assert.match((await change('--undo', done.id, '--dry-run')).stdout, /4 pets would get earlier values back/);
  assert.equal((await change('--undo', done.id)).code, 1, 'without --yes');
  const undone = (await json(cli, 'pets', 'change', '--undo', done.id, '--yes')) as unknown as Shown;
  assert.deepEqual([undone.state, undone.counts.undone], ['undone', 4]);
  assert.equal((await store.pets.find(1n)).category, 'Dog');
  assert.match((await change('--undo', done.id, '--yes')).stderr, /cannot be undone: it is undone/);
  assert.deepEqual((await store.verify()).faults, []);
});

test('pets change names the pets that it refuses, archives the others, and restores archived ones', async (t) => {
  const { store, cli } = await shop(t);
  const words = ['pets', 'change', '1', '2', '9', '--set', 'archived=yes', '--yes'];
  const done = (await json(cli, ...words)) as unknown as Shown;
  assert.deepEqual(
    done.pets.map(({ petId, reason, outcome }) => [petId, reason ?? outcome]),
    [
      [2, 'has_stock'],
      [9, 'not_found'],
      [1, 'changed'],
    ],
  );
  assert.notEqual((await store.pets.find(1n)).archivedAtMs, null);
  await json(cli, 'pets', 'change', '--all', '--set', 'archived=no', '--yes');
  assert.equal((await store.pets.find(1n)).archivedAtMs, null);
  await json(cli, 'pets', 'change', '3', '--set', 'category=', '--set', 'low=none', '--yes');
  assert.equal((await store.pets.find(3n)).category, null);
});

test('pets change sets who sells many pets, shows who did before, and removes it', async (t) => {
  const { store, cli, change } = await shop(t);
  const by = { actor: 'cli', requestId: null } as const;
  await store.reorders.update(1n, { supplier: 'Reef' }, by);
  const words = ['--category', 'Dog', '--set', 'supplier=Zoo Wholesale'];
  const preview = await change(...words, '--dry-run');
  assert.match(preview.stdout, /SUPPLIER BEFORE\n +1 +Pet 1 +planned +Dog +available +Reef\n/);
  const done = (await json(cli, 'pets', 'change', ...words, '--yes')) as unknown as Shown;
  assert.equal(done.counts.changed, 4);
  assert.equal((await store.reorders.find(4n)).supplier, 'Zoo Wholesale');
  const listed = async (...filter: string[]) =>
    ((await json(cli, 'pets', 'list', ...filter)) as unknown as { petId: number }[]).map(
      ({ petId }) => petId,
    );
  assert.deepEqual(await listed('--supplier', ' Zoo Wholesale', '--category', 'Dog'), [1, 2, 3, 4]);
  assert.deepEqual(await listed('--supplier', 'Reef'), []);
  const all = await listed();
  assert.deepEqual(
    await listed('--supplier', ''),
    all.filter((petId) => petId > 4),
  );
  const ofSupplier = await change('--supplier', 'Zoo Wholesale', '--set', 'low=3', '--dry-run');
  assert.match(ofSupplier.stdout, /^4 will change/);
  await json(cli, 'pets', 'change', '1', '2', '--set', 'supplier=', '--yes');
  assert.equal((await store.reorders.find(1n)).supplier, null);
  const both = await change('1', '--set', 'supplier=Zoo', '--set', 'category=Dogs', '--yes');
  assert.match(both.stderr, /give new values, or archived alone, or supplier alone/);
});

test('pets change marks many pets as ordered, shows the units of each, and takes that back', async (t) => {
  const { store, cli, change } = await shop(t);
  await store.setDefaultThresholds({ lowStockAt: 0, restockAt: 4 }, { actor: 'cli', requestId: null });
  const words = ['--alert', 'out', '--set', 'ordered=suggested', '--set', 'expected=2030-12-03'];
  const preview = await change(...words, '--dry-run');
  assert.match(preview.stdout, /^3 will change\.\n.*UNITS\n +1 +Pet 1 +planned +Dog +available +4\n/);
  const done = (await json(cli, 'pets', 'change', ...words, '--yes')) as unknown as Shown;
  assert.equal(done.counts.changed, 3);
  const { open } = await store.reorders.find(3n);
  assert.deepEqual([open?.ordered, open?.expectedOn, open?.orderedBy], [4, '2030-12-03', 'cli']);
  const again = await change('1', '2', '--set', 'ordered=7', '--set', 'supplier=Zoo', '--yes');
  assert.match(again.stdout, /: 1 refused, 1 changed\.[^]*already_ordered/);
  await json(cli, 'pets', 'change', '--undo', done.id, '--yes');
  assert.equal((await store.reorders.find(3n)).open, null);
  for (const wrong of ['ordered=0', 'ordered=all', 'expected=tomorrow'])
    assert.equal((await change('1', '--set', wrong, '--yes')).code, 2, wrong);
});

test('pets change gives many pets codes, shows them, and removes them', async (t) => {
  const { store, cli, change } = await shop(t);
  await store.pets.update(6n, { sku: 'S-2' }, { actor: 'cli', requestId: null });
  const words = ['--category', 'Dog', '--set', 'sku=S-{petId}', '--set', 'in-store=21'];
  const preview = await change(...words, '--dry-run');
  assert.match(preview.stdout, /^3 will change, 1 refused\.\n/);
  assert.match(preview.stdout, /CODES BEFORE +CODES\n/);
  assert.match(preview.stdout, /2 +Pet 2 +code_in_use by pet 6 +Dog +available +S-2, 2100000000029\n/);
  const done = (await json(cli, 'pets', 'change', ...words, '--yes')) as unknown as Shown;
  assert.deepEqual([done.counts.changed, done.counts.refused], [3, 1]);
  assert.equal((await store.pets.find(4n)).sku, 'S-4');
  await json(cli, 'pets', 'change', '--all', '--set', 'sku=', '--set', 'barcodes=none', '--yes');
  const { sku, barcodes } = await store.pets.find(4n);
  assert.deepEqual([sku, barcodes], [null, []]);
  assert.deepEqual((await store.verify()).faults, []);
});

test('pets change refuses a wrong command line with a sentence', async (t) => {
  const { change } = await shop(t);
  for (const [line, message] of [
    ['1', /give --set/],
    ['--set status=sold', /name the pets, or give filters, or --all/],
    ['1 --all --set status=sold', /name the pets, or give filters, or --all/],
    ['1 --status sold --set status=pending', /name the pets, or give filters, or --all/],
    ['--pet 1 --set status=pending', /name the pets without --pet/],
    ['1 --set status=lost', /available, pending, sold/],
    ['1 --set sku=CAT', /sku: write \{petId\}/],
    ['1 --set in-store=19', /a number from 20 to 29/],
    ['1 --set barcodes=4006381333931', /barcodes=none/],
    ['1 --set barcodes=none --set in-store=20', /give it without barcodes/],
    ['1 --set quantity=4', /archived=yes or archived=no/],
    ['1 --set low=-1', /whole number, 0 or more, or none/],
    ['1 --set archived=yes --set status=sold', /give new values, or archived alone/],
    ['1 --set restock=5', /it needs lowStockAt/],
    ['--undo blk_none --yes', /There is no bulk change blk_none/],
    ['1 --undo blk_none', /give --undo without pets and values/],
    ['--undo blk_none --set status=sold', /give --undo without pets and values/],
  ] as const) {
    const { code, stdout, stderr } = await change(...line.split(' '));
    assert.ok(code !== 0 && stdout === '', `${line}: ${stdout}${stderr}`);
    assert.match(stderr, message, line);
  }
});

test('pets change refuses a clock that is more than a year after the newest movement, and an undo too', async (t) => {
  const { store, cli } = await newCliShop(t);
  const twoYearsMs = 2 * 365 * 86_400_000;
  await store.importPets([petRow(1)], 'cli', (await store.now()) - twoYearsMs);
  const words = ['pets', 'change', '1', '--set', 'supplier=Zoo', '--yes'];
  const refused = await cli(...words);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /is the clock right\? Nothing was changed\./);
  assert.deepEqual(await store.bulkChanges.list({ limit: 9 }), []);
  const done = (await json(cli, ...words, '--accept-clock')) as unknown as Shown;
  const undo = ['pets', 'change', '--undo', done.id, '--yes'];
  assert.match((await cli(...undo)).stderr, /is the clock right\?/);
  assert.equal((await store.bulkChanges.find(done.id)).state, 'applied');
  assert.equal((await json(cli, ...undo, '--accept-clock')).state, 'undone');
});
