import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createKey } from '../../src/cli/keys/new-key.ts';
import { newCliShop, petRow, temporaryFolder } from '../support/command-line.ts';
import { startApp } from '../support/harness.ts';
import { BAD_LINES, SUPPLIED, supplierCsv, supplierWorkbook } from '../support/supplier-file.ts';
import { until } from '../support/until.ts';

const FILES = [
  [
    'lieferung.csv',
    supplierCsv(),
    'text/csv',
    'Read as Windows-1252, ; between fields, headings in line 4, decimal comma.',
  ],
  [
    'lieferung.xlsx',
    supplierWorkbook(),
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'Read as the sheet "Bestand", headings in line 4.',
  ],
] as const;
const READING = {
  'text/csv': {
    encoding: 'windows-1252',
    separator: ';',
    headingLine: 4,
    sheet: null,
    decimal: 'comma',
    leftOut: [],
    mapping: null,
  },
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': {
    encoding: null,
    separator: null,
    headingLine: 4,
    sheet: 'Bestand',
    decimal: null,
    leftOut: [],
    mapping: null,
  },
};
const STOCK = 'SELECT pet_id, quantity FROM inventory ORDER BY pet_id';
const SUPPLIED_STOCK =
  'SELECT sku, quantity, barcodes FROM inventory JOIN pets USING (pet_id) WHERE sku IS NOT NULL ORDER BY sku';
const REST =
  /^\ufeffimport_problem;Artikelnummer;Bezeichnung;Warengruppe;Bestand;EAN;EK-Preis\r\n"?quantity: ""k\. A\."" is not .*;2003;Häckselstreu 20 kg;Streu;k\. A\.;4006381002035;7[.,]49\r\n.*;2004;Bürste fein;Pflege;-3;4006381002042;4[.,]95\r\n.*;2005;Spielmaus;Spielzeug;12;4006381002095;1[.,]25\r\n$/;

test('pets import takes the file of a supplier in one attempt', async (t) => {
  for (const [name, content, , facts] of FILES) {
    const { cli, database } = await newCliShop(t);
    const file = join(temporaryFolder(t), name);
    writeFileSync(file, content);
    const dry = await cli('pets', 'import', file, '--ignore', 'EK-Preis', '--good-rows', '--dry-run');
    assert.match(dry.stdout, /3 rows left out:\n {2}line 7, quantity: "k\. A\."/);
    const bad = file.replace(/\.\w+$/, '.bad.csv');
    const { code, stdout } = await cli('pets', 'import', file, '--ignore', 'EK-Preis', '--good-rows');
    assert.equal(code, 0);
    assert.ok(
      stdout.includes(
        `3 pets imported from ${file}: 3 new, 0 changed, 0 unchanged.\n${facts}\n3 rows left out, and written to ${bad}:\n`,
      ),
      stdout,
    );
    assert.deepEqual(
      [...stdout.matchAll(/^ {2}line (\d+), /gm)].map(([, line]) => Number(line)),
      BAD_LINES,
    );
    assert.deepEqual(await database.rows(SUPPLIED_STOCK), SUPPLIED);
    assert.match(readFileSync(bad, 'utf8'), REST);
    const all = await cli('pets', 'import', file, '--ignore', 'EK-Preis');
    assert.match(all.stderr, /3 rows are wrong; nothing was imported\./);
    writeFileSync(
      bad,
      readFileSync(bad, 'utf8')
        .replace(';k. A.;', ';4;')
        .replace(';-3;', ';3;')
        .replace(';4006381002095;', ';4006381002059;'),
    );
    const mended = await cli('pets', 'import', bad, '--ignore', 'EK-Preis', '--json', '--good-rows');
    assert.deepEqual(JSON.parse(mended.stdout), {
      created: 3,
      changed: 0,
      unchanged: 0,
      reading: {
        encoding: 'utf-8',
        separator: ';',
        headingLine: 1,
        sheet: null,
        decimal: null,
        leftOut: [],
        mapping: null,
      },
      leftOut: 0,
      badRowsFile: null,
    });
  }
});

test('the sums of a delivery that do not fit are rows to leave out, by line', async (t) => {
  const { cli, database } = await newCliShop(t);
  const file = join(temporaryFolder(t), 'delivery.csv');
  const bad = join(temporaryFolder(t), 'rest.csv');
  writeFileSync(file, 'id;menge\n1;-1\n2;5\n');
  const { stderr } = await cli('pets', 'import', file, '--add');
  assert.match(stderr, /line 2, quantity: adding -1 to 0 makes -1, below 0\./);
  await cli('pets', 'import', file, '--add', '--good-rows', '--bad-rows', bad);
  assert.deepEqual(await database.rows(STOCK), [[2, 5]]);
  assert.match(readFileSync(bad, 'utf8'), /;1;-1\r\n$/);
  writeFileSync(file, 'id;menge\n1;-1\n');
  const none = await cli('pets', 'import', file, '--add', '--good-rows');
  assert.equal(none.code, 1);
  assert.match(none.stderr, /1 row is wrong; nothing was imported\./);
});

test('the management API takes the file of a supplier in one attempt', async (t) => {
  for (const [, content, type] of FILES) {
    const app = await startApp(t, { pets: [petRow(1)] });
    const fields = { role: 'staff' as const, name: 'staff', scopes: null, expiresAtMs: null };
    const { secret: key } = await createKey(app.config, app.admin, fields);
    const send = (
      method: string,
      path: string,
      body?: Uint8Array<ArrayBuffer> | string,
      contentType = type as string,
    ) =>
      app.request(method, `/admin/v1/imports${path}`, {
        key,
        ...(body !== undefined && { body, headers: { 'Content-Type': contentType } }),
      });
    const sent = await send('POST', '?fileName=lieferung&ignore=EK-Preis', content);
    const { id } = sent.json as unknown as { id: string };
    const stateOf = async () => (await app.admin.imports.find(id))?.state;
    await until(async () => (await stateOf()) === 'invalid', 'it is checked');
    const found = (await send('GET', `/${id}`)).json as unknown as {
      badRows: number;
      reading: object;
      errors: { line: number; row: string }[];
    };
    assert.deepEqual({ ...found.reading }, READING[type]);
    assert.deepEqual([found.badRows, found.errors.map(({ line }) => line)], [3, BAD_LINES]);
    assert.match(found.errors[0]?.row ?? '', /^2003;Häckselstreu 20 kg;Streu;k\. A\.;4006381002035;7[.,]49$/);
    const rest = await send('GET', `/${id}/bad-rows`);
    assert.equal(rest.headers.get('Content-Type'), 'text/csv');
    assert.match(rest.text, REST);
    assert.equal((await send('POST', `/${id}/apply`)).status, 409);
    assert.equal((await send('POST', `/${id}/apply`, '{"goodRows":1}', 'application/json')).status, 400);
    assert.equal((await send('POST', `/${id}/apply`, '{"goodRows":true}', 'application/json')).status, 202);
    await until(async () => (await stateOf()) === 'applied', 'it is applied');
    assert.deepEqual(await app.database.rows(SUPPLIED_STOCK), SUPPLIED);
  }
});
