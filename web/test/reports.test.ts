import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { strFromU8, unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { CLI_AUTHOR } from '../../server/src/domain/management/activity.ts';
import { petRow } from '../../server/test/support/command-line.ts';
import { unitsPerPeriod } from '../src/pages/reports/period-units.ts';
import { sumOf } from '../src/pages/reports/units.ts';
import { assertAccessible, assertAccessibleAtAnyWidth, openPage } from './support/browser.ts';
import { openShop } from './support/shop.ts';
import { DAY_MS } from '../../shared/src/durations.ts';
import { isSkippedDaily } from '../../server/test/support/long-test.ts';
import { until } from '../../server/test/support/until.ts';

const BERLIN = 'Europe/Berlin';

/** Two dogs, a cat and a pet without a category, and movements of January, February and today. */
async function openReportShop(t: Parameters<typeof openShop>[0]) {
  const shop = await openShop(t, { isSample: false });
  const row = (petId: number, category: string | null, quantity: number) =>
    petRow(petId, { name: `Pet no. ${petId}`, category, quantity });
  await shop.service.withAdmin(async (admin) => {
    const rows = [row(1, 'Dogs', 5), row(2, 'Dogs', 7), row(3, 'Cats', 1_200), row(4, null, 2)];
    // It is February in Berlin.
    await admin.importPets(rows, CLI_AUTHOR.actor, Date.UTC(2026, 0, 31, 23, 30));
    await admin.importPets([row(1, 'Dogs', 4)], CLI_AUTHOR.actor, Date.UTC(2026, 1, 28, 22, 59));
    await admin.importPets([row(2, 'Dogs', 9)], CLI_AUTHOR.actor, Date.UTC(2026, 1, 28, 23, 1));
  });
  return shop;
}

/** The cells of the table on the page. */
async function cells(page: Page, table: string): Promise<string[][]> {
  const rows = page.getByRole('table', { name: table, exact: true }).locator('tbody tr');
  await rows.first().waitFor();
  return Promise.all((await rows.all()).map((row) => row.getByRole('cell').allTextContents()));
}

/** A part of the line of facts below the title. */
const facts = (page: Page, text: RegExp | string) => page.locator('main header').getByText(text);

async function exported(
  page: Page,
  item: string,
): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  const started = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
  const file = await started;
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

test('reports of stock, movements and stock-takes are shown, exported, printed, and refused before a prune', async (t) => {
  const shop = await openReportShop(t);
  const page = await openPage(t, shop, { path: '/reports', timezoneId: BERLIN });
  assert.deepEqual(await cells(page, 'Stock'), [
    ['No category', '1', '2', '0', '2'],
    ['Cats', '1', '1,200', '0', '1,200'],
    ['Dogs', '2', '13', '0', '13'],
  ]);
  const total = page.locator('table tfoot');
  assert.deepEqual(await total.getByRole('cell').allTextContents(), ['4', '1,215', '0', '1,215']);
  await total.getByRole('rowheader', { name: 'Total' }).waitFor();
  // Printed by the browser's own menu, each sheet would have the total of all.
  await page.emulateMedia({ media: 'print' });
  assert.equal(
    await page.evaluate("getComputedStyle(document.querySelector('table tfoot')).display"),
    'table-row-group',
  );
  const names = page.getByRole('navigation', { name: 'Reports' }).getByRole('link').filter({ visible: true });
  assert.deepEqual(await names.allTextContents(), ['Stock'], 'paper names the report');
  await page.emulateMedia({ media: null });
  await facts(page, 'Now · 1,215 units of 4 pets, with archived ones').waitFor();
  await page.getByLabel('At the end of').fill('2026-02-28');
  await facts(page, 'As of 28 Feb 2026, 23:59:59 · 1,213 units of 4 pets, with archived ones').waitFor();
  assert.deepEqual((await cells(page, 'Stock')).at(-1), ['Dogs', '2', '11', '0', '11']);
  // A reload keeps what is chosen.
  await page.getByText('Pet', { exact: true }).click();
  await page.getByRole('link', { name: 'Pet no. 3' }).waitFor();
  await page.reload();
  await page.getByRole('link', { name: 'Pet no. 3' }).waitFor();
  await page.getByPlaceholder('All categories').click();
  await page.getByRole('option', { name: 'Dogs' }).click();
  await page.getByRole('link', { name: 'Pet no. 3' }).waitFor({ state: 'detached' });
  assert.deepEqual(await cells(page, 'Stock'), [
    ['Pet no. 1', 'Dogs', '4', '0', '4'],
    ['Pet no. 2', 'Dogs', '7', '0', '7'],
  ]);
  await assertAccessibleAtAnyWidth(page);
  await page.setViewportSize({ width: 1_280, height: 800 });

  const csv = await exported(page, 'Download as CSV');
  assert.equal(csv.name, 'stock-2026-02-28.csv');
  assert.equal(
    csv.bytes.toString(),
    'petId,name,category,quantity,reserved,available\r\n1,"Pet no. 1",Dogs,4,0,4\r\n2,"Pet no. 2",Dogs,7,0,7\r\n',
  );
  const book = await exported(page, 'Download as Excel workbook');
  assert.equal(book.name, 'stock-2026-02-28.xlsx');
  assert.match(strFromU8(unzipSync(book.bytes)['xl/worksheets/sheet1.xml'] as Uint8Array), /Pet no\. 2/);

  await page.evaluate('window.print = () => { document.body.dataset.asked = "yes"; }');
  await page.getByRole('button', { name: 'Print' }).click();
  await page.locator('body[data-asked]').waitFor();
  await page.emulateMedia({ media: 'print' });
  assert.deepEqual(await cells(page, 'Report'), [
    ['Pet no. 1', 'Dogs', '4', '0', '4'],
    ['Pet no. 2', 'Dogs', '7', '0', '7'],
  ]);
  const printed = page.getByRole('table', { name: 'Report' });
  assert.deepEqual(await printed.locator('tfoot tr > *').allTextContents(), ['Total', '', '11', '0', '11']);
  const caption = await page.getByRole('table', { name: 'Report' }).locator('caption').textContent();
  assert.match(caption ?? '', /^Stock · Dogs · Printed /);
  for (const hidden of [
    page.getByRole('navigation', { name: 'Reports' }),
    page.getByLabel('At the end of'),
  ]) {
    assert.equal(await hidden.isVisible(), false);
  }
  await page.evaluate('window.dispatchEvent(new Event("afterprint"))');
  await page.getByRole('table', { name: 'Report' }).waitFor({ state: 'detached' });
  await page.emulateMedia({ media: null });

  await page.getByRole('link', { name: 'Movements' }).click();
  await facts(page, 'Months in Europe/Berlin').waitFor();
  const months = [
    ['Feb 2026', 'Import', '5', '1,214', '1', '+1,213'],
    ['Mar 2026', 'Import', '1', '2', '0', '+2'],
  ];
  assert.deepEqual(await cells(page, 'Movements'), months);
  await facts(page, '1,216 in, 1 out').waitFor();
  const chart = page.getByRole('region', { name: 'Units per month' });
  await chart.getByRole('img', { name: 'Units per month: 1,216 in, 1 out' }).waitFor();
  await chart.getByRole('button', { name: 'Show as table' }).click();
  assert.deepEqual((await cells(page, 'Units per month')).at(-1), ['Feb 2026', '1,214', '1']);
  await page.getByLabel('From').fill('2026-03-01');
  await facts(page, 'Since 1 Mar 2026 · 2 in, 0 out').waitFor();
  assert.deepEqual(await cells(page, 'Movements'), months.slice(1));
  await page.getByLabel('Until').fill('2026-03-01');
  await facts(page, '1 Mar 2026 to 1 Mar 2026 · 2 in, 0 out').waitFor();
  assert.deepEqual(await cells(page, 'Movements'), months.slice(1));
  await page.getByRole('button', { name: 'Last month' }).click();
  const last = () => page.getByLabel('Until').inputValue();
  await until(
    async () => new Date(Date.parse(await last()) + DAY_MS).getUTCDate() === 1,
    'the end of a month',
  );
  assert.equal(await page.getByLabel('From').inputValue(), (await last()).replace(/..$/, '01'));
  await page.getByLabel('From').fill('');
  await page.getByLabel('Until').fill('2026-01-31');
  await page.getByRole('heading', { name: 'Nothing to report' }).waitFor();
  await page.getByText('There are no movements in this period.', { exact: true }).waitFor();
  for (const name of ['Print', 'Export'])
    assert.equal(await page.getByRole('button', { name, exact: true }).isDisabled(), true, name);

  // Another person reads German.
  const { id } = (await shop.send('POST', '/stocktakes', { name: 'Autumn' })) as { id: string };
  await shop.send('POST', `/stocktakes/${id}/counts`, { petId: 1, counted: 6 });
  await shop.send('POST', `/stocktakes/${id}/counts`, { petId: 2, counted: 4 });
  await shop.send('POST', `/stocktakes/${id}/close`);
  await shop.send('POST', '/ledger/prune', { before: '2026-02-20T00:00:00Z' });
  const other = await openPage(t, shop, {
    ...{ path: '/reports/variance?by=category', role: 'viewer', locale: 'de', timezoneId: BERLIN },
    colorScheme: 'dark',
  });
  const [row = []] = await cells(other, 'Inventuren');
  assert.deepEqual([row[0], ...row.slice(2)], ['Autumn', 'Dogs', '2', '13', '10', '−3', '2', '5']);
  await assertAccessible(other);
  await other.getByRole('link', { name: 'Autumn' }).click();
  await other.getByRole('heading', { name: 'Autumn' }).waitFor();
  await other.goto('/reports?day=2026-01-31');
  await other.getByText(/Dieser Teil des Verlaufs wurde gelöscht\..*2026-01-31T23:30/).waitFor();
  await other.goto('/reports/movements');
  await facts(other, 'Seit 01.02.2026, 00:30:00').waitFor();
  await other.goto('/reports?day=nonsense&by=shop&category=None');
  await other.getByRole('heading', { name: 'Nichts zu berichten' }).waitFor();
  await other.getByText('Zu dieser Zeit gab es kein Tier dieser Kategorie.').waitFor();
});

test('a phone has the filters of a report behind a button, and each that is set as a chip', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openReportShop(t);
  const viewport = { width: 390, height: 844 };
  const page = await openPage(t, shop, { path: '/reports', timezoneId: BERLIN, viewport });
  const first = page.getByRole('table', { name: 'Stock', exact: true }).locator('tbody tr').first();
  await first.waitFor();
  assert.equal(await page.getByLabel('At the end of').count(), 0);
  const { y } = (await first.boundingBox()) ?? { y: viewport.height };
  assert.ok(y < viewport.height / 2, `the first row is at ${y} px`);
  const filter = page.getByRole('button', { name: 'Filter', exact: true });
  await filter.click();
  await page.getByLabel('At the end of').fill('2026-02-28');
  await page.getByRole('combobox', { name: 'Category' }).click();
  await page.getByRole('option', { name: 'Dogs' }).click();
  await facts(page, 'As of 28 Feb 2026, 23:59:59 · 11 units of 2 pets, with archived ones').waitFor();
  await assertAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByLabel('At the end of', { exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^At the end of: 28 Feb 2026/ }).click();
  await facts(page, 'Now · 13 units of 2 pets, with archived ones').waitFor();
  await page.getByRole('button', { name: /^Category: Dogs/ }).click();
  await facts(page, 'Now · 1,215 units of 4 pets, with archived ones').waitFor();

  await page.getByRole('link', { name: 'Movements' }).click();
  await filter.click();
  await page.getByLabel('From').fill('2026-02-15');
  await page.getByLabel('Until').fill('2026-03-31');
  await page.getByRole('radiogroup', { name: 'Rows per' }).getByText('Day').click();
  await facts(page, /^15 Feb 2026 to 31 Mar 2026 · .* · Days in Europe\/Berlin$/).waitFor();
  await page.keyboard.press('Escape');
  for (const chip of [/^Rows per: Day/, /^From: 15 Feb 2026/, /^Until: 31 Mar 2026/])
    await page.getByRole('button', { name: chip }).click();
  await facts(page, /1,216 in, 1 out · Months in Europe\/Berlin$/).waitFor();
});

