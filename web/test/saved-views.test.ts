import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../server/test/support/until.ts';
import { assertAccessible, openPage } from './support/browser.ts';
import { openShop } from './support/shop.ts';

const menu = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function choose(page: Page, button: string, item: string): Promise<void> {
  await menu(page, button).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

/** Saves what the list shows. */
async function saveAs(page: Page, button: string, name: string, isDefault = false): Promise<void> {
  await choose(page, button, 'Save as a view');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name of the view').fill(name);
  if (isDefault) await dialog.getByLabel('The list opens with it').check();
  await dialog.getByRole('button', { name: 'Save the view' }).click();
  await page.getByText(`Saved the view ${name}`).waitFor();
}

/** Whether the address has exactly these parameters. */
const hasQuery = (page: Page, query: string) =>
  until(
    async () => new URL(page.url()).search === (query === '' ? '' : `?${query}`),
    `the address has ${query}`,
  );

test('a view is saved, opened in another browser, replaced, renamed, and deleted', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { path: '/stock?status=sold&sort=-quantity' });
  await page.getByRole('button', { name: 'Row height: Dense' }).click();
  await saveAs(page, 'Views', 'Sold out');
  await menu(page, 'Sold out').waitFor();
  await assertAccessible(page);
  await page.goto('/stock?category=Cats');
  await page.getByRole('button', { name: 'Row height: Comfortable' }).click();
  await saveAs(page, 'Views', 'Cats', true);
  // The same name again, whatever its case.
  await choose(page, 'Cats', 'Save as a view');
  await page.getByLabel('Name of the view').fill('sold OUT');
  await page.getByRole('button', { name: 'Save the view' }).click();
  await page.getByText('There is a view sold OUT already.').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();

  const storageState = await page.context().storageState();
  const other = await openPage(t, shop, { path: '/stock', storageState: { ...storageState, origins: [] } });
  await hasQuery(other, 'category=Cats');
  await other.getByRole('button', { name: 'Row height: Dense' }).waitFor();
  await choose(other, 'Cats', 'Sold out');
  await hasQuery(other, 'status=sold&sort=-quantity');
  await other.getByRole('button', { name: 'Row height: Comfortable' }).waitFor();
  await other.getByRole('button', { name: /Remove the filter Status/ }).click();
  await choose(other, 'Sold out', 'Replace Sold out with what is shown');
  await other.getByText('Replaced the view Sold out').waitFor();
  await choose(other, 'Sold out', 'Rename Sold out');
  await other.getByLabel('Name of the view').fill('By quantity');
  await other.getByRole('button', { name: 'Save the view' }).click();
  await menu(other, 'By quantity').waitFor();

  // The palette, and a change on top of that of the other browser, which this page has not read.
  await saveAs(page, 'Cats', 'Cats again');
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog');
  await palette.getByRole('textbox').fill('Open the view By quantity');
  await palette.getByText('Open the view By quantity').click();
  await hasQuery(page, 'sort=-quantity');
  await choose(page, 'By quantity', 'Delete By quantity');
  await page.getByText('Deleted the view By quantity').waitFor();
  const { views } = (await page.evaluate("fetch('/admin/v1/saved-views').then((r) => r.json())")) as {
    views: { name: string }[];
  };
  assert.deepEqual(
    views.map(({ name }) => name),
    ['Cats', 'Cats again'],
  );
});

test('views are per person, and a view of what no longer exists opens and says so', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { path: '/stock?category=Unicorns', role: 'viewer' });
  await page.getByText('No pet has the category Unicorns any more.').waitFor();
  await saveAs(page, 'Views', 'Unicorns');
  const other = await openPage(t, shop, { path: '/stock', role: 'viewer' });
  await menu(other, 'Views').click();
  await other.getByRole('menuitem', { name: 'Save as a view' }).waitFor();
  assert.equal(await other.getByRole('menuitem').count(), 1);
  // A link shows the same to everybody.
  await other.goto(page.url());
  await other.getByText('No pet has the category Unicorns any more.').waitFor();
});

test('orders have views of their own', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { path: '/orders?status=placed&since=week', role: 'viewer' });
  await saveAs(page, 'Views', 'New this week');
  await page.goto('/stock');
  await menu(page, 'Views').waitFor();
  await page.goto('/orders');
  await choose(page, 'Views', 'New this week');
  await hasQuery(page, 'status=placed&since=week');
});

test('without a connection the kept views open', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { path: '/stock?category=Cats', expected: /ERR_|Failed to fetch/ });
  await saveAs(page, 'Views', 'Cats');
  await page.route('**/admin/v1/saved-views', (route) => route.abort());
  await page.goto('/stock');
  await choose(page, 'Views', 'Cats');
  await hasQuery(page, 'category=Cats');
});
