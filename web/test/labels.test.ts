import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { drawCode } from '../src/pages/labels/draw-code.ts';
import { labelCodeOf } from '../src/pages/labels/label-code.ts';
import { assertAccessible, openPage } from './support/browser.ts';
import { openShop } from './support/shop.ts';
import { isSkippedDaily } from '../../server/test/support/long-test.ts';

const WASM = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'));
// Otherwise the package loads it from a host.
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(WASM)).buffer } });

test('a label has the first barcode, else the SKU, else the id, in a symbol that can show it', () => {
  const codeOf = (barcodes: readonly string[], sku: string | null = null, kind: 'bars' | 'qr' = 'bars') => {
    const { symbol, text } = labelCodeOf({ petId: '45', sku, barcodes }, kind);
    return `${symbol} ${text}`;
  };
  assert.equal(codeOf(['4006381333931', '96385074'], 'DOG'), 'ean13 4006381333931');
  assert.equal(codeOf(['036000291452']), 'ean13 0036000291452', 'a UPC-A');
  assert.equal(codeOf(['96385074']), 'code128 96385074');
  assert.equal(codeOf(['10036000291459']), 'code128 10036000291459');
  assert.equal(codeOf(['box 7']), 'code128 box 7');
  assert.equal(codeOf([], 'DOG-0042'), 'code128 DOG-0042');
  assert.equal(codeOf([], 'Größe 4'), 'qrcode Größe 4');
  assert.equal(codeOf([], 'x'.repeat(15)), `qrcode ${'x'.repeat(15)}`);
  const [, , modules = 0] = drawCode({ symbol: 'code128', text: 'x'.repeat(14) })
    .viewBox.split(' ')
    .map(Number);
  assert.ok(54 / modules >= 0.25, 'millimetres of the narrowest bar, on a third of A4');
  assert.equal(codeOf([]), 'code128 0045', 'a scanner is known from four digits on');
  assert.equal(codeOf(['4006381333931'], null, 'qr'), 'qrcode 4006381333931');
  assert.deepEqual(drawCode({ symbol: 'ean13', text: '4006381333931' }).viewBox.split(' ').slice(0, 3), [
    '-11',
    '0',
    '117',
  ]);
});

test('labels of the selected pets are printed, and scanners read them', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  const sku = 'Größe/1';
  await shop.send('PATCH', '/pets/1', { sku });
  await shop.send('PATCH', '/pets/2', { sku: 'DOG-0002' });
  await shop.send('PATCH', '/pets/3', { barcodes: ['4006381333931'] });
  const files: string[] = [];
  const page = await openPage(t, shop, {
    role: 'viewer',
    prepare: async (opened) => {
      opened.on('request', (request) => files.push(new URL(request.url()).pathname));
    },
  });
  for (const petId of [1, 2, 3, 4]) await page.locator(`#row-${petId} input[type="checkbox"]`).click();
  const isDrawing = (path: string) => /label-sheet.*\.js$/.test(path);
  assert.deepEqual(files.filter(isDrawing), []);
  await page.getByRole('link', { name: 'Labels' }).click();
  const sheet = page.getByRole('list', { name: 'Shelf labels' });
  await sheet.getByRole('listitem').nth(3).waitFor();
  assert.equal(new Set(files.filter(isDrawing)).size, 1);
  await assertAccessible(page);
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 1_000, height: 900 });
  assert.equal(await page.getByRole('button', { name: 'Print' }).isVisible(), false);
  const expected = [
    ['QRCode', sku],
    ['Code128', 'DOG-0002'],
    ['EANUPC', '4006381333931'],
    ['Code128', '0004'],
  ];
  for (const [i, [symbol, text]] of expected.entries()) {
    const picture = await sheet.getByRole('listitem').nth(i).screenshot({ scale: 'device' });
    const [read] = await readBarcodes(picture);
    assert.deepEqual([read?.symbology.replace(/[^a-z0-9]/gi, ''), read?.text], [symbol, text]);
  }
  await page.emulateMedia({ media: 'screen' });
  await page.goto('/labels?petId=3');
  await page.getByText('QR code').click();
  await sheet.getByRole('img', { name: 'Code 4006381333931' }).waitFor();
  const [qr] = await readBarcodes(await sheet.getByRole('listitem').screenshot());
  assert.equal(qr?.text, '4006381333931');
  await page.goto('/labels');
  await page.getByText('No pet is selected').waitFor();
  await assertAccessible(page);
});
