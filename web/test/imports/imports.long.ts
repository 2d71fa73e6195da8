import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../server/test/support/until.ts';
import { assertAccessibleAtAnyWidth, openPage } from '../support/browser.ts';
import { LISTED_PAGES } from '../support/page-list.ts';
import { openShop } from '../support/shop.ts';
import { XSS_PAYLOADS } from '../support/xss-payloads.ts';

const ROWS = 20_000;
const csvFile = (name: string, lines: readonly string[]) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(lines.join('\n')),
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`imports and system have no accessibility problem in ${colorScheme}, at any width`, async (t) => {
    const shop = await openShop(t);
    for (const { name, path, prepare } of LISTED_PAGES) {
      if (!/^(?:imports|system)/.test(name)) continue;
      // Each in a browser of its own, because a draft of one would show in the next.
      const page = await openPage(t, shop, { path, colorScheme });
      await prepare(page);
      await assertAccessibleAtAnyWidth(page);
    }
  });
}

test('a large file is mapped and planned, and its last rows come into view', async (t) => {
  const shop = await openShop(t, { isSample: false });
  const page = await openPage(t, shop, { role: 'staff', path: '/imports' });
  const rows = Array.from({ length: ROWS }, (_, index) => `Pet ${index + 1};${index + 1};${index % 50}`);
  await page.setInputFiles('input[type="file"]', csvFile('large.csv', ['Name;Nr;Qty', ...rows]));
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByRole('button', { name: 'New 20,000' }).waitFor({ timeout: 60_000 });
  const view = page.getByRole('region', { name: 'Plan' });
  const table = view.getByRole('table');
  const last = table.getByRole('row', { name: 'Pet 20000' });
  // Each time, the next page makes the table longer.
  await until(async () => {
    if (await last.isVisible()) return true;
    await view.evaluate((region) => {
      region.scrollTop = region.scrollHeight;
    });
    return false;
  }, 'the last row is in view');
  assert.ok((await table.getByRole('row').count()) < 60, 'only rows in view are drawn');
});

test('texts of a file stay text', async (t) => {
  const shop = await openShop(t, { isSample: false });
  const page = await openPage(t, shop, { role: 'staff', path: '/imports' });
  const quoted = XSS_PAYLOADS.map((payload) => `"${payload.replaceAll('"', '""')}"`);
  const lines = quoted.map((payload, index) => `${index + 1},1,${payload},${payload}`);
  const header = ['petId', 'quantity', 'name', quoted[0]].join();
  await page.setInputFiles(
    'input[type="file"]',
    csvFile('<img src=x onerror=alert(1)>.csv', [header, ...lines]),
  );
  await page.getByRole('heading', { name: '<img src=x onerror=alert(1)>.csv' }).waitFor();
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page
    .getByRole('row', { name: XSS_PAYLOADS[0] as string })
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Apply 1' }).click();
  await page.getByText('wrote').waitFor();
  assert.notEqual(await page.title(), 'xss');
});

test('an import is cancelled, and deleted with its plan', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff', path: '/imports' });
  await page.setInputFiles('input[type="file"]', csvFile('count.csv', ['petId,quantity', '1,9']));
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByRole('button', { name: 'Cancel the import' }).click();
  await page.getByText('Nothing was written.').waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Deleted the import count.csv').waitFor();
  await page.getByText('No imports yet').waitFor();
});

test('imports and system speak German', async (t) => {
  const shop = await openShop(t, { isSample: false });
  const page = await openPage(t, shop, { path: '/imports', locale: 'de-DE' });
  await page.getByText('Datei mit Tieren hier ablegen').waitFor();
  await page.goto('/system/ledger');
  await page.getByRole('button', { name: 'Prüfen' }).click();
  await page.getByText('Alles in Ordnung').waitFor();
});

test('a file that is too large is not sent', async (t) => {
  const env = { PETSTORE_MAX_IMPORT_BYTES: '2000' };
  const shop = await openShop(t, { isSample: false, env });
  const page = await openPage(t, shop, { role: 'staff', path: '/imports' });
  page.on('request', (request) => assert.notEqual(request.method(), 'POST'));
  const rows = Array.from({ length: 1_000 }, (_, index) => `${index + 1},1`);
  await page.setInputFiles('input[type="file"]', csvFile('large.csv', ['petId,quantity', ...rows]));
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByRole('alert').getByText('The file is larger than 2 kB').waitFor();
});
