import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { newCliShop, petRow } from '../support/command-line.ts';
import { workbook } from '../support/workbook.ts';
import { ImportShop, STAFF } from './import-shop.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/petstore-server.js', import.meta.url));
const UNKNOWN = 'imp_0000000000000000';

async function open(t: TestContext) {
  const { store, database, cli } = await newCliShop(t);
  const shop = new ImportShop(store, database);
  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await cli('pets', 'imports', ...words);
    return { code, text: stdout.trimEnd(), stderr };
  };
  return { shop, run };
}

test('imports are listed, the newest first, and one is shown with its errors', async (t) => {
  const { shop, run } = await open(t);
  assert.deepEqual(await run('list'), { code: 0, text: 'There are no imports.', stderr: '' });
  const planned = await shop.planned('petId,quantity\n9007199254740993,1\n2,1\n');
  const wrong = await shop.planned(`petId,quantity\nx,1\n${'1,x\n'.repeat(200)}`);
  const lines = (await run('list')).text.split('\n');
  assert.match(lines[0] ?? '', /^ID +STATE +NEW +CHANGED +UNCHANGED +ERRORS +SENT +FILE$/);
  assert.match(
    lines.find((line) => line.startsWith(wrong.id)) ?? '',
    /invalid +0 +0 +0 +201 +20..-.* UTC +pets\.csv$/,
  );
  assert.match(lines.find((line) => line.startsWith(planned.id)) ?? '', / planned +2 +0 +0 +0 /);
  assert.match((await run('list', '--limit', '1')).text, /There are more imports/);
  assert.equal(JSON.parse((await run('list', '--json')).text).length, 2);

  const { text } = await run('show', wrong.id);
  assert.match(
    text,
    new RegExp(
      `^${wrong.id}: invalid\nfile {7}pets\\.csv, csv, 819 bytes\nquantities replace those of the pets\nsent .* by key_staff\n`,
    ),
  );
  assert.match(text, /\n {2}line 2, petId: "x" is not a whole number/);
  assert.match(text, /\n {2}… and 101 more$/);
  const shown = JSON.parse((await run('show', planned.id, '--json')).text);
  assert.deepEqual([shown.state, shown.counts], ['planned', { new: 2, changed: 0, unchanged: 0 }]);
});

test('an import is cancelled and deleted with the author cli; a dry run deletes nothing', async (t) => {
  const { shop, run } = await open(t);
  const { id } = await shop.planned('petId,quantity\n1,1\n');
  assert.equal((await run('cancel', id)).text, `Import ${id} is cancelled.`);
  const refused = await run('cancel', id);
  assert.deepEqual([refused.code, refused.text], [1, '']);
  assert.match(refused.stderr, /cannot be cancelled: it is cancelled/);
  assert.match(
    (await run('delete', id, '--dry-run')).text,
    new RegExp(`^Would be deleted: ${id}: cancelled\n`),
  );
  assert.equal((await shop.find(id)).state, 'cancelled');
  assert.equal((await run('delete', id)).text, `Import ${id} is deleted.`);
  assert.equal(await shop.store.imports.find(id), undefined);
  assert.deepEqual((await shop.actions()).slice(-2), [
    ['imports.cancel', 'cli'],
    ['imports.delete', 'cli'],
  ]);
});

test('an import is undone after a yes; a plan without an answer changes nothing', async (t) => {
  const { shop, run } = await open(t);
  await shop.importRows([petRow(1, { quantity: 10 }), petRow(2, { quantity: 10 })]);
  const { id } = await shop.apply((await shop.planned('petId,quantity\n1,25\n2,30\n7,4\n')).id);
  const units = async () =>
    (await shop.database.rows('SELECT quantity FROM inventory ORDER BY pet_id')).flat();
  const unanswered = await run('undo', id);
  assert.equal(unanswered.code, 1);
  assert.match(
    unanswered.stderr,
    /^error: pets imports undo would change 3 pets\. Add --yes to confirm, or look at import imp_\w+ in the dashboard, where it can be applied\. Nothing was changed\.\n$/,
  );
  await shop.importRows([petRow(7, { quantity: 1 })]);
  const wrong = await run('undo', id, '--yes');
  assert.equal(wrong.code, 1);
  assert.match(
    wrong.stderr,
    /^error: 1 row of the import cannot be undone; nothing was changed\. .* --good-rows\.\n {2}line 4, quantity: adding -4 to 1 makes -3, below 0\.\n$/,
  );
  const done = await run('undo', id, '--yes', '--good-rows');
  assert.match(done.text, new RegExp(`^imp_\\w+: applied\nundoes {5}${id}, pets\\.csv\n`));
  assert.deepEqual((await units()).map(Number), [10, 10, 1]);
  assert.match((await run('show', id)).text, /\nundone by {2}imp_\w+/);
  assert.match((await run('list')).text, /undo of pets\.csv/);
  assert.match((await run('list')).text, new RegExp(`^${id} +partly undone .* pets\\.csv$`, 'm'));
  const again = await run('undo', id, '--yes');
  assert.match(again.stderr, /^error: Import imp_\w+ is undone already, by imp_\w+; /);
  // The undo is undone, so that the import holds again.
  const undo = /^imp_\w+/.exec(done.text)?.[0] ?? '';
  assert.equal((await run('undo', undo, '--yes')).code, 0);
  assert.match((await run('list')).text, new RegExp(`^${undo} +undone .* undo of pets\\.csv$`, 'm'));
  assert.match((await run('list')).text, /^imp_\w+ +applied .* redo of pets\.csv$/m);
  assert.match((await run('list')).text, new RegExp(`^${id} +applied .* pets\\.csv$`, 'm'));
  assert.match((await run('show', id)).text, new RegExp(`^${id}: applied\n`));
});

