import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  BAD_LINES,
  SUPPLIED,
  supplierCsv,
  supplierWorkbook,
} from '../../../server/test/support/supplier-file.ts';
import { workbook } from '../../../server/test/support/workbook.ts';
import { assertAccessible, openPage } from '../support/browser.ts';
import { openShop } from '../support/shop.ts';
import { isSkippedDaily } from '../../../server/test/support/long-test.ts';

const FOREIGN = [
  'Tiernummer;Bezeichnung;Lieferant;Menge',
  '1;Labrador Retriever puppy;"Zoo; Söhne";12',
  '9007199254740993;Zwergkaninchen;Zoo;9',
  '3;;Zoo;1',
];
/** The page finds the second and the third row wrong, and the service the repeated petId. */
const BAD = [
  'petId,name,quantity,status',
  '1,Rex,x,available',
  '2,Bella,5,=gone',
  '7,Fine,3,sold',
  '7,Again,1,',
];

const choose = (page: Page, name: string, lines: readonly string[]) =>
  page.setInputFiles('input[type="file"]', {
    name,
    mimeType: 'text/csv',
    buffer: Buffer.from(lines.join('\n'), 'latin1'),
  });
const send = async (page: Page) => {
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.waitForURL('**/imports/imp_*');
};

test('a supplier’s file is mapped, planned, found stale, planned again and applied', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff', path: '/imports' });
  await choose(page, 'lieferung.csv', FOREIGN);
  assert.equal(await page.getByLabel('Field for Tiernummer').inputValue(), 'petId');
  assert.equal(await page.getByLabel('Field for Lieferant').inputValue(), 'supplier');
  await assertAccessible(page);
  await send(page);
  await page.getByText('Nothing has changed yet').waitFor();
  const changed = page.getByRole('row', { name: 'Labrador Retriever puppy' });
  assert.match((await changed.textContent()) ?? '', /4 12\+8.*– Zoo; Söhne/);
  await page.getByRole('button', { name: 'New 1' }).click();
  await page.waitForURL('**?show=new');
  await page.getByRole('row', { name: '9007199254740993' }).waitFor();
  await changed.waitFor({ state: 'detached' });
  await assertAccessible(page);

  await shop.send('PATCH', '/inventory/1', { quantity: 40 });
  await page.getByRole('button', { name: 'Apply 3 changes' }).click();
  await page.getByText('The pet of one row changed after the plan').waitFor();
  await page.getByRole('button', { name: 'Problems 1' }).click();
  await page.getByText('pet 1 changed after the plan').waitFor();
  await page.getByRole('button', { name: 'Plan again' }).click();
  await page.getByText('Nothing has changed yet').waitFor();
  await page.getByRole('button', { name: 'Apply 3 changes' }).click();
  await page.getByText('staff wrote 3 rows').waitFor();
  const [pet] = (await shop.send('GET', '/inventory?petId=1')) as { quantity: number }[];
  assert.equal(pet?.quantity, 12);
  assert.deepEqual(await shop.send('GET', '/reorders/suppliers'), ['Zoo', 'Zoo; Söhne']);
  // The history of the pet leads back to the file.
  const file = new URL(page.url()).pathname;
  await page.goto('/pets/1');
  await page.getByRole('list', { name: 'Changes' }).getByRole('link', { name: 'File' }).click();
  await page.waitForURL(`**${file}`);
  await page.getByText('staff wrote 3 rows').waitFor();
});

