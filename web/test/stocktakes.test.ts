import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../server/test/support/until.ts';
import type { StocktakeLine } from '../src/api/schemas.ts';
import { reportCsv } from '../src/pages/stocktakes/report-csv.ts';
import { choose, entry, press, scan } from './count/count-phone.ts';
import { assertAccessible, assertAccessibleAtAnyWidth, openPage, visit } from './support/browser.ts';
import { openShop, type Shop } from './support/shop.ts';
import { isSkippedDaily } from '../../server/test/support/long-test.ts';

const PHONE = { width: 360, height: 740 };
const LOSES_CONNECTION = { expected: /ERR_INTERNET_DISCONNECTED/ };
const DOGS = 4;
const CAT = 5;

/** Four dogs and a cat, 10 units of each, with a code on their boxes. */
async function openSmallShop(t: Parameters<typeof openShop>[0]): Promise<Shop> {
  const shop = await openShop(t, { isSample: false });
  for (let petId = 1; petId <= CAT; petId += 1) {
    const category = petId === CAT ? 'Cats' : 'Dogs';
    const pet = {
      petId,
      name: `Pet no. ${petId}`,
      category,
      quantity: 10,
      barcodes: [`BOX${1_000 + petId}`],
    };
    await shop.send('POST', '/pets', pet);
  }
  return shop;
}

async function start(shop: Shop, posting: 'at_count' | 'at_close'): Promise<string> {
  const body = { name: 'Autumn', scope: { category: 'Dogs' }, posting };
  return ((await shop.send('POST', '/stocktakes', body)) as { id: string }).id;
}

const countBy = (shop: Shop, id: string, petId: number, counted: number) =>
  shop.send('POST', `/stocktakes/${id}/counts`, { petId, counted });

async function stockOf(shop: Shop): Promise<number[]> {
  const pets = (await shop.send('GET', '/inventory')) as { petId: number; quantity: number }[];
  return pets.toSorted((a, b) => a.petId - b.petId).map(({ quantity }) => quantity);
}

interface Line {
  readonly petId: number;
  readonly name: string;
  readonly expected: number;
  readonly counted: number;
  readonly variance: number;
  readonly counts: number;
  readonly countedBy: { readonly name: string };
}

const report = async (shop: Shop, id: string) =>
  (await shop.send('GET', `/stocktakes/${id}/report`)) as readonly Line[];

const counts = async (shop: Shop, id: string) =>
  (await report(shop, id)).map(({ petId, expected, counted }) => [petId, expected, counted]);

/** The cells of a table, row by row, as far as the numbers. */
async function rowsOf(page: Page, table: string): Promise<string[][]> {
  const rows = page.getByRole('table', { name: table, exact: true }).locator('tbody tr');
  return Promise.all((await rows.all()).map(async (row) => row.getByRole('cell').allTextContents()));
}

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Parts of the report' }).getByRole('link', { name });

async function close(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close the stock-take' }).click();
}

async function undo(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('Autumn');
  await dialog.getByRole('button', { name: 'Undo the stock-take' }).click();
}