test('imports of an edited database that undo each other in a ring are listed and shown', async (t) => {
  const { shop, run } = await open(t);
  await shop.importRows([petRow(1, { quantity: 10 })]);
  const { id } = await shop.apply((await shop.planned('petId,quantity\n1,25\n')).id);
  assert.equal((await run('undo', id, '--yes')).code, 0);
  await shop.database.run(
    'UPDATE imports SET undoes = coalesce(undone_by, undoes), undone_by = coalesce(undoes, undone_by)',
  );
  const { code, text } = await run('list');
  assert.equal(code, 0);
  assert.match(text, new RegExp(`^${id} .* (undo|redo) of pets\\.csv$`, 'm'));
  assert.match((await run('show', id)).text, new RegExp(`^${id}: `));
});

test('an undo that another person has applied is shown as done', async (t) => {
  const { shop, run } = await open(t);
  await shop.importRows([petRow(1, { quantity: 10 })]);
  const { id } = await shop.apply((await shop.planned('petId,quantity\n1,25\n')).id);
  const { imports } = shop.store;
  const undo = await imports.undo(id, STAFF);
  await shop.runJobs();
  await imports.apply(undo.id, STAFF);
  const { code, text, stderr } = await run('undo', id, '--yes');
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(text, new RegExp(`^${undo.id}: applied\n`));
  assert.match(text, /\napplied by key_staff$/);
});

test('an import of which nothing is left to undo is named, and leaves no plan that waits', async (t) => {
  const { shop, run } = await open(t);
  const { id } = await shop.apply((await shop.planned('petId,quantity\n5,3\n')).id);
  await shop.store.pets.delete(5n, STAFF);
  const { code, stderr } = await run('undo', id, '--yes');
  assert.deepEqual([code, stderr], [1, `error: Nothing of import ${id} is left to undo.\n`]);
  assert.match((await run('list')).text, /^imp_\w+ +cancelled .* undo of pets\.csv$/m);
  assert.match((await run('list')).text, /^imp_\w+ +applied .* pets\.csv$/m);
});

test('a file is deleted with its import, also while no service runs', async (t) => {
  const { shop, run } = await open(t);
  const rows = async () => {
    const sql =
      'SELECT (SELECT count(*) FROM import_parts), (SELECT count(*) FROM import_rows), count(*) FROM imports';
    return (await shop.database.rows(sql)).flat();
  };
  const [one, other] = [
    await shop.planned('petId,quantity\n1,1\n'),
    await shop.planned('petId,quantity\n1,1\n'),
  ];
  assert.deepEqual(await rows(), [2, 2, 2]);
  await run('cancel', one.id);
  assert.deepEqual(await rows(), [1, 2, 2], 'the plan can still be read');
  await run('delete', other.id);
  assert.deepEqual(await rows(), [0, 1, 1]);
});

test('an id of another form is a wrong usage, and an unknown one is reported', async (t) => {
  const { run } = await open(t);
  for (const verb of ['show', 'undo', 'cancel', 'delete']) {
    assert.equal((await run(verb, '42')).code, 2);
    const { code, stderr } = await run(verb, UNKNOWN);
    assert.deepEqual([code, stderr], [1, `error: There is no import ${UNKNOWN}.\n`]);
  }
});

test('a file of pets comes by standard input, whose content shows its format', async (t) => {
  if (isSkippedDaily(t)) return;
  const { shop } = await open(t);
  const importFrom = (input: string | Uint8Array, ...options: string[]) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [PROGRAM, 'pets', 'import', '-', ...options],
      {
        input,
        encoding: 'utf8',
        env: { ...process.env, PETSTORE_DATABASE: shop.database.url },
      },
    );
    return { status, text: `${stdout}${stderr}` };
  };
  const german = Buffer.from(
    'sep=;\r\nArtikelnr.;Bezeichnung;Bestand;\r\n1;Müsli;1.200,00;\r\n;;;\r\n',
    'latin1',
  );
  assert.deepEqual(importFrom(german), {
    status: 0,
    text: '1 pet imported from standard input: 1 new, 0 changed, 0 unchanged.\nRead as Windows-1252, ; between fields, headings in line 2.\n',
  });
  assert.deepEqual(await shop.database.rows('SELECT name FROM pets'), [['Müsli']]);
  const unknown = importFrom('colour;size\n1;2\n');
  assert.equal(unknown.status, 1);
  assert.match(unknown.text, /neither JSON nor CSV .* Add --format csv, json, ndjson or xlsx/);
  assert.match(importFrom('x', '--format', 'json').text, /a JSON array must begin here/);
  const sheets = ['Nord', 'Süd'].map((name) => ({
    name,
    rows: [
      ['Artikelnr.', 'Bestand'],
      [2, '1.200'],
    ],
  }));
  assert.match(importFrom(workbook(sheets)).text, /"Nord", "Süd" have pets; .* Name it with --sheet\./);
  assert.match(
    importFrom(workbook(sheets), '--sheet', 'Süd').text,
    /repeat with --decimal comma or --decimal point/,
  );
  assert.deepEqual(importFrom(workbook(sheets), '--sheet', 'Süd', '--decimal', 'comma'), {
    status: 0,
    text: '1 pet imported from standard input: 1 new, 0 changed, 0 unchanged.\nRead as the sheet "Süd", decimal comma.\n',
  });
});