test('a delivery is added to the stock', async (t) => {
  const shop = await openShop(t);
  // Thresholds that the file does not change take no width.
  await shop.send('PATCH', '/pets/1', { sku: 'DOG-0001', barcodes: ['4006381333931'], lowStockAt: 2 });
  const page = await openPage(t, shop, { role: 'staff', path: '/imports' });
  await choose(page, 'delivery.csv', ['petId,quantity', '1,5', '2,-1']);
  await page.getByRole('radio', { name: 'Set quantities' }).press('ArrowRight');
  await page.getByText('For a delivery').waitFor();
  await assertAccessible(page);
  await send(page);
  await page.getByText('adds to the stock').waitFor();
  const row = page.getByRole('row', { name: 'Labrador Retriever puppy' });
  await row.waitFor();
  assert.match((await row.textContent()) ?? '', /4 9\+5/);
  const columns = await page.getByRole('columnheader').allTextContents();
  const shown = 'Id,Effect,SKU,Barcodes,Name,Category,Quantity,Status,Line';
  assert.equal(columns.join(), shown, 'thresholds do not change');
  const view = page.getByRole('region', { name: 'Plan' });
  assert.equal(await view.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 0);
  await page.route('**/apply', (route) => route.abort(), { times: 1 });
  const apply = page.getByRole('button', { name: 'Apply 2 changes' });
  await apply.click();
  const failure = page.getByRole('alert').getByText('The service cannot be reached.');
  await failure.waitFor();
  await apply.click();
  await page.getByText('staff wrote 2 rows').waitFor();
  await failure.waitFor({ state: 'detached' });
  const [pet] = (await shop.send('GET', '/inventory?petId=1')) as { quantity: number }[];
  assert.equal(pet?.quantity, 9);
  // The same file again, as a browser names a second download.
  const other = await page.context().newPage();
  await other.goto('/imports');
  await choose(other, 'delivery (1).csv', ['petId,quantity', '1,5', '2,-1']);
  await other.getByRole('radio', { name: 'Set quantities' }).press('ArrowRight');
  await send(other);
  await other.getByRole('link', { name: 'staff applied the same file' }).waitFor();
  await assertAccessible(other);
});

test('rows that are wrong are mended or left out, and errors of the service are listed and downloaded', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff', path: '/imports' });
  await choose(page, 'bad.csv', BAD);
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByRole('alert').getByText('2 rows cannot be imported as they are').waitFor();
  await page.getByRole('cell', { name: /^["“]x["”] is not a whole number/ }).waitFor();
  await assertAccessible(page);
  // A number with two readings is asked about, also where only a comma can be the decimal mark.
  await page.getByLabel('Quantity in line 2').fill('1.200');
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByText('“1.200” could be 1200 or 1.2.').waitFor();
  await page.getByLabel('Quantity in line 2').fill('1.200,0');
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByRole('alert').getByText('One row cannot be imported as it is').waitFor();
  assert.equal(await page.getByLabel('Status in line 3').inputValue(), '=gone');
  await page.getByRole('button', { name: 'Leave this row out' }).click();
  await page.waitForURL('**/imports/imp_*');
  await page.getByText('2 errors. Nothing was imported.').waitFor();
  assert.match((await page.getByRole('row').nth(2).textContent()) ?? '', /^5petId/);
  await assertAccessible(page);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the errors' }).click(),
  ]);
  assert.equal(file.suggestedFilename(), 'bad-errors.csv');
  assert.match(
    readFileSync(await file.path(), 'utf8'),
    /^line,element,column,code,message\r\n3,,status,.*\r\n5,,petId,repeated_pet,/,
  );
  await page.getByRole('link', { name: 'Import and export' }).first().click();
  await page.getByRole('row', { name: 'bad.csv' }).getByText('Has errors').waitFor();
});

test('errors of the service and their file are in the language of the page', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff', path: '/imports', locale: 'de-DE' });
  const lines = ['{"petId":7,"quantity":-1200}', '{"petId":8,"quantity":1}', '{"petId":8,"quantity":1}'];
  await page.setInputFiles('input[type="file"]', {
    name: 'falsch.ndjson',
    mimeType: 'application/x-ndjson',
    buffer: Buffer.from(lines.join('\n')),
  });
  await page.getByRole('button', { name: 'Datei prüfen' }).click();
  await page.getByText('2 Fehler. Nichts wurde importiert.').waitFor();
  await page.getByText('-1200 ist keine ganze Zahl von 0 bis 9.007.199.254.740.991.').waitFor();
  await page.getByText('8 steht schon in Zeile 2.').waitFor();
  assert.doesNotMatch((await page.getByRole('main').textContent()) ?? '', /is not|is on line/);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Fehlerliste herunterladen' }).click(),
  ]);
  assert.match(
    readFileSync(await file.path(), 'utf8'),
    /^line,element,column,code,message\r\n1,,quantity,invalid_quantity,"?'?-1200 ist.*\r\n3,,petId,repeated_pet,"8 steht schon/,
  );
});

