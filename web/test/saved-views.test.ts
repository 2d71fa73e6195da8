import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../server/test/support/until.ts';
import { assertAccessible, openPage } from './support/browser.ts';
import { openShop } from './support/shop.ts';
import { isSkippedDaily } from '../../server/test/support/long-test.ts';

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
  if (isSkippedDaily(t)) return;
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
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  const page = await openPage(t, shop, { path: '/orders?status=placed&since=week', role: 'viewer' });
  const reference = page.getByRole('columnheader', { name: 'Reference' });
  await reference.waitFor();
  await menu(page, 'Columns').click();
  await page.getByRole('checkbox', { name: 'Reference', exact: true }).click();
  await page.keyboard.press('Escape');
  await reference.waitFor({ state: 'detached' });
  await saveAs(page, 'Views', 'New this week');
  await page.goto('/stock');
  await menu(page, 'Views').waitFor();
  await page.goto('/orders');
  await choose(page, 'Views', 'New this week');
  await hasQuery(page, 'status=placed&since=week&hide=reference');
  await page.getByRole('columnheader', { name: 'Placed' }).waitFor();
  assert.equal(await reference.count(), 0);
});

test('a view with all columns shows those that are hidden', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { path: '/stock?status=sold' });
  const category = page.getByRole('columnheader', { name: 'Category', exact: true });
  await category.waitFor();
  await saveAs(page, 'Views', 'Sold');
  await page.goto('/stock?hide=category');
  await page.getByRole('columnheader', { name: 'Name', exact: true }).waitFor();
  assert.equal(await category.count(), 0);
  await choose(page, 'Views', 'Sold');
  await hasQuery(page, 'status=sold');
  await category.waitFor();
});

test('without a connection the kept views open', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  const page = await openPage(t, shop, { path: '/stock?category=Cats', expected: /ERR_|Failed to fetch/ });
  await saveAs(page, 'Views', 'Cats');
  await page.route('**/admin/v1/saved-views', (route) => route.abort());
  await page.goto('/stock');
  await choose(page, 'Views', 'Cats');
  await hasQuery(page, 'category=Cats');
});

test('a view has its columns, and one that another browser changed is not replaced without a question', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { path: '/stock?status=sold&sort=-quantity' });
  const column = (where: Page, name: string) => where.getByRole('columnheader', { name, exact: true });
  const toggle = async (where: Page, name: string) => {
    await menu(where, 'Columns').click();
    await where.getByRole('checkbox', { name, exact: true }).click();
    await where.keyboard.press('Escape');
  };
  await toggle(page, 'Category');
  await toggle(page, 'Changed');
  await hasQuery(page, 'status=sold&sort=-quantity&hide=category%2Cchanged');
  await column(page, 'Category').waitFor({ state: 'detached' });
  await saveAs(page, 'Views', 'Sold');
  await assertAccessible(page);
  const storageState = await page.context().storageState();
  const other = await openPage(t, shop, { path: '/stock', storageState: { ...storageState, origins: [] } });
  await choose(other, 'Views', 'Sold');
  await hasQuery(other, 'status=sold&sort=-quantity&hide=category%2Cchanged');
  await column(other, 'Name').waitFor();
  assert.equal((await column(other, 'Category').count()) + (await column(other, 'Changed').count()), 0);
  await toggle(other, 'Category');
  await choose(other, 'Sold', 'Replace Sold with what is shown');
  await other.getByText('Replaced the view Sold').waitFor();

  const stored = async () =>
    (
      (await page.evaluate("fetch('/admin/v1/saved-views').then((r) => r.json())")) as {
        views: { name: string; query: string }[];
      }
    ).views.map(({ name, query }) => `${name} ${query}`);
  await toggle(page, 'Status');
  await choose(page, 'Sold', 'Replace Sold with what is shown');
  const question = page.getByRole('dialog', { name: 'Another browser changed the view Sold' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  assert.deepEqual(await stored(), ['Sold status=sold&sort=-quantity&hide=changed'], 'nothing is replaced');
  // Now the page has seen the other one.
  await choose(page, 'Sold', 'Replace Sold with what is shown');
  await page.getByText('Replaced the view Sold').waitFor();
  assert.deepEqual(await stored(), ['Sold status=sold&sort=-quantity&hide=category%2Cstatus%2Cchanged']);

  // It is deleted here, and the other browser renames it.
  await choose(page, 'Sold', 'Delete Sold');
  await page.getByText('Deleted the view Sold').waitFor();
  await choose(other, 'Sold', 'Rename Sold');
  await other.getByLabel('Name of the view').fill('Gone');
  await other.getByRole('button', { name: 'Save the view' }).click();
  await other.getByText('It is deleted there.').waitFor();
  assert.deepEqual(await stored(), []);
  await other.getByRole('button', { name: 'Save it again' }).click();
  await other.getByText('Saved the view Gone').waitFor();
  assert.deepEqual(await stored(), ['Gone status=sold&sort=-quantity&hide=changed']);
});

test('a view of the orders of a pet that was deleted says so', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  await shop.send('POST', '/pets', { petId: 900, name: 'Typo' });
  const page = await openPage(t, shop, { path: '/orders?petId=900' });
  await menu(page, 'Views').waitFor();
  await saveAs(page, 'Views', 'Of Typo');
  assert.equal(await page.getByText('There is no pet 900 any more').count(), 0);
  await shop.send('DELETE', '/pets/900');
  await page.goto('/orders');
  await choose(page, 'Views', 'Of Typo');
  await page.getByText('There is no pet 900 any more: it was deleted.').waitFor();
});