test('a chart has each period from the first to the last, with exact units', () => {
  const row = (month: string, day: string | null, unitsIn: number | string, unitsOut: number) => ({
    ...{ month, day, unitsIn, unitsOut },
  });
  assert.deepEqual(unitsPerPeriod([]), []);
  assert.deepEqual(
    unitsPerPeriod([
      row('2026-01', null, '9223372036854775807', 0),
      row('2025-11', null, 2, 1),
      row('2026-01', null, 1, 3),
    ]),
    [
      { period: '2025-11', unitsIn: 2n, unitsOut: 1n },
      { period: '2025-12', unitsIn: 0n, unitsOut: 0n },
      { period: '2026-01', unitsIn: 9_223_372_036_854_775_808n, unitsOut: 3n },
    ],
  );
  const days = unitsPerPeriod([row('2024-03', '2024-03-01', 1, 0), row('2024-02', '2024-02-28', 0, 4)]);
  assert.deepEqual(
    days.map(({ period, unitsOut }) => [period, unitsOut]),
    [
      ['2024-02-28', 4n],
      ['2024-02-29', 0n],
      ['2024-03-01', 0n],
    ],
  );
});

test('units of many pets are added exactly', () => {
  const rows = ['9223372036854775807', 2, '-5'];
  assert.equal(
    sumOf(rows, (units) => units),
    '9223372036854775804',
  );
});