test('a viewer exports, and does not import', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'viewer', path: '/imports' });
  await page.getByText('No imports yet').waitFor();
  await assertAccessible(page);
  const button = page.getByRole('button', { name: 'Choose a file' });
  assert.equal(await button.getAttribute('aria-disabled'), 'true');
  await page.getByText('NDJSON', { exact: true }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).click(),
  ]);
  const lines = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\n');
  assert.equal(lines.length, 60);
});

test('a workbook is read where it is dropped: its sheet and its marks are questions, a date is a row to mend', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff', path: '/imports' });
  const rows = [
    ['Zoogroßhandel Müller'],
    ['Tiernummer', 'Bestand', 'Regal'],
    [1, '1.200', 'A'],
    [2, { xml: '<c s="1"><v>46082</v></c>' }, 'B'],
    [3, 4, 'C'],
  ];
  const content = workbook([
    { name: 'Nord', rows },
    {
      name: 'Süd',
      rows: [
        ['Tiernummer', 'Bestand'],
        [1, 1],
      ],
    },
  ]);
  await page.setInputFiles('input[type="file"]', {
    name: 'lager.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: Buffer.from(content),
  });
  await page.getByText('The sheets "Nord", "Süd" have pets. Which one is meant?').waitFor();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Nord' }).click();
  await page.getByText('Excel · headings in line 2 · Nord').waitFor();
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByRole('alert').getByText('2 rows cannot be imported as they are').waitFor();
  await assertAccessible(page);
  await page.getByRole('button', { name: '1.200 is 1200' }).click();
  await page.getByRole('alert').getByText('One row cannot be imported as it is').waitFor();
  assert.equal(await page.getByLabel('Quantity in line 4').inputValue(), '2026-03-01');
  await page.getByLabel('Quantity in line 4').fill('5');
  await send(page);
  await page.getByRole('button', { name: /^Apply/ }).click();
  await page.getByText('staff wrote 3 rows').waitFor();
  const stock = (await shop.send('GET', '/inventory?petId=1,2,3')) as { quantity: number }[];
  assert.deepEqual(
    stock.map(({ quantity }) => quantity),
    [1200, 5, 4],
  );
});

test('the plan on a phone shows what else changes than the quantity, and cuts no number', async (t) => {
  const shop = await openShop(t);
  await shop.send('PATCH', '/inventory/1', { quantity: 9_007_199_254_740_990 });
  const viewport = { width: 360, height: 800 };
  const page = await openPage(t, shop, { role: 'staff', path: '/imports', viewport });
  await choose(page, 'lieferung.csv', [
    'Tiernummer;Bezeichnung;Lieferant;Menge;Kategorie',
    '1;Labrador Retriever puppy;Zoo;9007199254740991;Dogs',
    '777;Zwergkaninchen;Reef;3;Rabbits',
  ]);
  await send(page);
  const changed = page.getByRole('row', { name: 'Labrador Retriever puppy' });
  await changed.getByText('Zoo').waitFor();
  await page.getByRole('row', { name: 'Zwergkaninchen' }).getByText('Reef').waitFor();
  assert.equal(await changed.getByText('Dogs').filter({ visible: true }).count(), 0, 'the category stays');
  for (const number of ['9,007,199,254,740,990', '9,007,199,254,740,991']) {
    const box = await changed.getByText(number, { exact: true }).boundingBox();
    assert.ok(box !== null && box.x >= 16 && box.x + box.width <= 344, `${number} is at ${box?.x}`);
  }
  await assertAccessible(page);
  await page.goto('/stock');
  const quantity = '#row-1 [data-cell="quantity"]';
  await page.locator(quantity).waitFor();
  const widths = `[document.querySelector('${quantity}')].map((cell) => [cell.scrollWidth, cell.clientWidth])[0]`;
  const [needed, shown] = (await page.evaluate(widths)) as [number, number];
  assert.ok(needed <= shown, `${needed} px in ${shown} px`);
});

