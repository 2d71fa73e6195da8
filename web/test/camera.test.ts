import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import barcodes from 'bwip-js/node';
import { temporaryFolder } from '../../server/test/support/command-line.ts';
import { openPage } from './support/browser.ts';
import { openShop } from './support/shop.ts';

const EAN = '4006381333931';
const [WIDTH, HEIGHT] = [640, 480];
const [WHITE, BLACK] = [235, 16];
/** Pixels of the narrowest bar. */
const MODULE = 4;

/** A film of a label, as the camera of Chromium reads it (YUV4MPEG2). */
function filmOf(t: TestContext, code: string): string {
  const [symbol] = barcodes.raw('ean13', code, {});
  assert.ok(symbol && 'sbs' in symbol);
  const line = Buffer.alloc(WIDTH, WHITE);
  const bars = symbol.sbs;
  let at = Math.round((WIDTH - MODULE * bars.reduce((sum, width) => sum + width, 0)) / 2);
  for (const [i, width] of bars.entries()) {
    // A bar is followed by a space.
    if (i % 2 === 0) line.fill(BLACK, at, at + MODULE * width);
    at += MODULE * width;
  }
  const blank = Buffer.alloc(WIDTH, WHITE);
  const lines = Array.from({ length: HEIGHT }, (_, y) => (y > 120 && y < 360 ? line : blank));
  const colours = Buffer.alloc((WIDTH * HEIGHT) / 2, 128);
  const frame = [Buffer.from('FRAME\n'), ...lines, colours];
  const file = join(temporaryFolder(t), 'label.y4m');
  const head = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420\n`);
  writeFileSync(file, Buffer.concat([head, ...frame, ...frame]));
  return file;
}

test('the camera reads an EAN-13 where the browser has no reader, and loads it only then', async (t) => {
  const shop = await openShop(t);
  await shop.send('PATCH', '/pets/31', { barcodes: [EAN] });
  const files: string[] = [];
  const page = await openPage(t, shop, {
    role: 'staff',
    path: '/count',
    camera: filmOf(t, EAN),
    prepare: async (opened) => {
      opened.on('request', (request) => files.push(new URL(request.url()).pathname));
      opened.on('worker', (worker) => files.push(new URL(worker.url()).pathname));
    },
  });
  await page.getByText('Scan an id, or search a pet').waitFor();
  const isReader = (path: string) => /barcode-worker|zxing/.test(path);
  assert.deepEqual(files.filter(isReader), [], 'the camera is not open');
  await page.getByRole('button', { name: 'Scan with the camera' }).click();
  await page.getByRole('heading', { name: 'Neon tetra' }).waitFor();
  assert.match(files.filter(isReader).join(' '), /barcode-worker/);
  const isBlocked = await page.evaluate(
    'WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).then(() => false, () => true)',
  );
  assert.equal(isBlocked, true, 'the page itself compiles none');
});

test('a label in front of the camera becomes a line of an order', async (t) => {
  const shop = await openShop(t);
  await shop.send('PATCH', '/pets/31', { barcodes: [EAN] });
  const page = await openPage(t, shop, { role: 'staff', path: '/orders/new', camera: filmOf(t, EAN) });
  await page.getByRole('button', { name: 'Scan with the camera' }).click();
  await page.getByRole('textbox', { name: 'Units of Neon tetra' }).waitFor();
});