test('the overview shows what was sold, received and lost per day, and leads to the report per day', async (t) => {
  const shop = await openReportShop(t);
  const adjust = (delta: number, reason: string) =>
    shop.send('POST', '/inventory/3/adjustments', { delta, reason });
  for (const [delta, reason] of [
    [-30, 'sold'],
    [-7, 'damaged'],
    [4, 'received'],
  ] as const)
    await adjust(delta, reason);
  // The clock of the tests is two hours ahead of that of the browser: where it is noon, both have the same day.
  const eastHours = 12 - new Date().getUTCHours();
  const timezoneId = `Etc/GMT${eastHours > 0 ? '-' : '+'}${Math.abs(eastHours)}`;
  const page = await openPage(t, shop, { path: '/', timezoneId });
  const trade = page.getByRole('region', { name: 'Sold, received, lost' });
  await trade.getByRole('button', { name: 'Sold 30 0 before', pressed: true }).waitFor();
  await trade
    .getByRole('img', { name: 'Sold: 30 units in the last 7 days, 0 in the 7 days before.' })
    .waitFor();
  await trade.getByRole('button', { name: 'Lost 7 0 before' }).click();
  await trade.getByRole('img', { name: /^Lost: 7 units/ }).waitFor();
  await trade.getByText('28 days').click();
  await trade.getByRole('img', { name: /^Lost: 7 units in the last 28 days/ }).waitFor();
  await trade.getByRole('button', { name: 'Show as table' }).click();
  const rows = trade.getByRole('table', { name: 'Units per day' }).locator('tbody tr');
  assert.equal(await rows.count(), 56);
  assert.deepEqual((await rows.first().getByRole('cell').allTextContents()).slice(1), ['30', '4', '7']);
  await assertAccessible(page);
  await trade.getByRole('link', { name: 'Report of these days' }).click();
  await page.waitForURL(/\/reports\/movements\?per=day&from=/);
  await page.getByText('Only one day of this period has movements.').waitFor();
  assert.deepEqual(
    (await cells(page, 'Movements')).map(([, ...row]) => row),
    [
      ['Adjustment · Received', '1', '4', '0', '+4'],
      ['Adjustment · Damaged', '1', '0', '7', '−7'],
      ['Adjustment · Sold', '1', '0', '30', '−30'],
    ],
  );
  await facts(page, /Days in (?:Etc|UTC)/).waitFor();
  await page.getByText('Month', { exact: true }).first().click();
  await facts(page, /Months in (?:Etc|UTC)/).waitFor();
});