test('the file of a supplier goes in with its good rows, and the others come back as a file', async (t) => {
  for (const [name, content] of [
    ['lieferung.csv', supplierCsv()],
    ['lieferung.xlsx', supplierWorkbook()],
  ] as const) {
    const shop = await openShop(t);
    const page = await openPage(t, shop, { role: 'staff', path: '/imports' });
    await page.setInputFiles('input[type="file"]', {
      name,
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(content),
    });
    await page.getByText('headings in line 4').waitFor();
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByRole('button', { name: 'Leave 3 rows out' }).click();
    await page.waitForURL('**/imports/imp_*');
    await page.getByRole('button', { name: 'Apply 3 changes, leave 3 rows out' }).waitFor();
    await assertAccessible(page);
    for (const line of BAD_LINES)
      await page
        .getByRole('cell', { name: String(line), exact: true })
        .first()
        .waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download 3 rows to mend' }).click(),
    ]);
    assert.equal(file.suggestedFilename(), 'lieferung.bad.csv');
    assert.match(
      readFileSync(await file.path(), 'utf8'),
      /^\ufeffimport_problem,sku,name,category,quantity,barcodes\r\n.*k\. A\./,
    );
    await page.getByRole('button', { name: 'Apply 3 changes, leave 3 rows out' }).click();
    await page.getByText('staff wrote 3 rows').waitFor();
    for (const [sku, quantity] of SUPPLIED) {
      const [pet] = (await shop.send('GET', `/pets?sku=${sku}`)) as { quantity: number }[];
      assert.equal(pet?.quantity, quantity);
    }
  }
});

test('columns of a file are remembered, suggested for the next one, renamed and forgotten', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  for (const petId of [1, 2, 3]) await shop.send('PATCH', `/pets/${petId}`, { sku: `A-${petId}` });
  const page = await openPage(t, shop, { role: 'staff', path: '/imports' });
  await choose(page, 'zoo.csv', ['Best.Nr;lagernd;Farbe', 'A-1;12;rot', 'A-2;13;blau']);
  await page.getByText('Choose a column for').waitFor();
  await page.getByLabel('Field for Best.Nr').selectOption('SKU');
  await page.getByLabel('Field for lagernd').selectOption('Quantity');
  await page.getByLabel('Name for these columns').fill('Zoo Süd');
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Remember' }).click();
  await page.getByText('Read by the remembered columns “Zoo Süd”.').waitFor();
  await send(page);
  await page.getByText('columns “Zoo Süd”').waitFor();
  await page.getByRole('button', { name: 'Apply 2 changes' }).click();
  await page.getByText('staff wrote 2 rows').waitFor();

  await page.getByRole('link', { name: 'Import and export' }).first().click();
  const remembered = page.getByRole('table', { name: 'Remembered columns' });
  await remembered.getByText('Best.Nr → SKU, lagernd → Quantity').waitFor();
  await assertAccessible(page);
  const next = ['Zoo Süd', '', 'lagernd;BEST.NR;Farbe', '20;A-1;rot', '21;A-2;x', '1;A-33;x', 'x;A-3;x'];
  await choose(page, 'next.csv', next);
  await page.getByText('Read by the remembered columns “Zoo Süd”.').waitFor();
  await page.getByText('headings in line 3').waitFor();
  assert.equal(await page.getByLabel('Field for BEST.NR').inputValue(), 'sku');
  await page.getByLabel('Field for Farbe').selectOption('Name');
  await page.getByRole('button', { name: 'Replace it' }).waitFor();
  await page.getByLabel('Field for Farbe').selectOption('Leave out');
  await page.getByText('Read by the remembered columns “Zoo Süd”.').waitFor();
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByLabel('Quantity in line 7').fill('22');
  await send(page);
  await page.getByText('One new pet by a code: check for a mistyped code.').waitFor();
  await page.getByText('columns “Zoo Süd”').waitFor();
  await assertAccessible(page);
  await page.getByRole('link', { name: 'Import and export' }).first().click();

  await choose(page, 'other.csv', ['Best.Nr;lagernd;Farbe', 'A-1;12;rot']);
  await page.getByRole('button', { name: 'Do not use them' }).click();
  await page.getByText('Choose a column for').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Rename Zoo Süd' }).click();
  await page.getByLabel('Name for these columns').fill('Zoo Nord');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await remembered.getByText('Zoo Nord').waitFor();
  await page.getByRole('button', { name: 'Forget Zoo Nord' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Forget' }).click();
  await remembered.waitFor({ state: 'detached' });
  assert.deepEqual(await shop.send('GET', '/import-mappings'), []);
});