test('two people count a category, differences are counted again, posted by the close, and undone', async (t) => {
  const shop = await openSmallShop(t);
  const page = await openPage(t, shop, { path: '/stocktakes' });
  await page.getByRole('heading', { name: 'No stock-takes yet' }).waitFor();
  await page.getByRole('button', { name: 'Start a stock-take' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: /^Name/ }).fill('Autumn');
  await dialog.getByLabel('Category', { exact: true }).fill('Do');
  await page.getByRole('option', { name: 'Dogs' }).click();
  await dialog.getByText('When the stock-take is closed').click();
  await dialog.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('heading', { name: 'Autumn' }).waitFor();
  await page.getByRole('heading', { name: 'Nothing is counted yet' }).waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const made = (await shop.send('GET', `/stocktakes/${id}`)) as { scope: object; posting: string };
  assert.deepEqual(made.scope, { q: null, category: 'Dogs', status: null, alert: null });
  assert.equal(made.posting, 'at_close');

  // The first person scans on a phone, and types.
  const phone = await openPage(t, shop, { role: 'staff', path: '/count', viewport: PHONE });
  await phone
    .getByRole('combobox', { name: 'Stock-take' })
    .or(phone.getByLabel('Stock-take'))
    .first()
    .click();
  await phone.getByRole('option', { name: 'Autumn' }).click();
  await phone.getByText('The stock changes when the stock-take is closed.').waitFor();
  await scan(phone, 'BOX1001');
  await phone.getByRole('heading', { name: 'Pet no. 1' }).waitFor();
  const save = phone.getByRole('button', { name: 'Save and next' });
  const { x = 0, y = 0, width = 0 } = (await save.boundingBox()) ?? {};
  assert.ok(width > 0 && y + 56 <= 740 - 56, 'the button is above the bar');
  assert.ok(x + width <= PHONE.width - 16, 'the pad is as wide as the page');
  await press(phone, '8');
  await scan(phone, 'BOX1002');
  await phone.getByRole('heading', { name: 'Pet no. 2' }).waitFor();
  await press(phone, '1', '0', 'Enter');
  await phone.getByText('2 counted, 0 waiting').waitFor();
  assert.deepEqual(await stockOf(shop), [10, 10, 10, 10, 10], 'the stock waits for the close');

  // The page of the other person follows, who counts by name.
  await page.getByRole('progressbar', { name: '2 of 4 counted' }).waitFor();
  await page.getByRole('link', { name: 'Count for this stock-take' }).click();
  await choose(page, 'no. 3', 'Pet no. 3');
  assert.equal(await page.getByText(/^Counted already/).count(), 0);
  await press(page, '1', '2', 'Enter');
  await entry(page, 'Pet no. 3').getByText('Recorded').waitFor();
  await page.getByRole('link', { name: 'Open its report' }).click();
  await page.getByRole('progressbar', { name: '3 of 4 counted' }).waitFor();
  await tab(page, 'Not counted').click();
  await page.getByRole('cell', { name: 'Pet no. 4', exact: true }).waitFor();
  assert.equal((await rowsOf(page, 'Not counted')).length, 1);
  await tab(page, 'Differences').click();
  await page.getByRole('link', { name: 'Count again: Pet no. 1' }).click();
  await page.getByRole('heading', { name: 'Pet no. 1' }).waitFor();
  // A second person sees that somebody was at this shelf before, and not how much there was.
  await page.getByText(/^Counted already, .+ by staff$/).waitFor();
  await press(page, '9', 'Enter');
  await entry(page, 'Pet no. 1').getByText('Recorded').waitFor();
  assert.deepEqual(await counts(shop, id), [
    [1, 10, 9],
    [2, 10, 10],
    [3, 10, 12],
  ]);

  await page.getByRole('link', { name: 'Open its report' }).click();
  await page.getByRole('row', { name: 'Pet no. 1' }).getByText('−1').waitFor();
  const shown = (await rowsOf(page, 'Differences')).map((cells) => cells.slice(0, 7));
  const lines = (await report(shop, id)).filter(({ variance }) => variance !== 0);
  assert.deepEqual(
    shown,
    lines.map(({ name, expected, counted, variance, counts: times, countedBy }) => [
      name,
      'Dogs',
      String(expected),
      String(counted),
      variance > 0 ? `+${variance}` : `−${-variance}`,
      String(times),
      countedBy.name,
    ]),
  );
  assert.deepEqual(
    lines.map(({ counts: times, countedBy }) => [times, countedBy.name]),
    [
      [2, 'administrator'],
      [1, 'administrator'],
    ],
  );
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await dialog.getByText('The differences of 2 pets are posted.').waitFor();
  await dialog.getByText('1 pet is not counted.').waitFor();
  // A close of many thousand pets takes seconds.
  const seen = Promise.withResolvers<void>();
  await page.route('**/close', async (route) => {
    await seen.promise;
    await route.continue();
  });
  await dialog.getByRole('button', { name: 'Close the stock-take' }).click();
  await dialog.getByText('All differences are being written in one step.').waitFor();
  await assertAccessible(page);
  seen.resolve();
  await page.getByText('Closed Autumn').waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).waitFor();
  assert.deepEqual(await stockOf(shop), [9, 10, 12, 10, 10]);
  assert.equal(await page.getByRole('link', { name: 'Count for this stock-take' }).count(), 0);

  // The file has the lines of the command line, and paper has all of them.
  await page.getByRole('button', { name: 'Export' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Download as CSV' }).click();
  const file = await downloading;
  assert.equal(file.suggestedFilename(), 'Autumn.csv');
  const csv = await readFile(await file.path(), 'utf8');
  const written = (await shop.service.cli('stocktakes', 'report', id)) as unknown as readonly StocktakeLine[];
  assert.equal(written.length, 3);
  assert.equal(csv, reportCsv(written));
  await page.evaluate('window.print = () => { document.body.dataset.asked = "yes"; }');
  await page.getByRole('button', { name: 'Print' }).click();
  await page.locator('body[data-asked]').waitFor();
  await page.emulateMedia({ media: 'print' });
  assert.equal((await rowsOf(page, 'Report')).length, 3);
  assert.equal(await page.getByRole('table', { name: 'Differences' }).isVisible(), false);
  assert.equal(await tab(page, 'Counted').isVisible(), false);
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate('window.dispatchEvent(new Event("afterprint"))');
  await page.getByRole('table', { name: 'Report' }).waitFor({ state: 'detached' });

  await undo(page);
  await page.getByText('Undone: Autumn').waitFor();
  assert.deepEqual(await stockOf(shop), [10, 10, 10, 10, 10]);
  await page.getByRole('link', { name: 'Stock-takes' }).first().click();
  const row = page.getByRole('row', { name: 'Autumn' });
  await row.getByText('3 of 4').waitFor();
  assert.match((await row.textContent()) ?? '', /Undone.*Dogs.*administrator.*administrator/);
  await page.getByText('Running', { exact: true }).click();
  await page.getByText('No stock-take in this state').waitFor();
  await page.waitForURL('**/stocktakes?state=running');
});

test('counts without a connection keep their stock-take, and people decide about counts of others', async (t) => {
  const shop = await openSmallShop(t);
  const id = await start(shop, 'at_close');
  const page = await openPage(t, shop, {
    role: 'staff',
    path: `/count?stocktake=${id}`,
    viewport: PHONE,
    ...LOSES_CONNECTION,
  });
  await page.getByText('Scan an id, or search a pet').waitFor();
  // A count of another person that came before the own one is no question: the later one holds.
  await scan(page, 'BOX1004');
  await page.getByText('4 · Dogs · Expected 10 · Autumn').waitFor();
  await countBy(shop, id, 4, 11);
  await shop.send('POST', '/inventory/4/adjustments', { delta: 1, reason: 'received' });
  await page.getByText('Changed to 11 while you count').waitFor();
  await shop.send('POST', '/inventory/4/adjustments', { delta: -1, reason: 'sold' });
  await page.getByText('Changed to 11 while you count').waitFor({ state: 'detached' });
  await press(page, '9', 'Enter');
  await entry(page, 'Pet no. 4').getByText('Recorded').waitFor();
  await page.context().setOffline(true);
  for (const [petId, counted] of [
    [1, '7'],
    [2, '6'],
    [3, '5'],
  ] as const) {
    await scan(page, `BOX${1_000 + petId}`);
    await page.getByRole('heading', { name: `Pet no. ${petId}` }).waitFor();
    await press(page, counted, 'Enter');
  }
  await page.getByText('4 counted, 3 waiting').waitFor();
  const kept = JSON.parse(
    (await page.evaluate('JSON.stringify(Object.entries(localStorage))')) as string,
  ) as [string, string][];
  const waiting = kept
    .filter(([key]) => key.startsWith('count:'))
    .map(([, text]) => JSON.parse(text) as { petId: string; stocktakeId: string; tag: string });
  assert.ok(waiting.every(({ stocktakeId, tag }) => stocktakeId === id && /^"\d+-\d+-\w+"$/.test(tag)));
  // Another person counts the same pet after this one did, and a third one is sold.
  await countBy(shop, id, 2, 8);
  await shop.send('POST', '/inventory/3/adjustments', { delta: -1, reason: 'sold' });
  await page.context().setOffline(false);
  await entry(page, 'Pet no. 1').getByText('Recorded').waitFor();
  await entry(page, 'Pet no. 2').getByText('administrator counted it too').waitFor();
  await entry(page, 'Pet no. 2').getByRole('button', { name: 'Count 6' }).click();
  await entry(page, 'Pet no. 2').getByText('Recorded').waitFor();
  await entry(page, 'Pet no. 3').getByRole('button', { name: 'Keep 9' }).click();
  assert.deepEqual(await counts(shop, id), [
    [1, 10, 7],
    [2, 10, 6],
    [4, 10, 9],
  ]);

  // The close comes before a count: it can still be recorded as stock.
  await choose(page, 'no. 3', 'Pet no. 3');
  // The page may learn of the sale only now, and would ask about a count of what was there before.
  const current = page.getByText('3 · Dogs · Expected 9 · Autumn');
  const again = page.getByRole('status').getByRole('button', { name: 'Count again', exact: true });
  await current.or(again).first().waitFor();
  if (await again.isVisible()) await again.click();
  await current.waitFor();
  await page.context().setOffline(true);
  await press(page, '4', 'Enter');
  await shop.send('POST', `/stocktakes/${id}/close`);
  await page.context().setOffline(false);
  await page.getByText('The stock-take was closed or cancelled before this count was sent.').waitFor();
  await page.getByRole('button', { name: 'Record without the stock-take' }).click();
  await page.getByText('5 counted, 0 waiting').waitFor();
  await until(async () => (await stockOf(shop))[2] === 4, 'the count is the stock');
  assert.deepEqual(await stockOf(shop), [7, 6, 4, 9, 10]);
  // A movement leads to its stock-take.
  await page.goto('/activity');
  await page.getByRole('link', { name: 'Stock-take', exact: true }).first().click();
  await page.waitForURL(`**/stocktakes/${id}`);
  await page.getByRole('heading', { name: 'Autumn' }).waitFor();
  // The choice outlives the visit, and a stock-take that is over is named as such.
  await page.goto('/count');
  await page.getByText('This stock-take is not running any more.').waitFor();
});

test('a viewer reads, and what fails is described by its code', async (t) => {
  const shop = await openSmallShop(t);
  const id = await start(shop, 'at_close');
  await countBy(shop, id, 1, 1);
  const viewer = await openPage(t, shop, { role: 'viewer', path: '/stocktakes' });
  const startButton = viewer.getByRole('button', { name: 'Start a stock-take' });
  await startButton.waitFor();
  assert.equal(await startButton.getAttribute('aria-disabled'), 'true');
  await viewer.getByRole('link', { name: 'Autumn' }).click();
  await viewer.getByRole('row', { name: 'Pet no. 1' }).waitFor();
  await viewer.getByRole('button', { name: 'Export' }).waitFor();
  for (const name of ['Close', 'Undo', 'Cancel the stock-take']) {
    assert.equal(await viewer.getByRole('button', { name, exact: true }).count(), 0, name);
  }
  assert.equal(await viewer.getByRole('link', { name: /^Count (again|for this)/ }).count(), 0);

  const page = await openPage(t, shop, { path: '/stocktakes/stk_0000000000000000' });
  await page.getByText('It does not exist any more.').waitFor();
  await page.route(`**/stocktakes/${id}/totals`, (route) =>
    route.fulfill({ status: 500, json: { code: 'internal_error', message: 'x' } }),
  );
  await page.goto(`/stocktakes/${id}`);
  await page.getByText('This could not be loaded').waitFor();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('progressbar', { name: '1 of 4 counted' }).waitFor();
  await shop.send('POST', '/inventory/1/adjustments', { delta: -8, reason: 'sold' });
  await close(page);
  const alert = page.getByRole('dialog').getByRole('alert');
  await alert
    .getByText('Nothing was posted: these pets would have an impossible stock. Count them again.')
    .waitFor();
  await alert.getByText('Pet no. 1 2 now, −7 afterwards').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await countBy(shop, id, 2, 14);
  await countBy(shop, id, 1, 2);
  await close(page);
  await page.getByText('Closed Autumn').waitFor();
  await shop.send('PATCH', '/inventory/2', { quantity: 1 });
  await undo(page);
  await alert.getByText('Pet no. 2 1 now, −3 afterwards').waitFor();
  await assertAccessible(page);
  await alert.getByRole('link', { name: 'Pet no. 2' }).click();
  await page.waitForURL('**/pets/2');

  const german = await openPage(t, shop, { locale: 'de-DE', path: `/stocktakes/${id}` });
  await german.getByText('Abgeschlossen').first().waitFor();
  await german.getByRole('button', { name: 'Rückgängig machen', exact: true }).click();
  await german.getByRole('dialog').getByRole('textbox').fill('Autumn');
  await german.getByRole('dialog').getByRole('button', { name: 'Inventur rückgängig machen' }).click();
  await german.getByRole('alert').getByText('Pet no. 2 jetzt 1, danach −3').waitFor();
  await german.setViewportSize(PHONE);
  await german.goto('/stocktakes');
  await german.getByText('2 von 4').waitFor();
  await german.getByRole('combobox', { name: 'Zustand' }).click();
  await german.getByRole('option', { name: 'Abgebrochen' }).click();
  await german.waitForURL('**/stocktakes?state=cancelled');
  await german.getByText('Keine Inventur in diesem Zustand').waitFor();
});

test('a stock-take that was started by mistake is cancelled, and a count that arrives later is refused', async (t) => {
  const shop = await openSmallShop(t);
  const id = await start(shop, 'at_count');
  const phone = await openPage(t, shop, {
    role: 'staff',
    path: `/count?stocktake=${id}`,
    viewport: PHONE,
    ...LOSES_CONNECTION,
  });
  await phone.getByText('Scan an id, or search a pet').waitFor();
  await phone.context().setOffline(true);
  await scan(phone, 'BOX1003');
  await phone.getByRole('heading', { name: 'Pet no. 3' }).waitFor();
  await press(phone, '4', 'Enter');
  await phone.getByText('1 counted, 1 waiting').waitFor();

  await countBy(shop, id, 1, 12);
  await countBy(shop, id, 2, 7);
  await shop.send('POST', '/inventory/1/adjustments', { delta: -11, reason: 'sold' });
  const page = await openPage(t, shop, { path: `/stocktakes/${id}` });
  const dialog = page.getByRole('dialog');
  const cancel = async () => {
    await page.getByRole('button', { name: 'Cancel the stock-take' }).click();
    await dialog.getByText('What its counts changed in the stock is reverted').waitFor();
    await dialog.getByRole('textbox').fill('Autumn');
    await dialog.getByRole('button', { name: 'Cancel the stock-take' }).click();
  };
  await cancel();
  await dialog.getByText('Nothing was cancelled').waitFor();
  await dialog.getByText('Pet no. 1 1 now, −1 afterwards').waitFor();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Keep it running' }).click();
  await shop.send('POST', '/inventory/1/adjustments', { delta: 1, reason: 'returned' });
  await cancel();
  await page.getByText('Cancelled Autumn').waitFor();
  await page.getByText('Cancelled', { exact: true }).first().waitFor();
  for (const name of ['Close', 'Undo', 'Cancel the stock-take']) {
    assert.equal(await page.getByRole('main').getByRole('button', { name, exact: true }).count(), 0, name);
  }
  assert.deepEqual(await stockOf(shop), [0, 10, 10, 10, 10]);
  assert.equal((await rowsOf(page, 'Differences')).length, 2, 'what was counted stays');
  await page.goto('/stocktakes?state=cancelled');
  await page.getByRole('row', { name: 'Autumn' }).getByText('Cancelled').waitFor();

  await phone.context().setOffline(false);
  await phone
    .getByText('The stock-take was closed or cancelled before this count was sent.')
    .first()
    .waitFor();
  await phone.getByText('This stock-take is not running any more.').first().waitFor();
  await phone.getByRole('button', { name: 'Record without the stock-take' }).first().click();
  await until(async () => (await stockOf(shop))[2] === 4, 'the count is the stock');
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the pages of stock-takes have no accessibility problem in ${colorScheme}, and fit a phone`, async (t) => {
    if (isSkippedDaily(t)) return;
    // Colours are the same at each width.
    const look = colorScheme === 'light' ? assertAccessibleAtAnyWidth : assertAccessible;
    const shop = await openSmallShop(t);
    const page = await openPage(t, shop, { path: '/stocktakes', colorScheme });
    await page.getByRole('heading', { name: 'No stock-takes yet' }).waitFor();
    await look(page);
    await page.getByRole('button', { name: 'Start a stock-take' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: /^Name/ }).waitFor();
    await look(page);
    const id = await start(shop, 'at_close');
    await page.goto('/stocktakes');
    for (let petId = 1; petId < DOGS; petId += 1) await countBy(shop, id, petId, 9 + petId);
    for (const [path, ready] of [
      ['/stocktakes', '3 of 4'],
      [`/stocktakes/${id}`, 'Count again'],
      [`/stocktakes/${id}/counted`, 'Pet no. 1'],
      [`/stocktakes/${id}/uncounted`, 'Pet no. 4'],
      [`/count?stocktake=${id}`, 'The stock changes when'],
    ] as const) {
      await page.setViewportSize({ width: 1_280, height: 800 });
      await visit(page, path);
      await page.getByText(ready).first().waitFor();
      await look(page);
      await page.setViewportSize(PHONE);
      const wide = await page.evaluate('document.documentElement.scrollWidth');
      assert.ok(Number(wide) <= PHONE.width, `${path} is ${wide} px wide`);
    }
  });
}
