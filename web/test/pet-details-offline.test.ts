import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../server/test/support/until.ts';
import { assertAccessible, openPage, type PageOptions, signOut } from './support/browser.ts';
import { openShop, type Shop } from './support/shop.ts';
import { isSkippedDaily } from '../../server/test/support/long-test.ts';

const CUT = /ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to (?:fetch|load resource)/;
const LABRADOR = 'Labrador Retriever puppy';

interface Change {
  readonly kind: string;
  readonly quantityAfter: number;
  readonly statusAfter: string;
}

const changesOf = async (shop: Shop): Promise<readonly (readonly unknown[])[]> =>
  ((await shop.send('GET', '/inventory/1/movements')) as Change[])
    .slice(1)
    .map(({ kind, quantityAfter, statusAfter }) => [kind, quantityAfter, statusAfter]);

const petOf = (shop: Shop) => shop.send('GET', '/pets/1') as Promise<Readonly<Record<string, unknown>>>;

const openPet = async (t: Parameters<typeof openPage>[0], shop: Shop, options: PageOptions = {}) => {
  const page = await openPage(t, shop, { role: 'staff', path: '/pets/1', expected: CUT, ...options });
  await page.getByRole('heading', { name: LABRADOR }).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  return page;
};

const cut = async (page: Page) => {
  await page.context().setOffline(true);
  await page.getByText('Offline since').waitFor();
};

const editDetail = async (page: Page, field: string, value: string) => {
  await page.keyboard.press('d');
  const dialog = page.getByRole('dialog');
  assert.equal(await dialog.getByText('No connection').count(), 0, 'it waits');
  await dialog.getByLabel(field).fill(value);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
};

const setStatus = async (page: Page, status: string) => {
  await page.getByTitle('Change the status').click();
  await page.getByRole('menuitem', { name: status }).click();
};

const setQuantity = async (page: Page, quantity: string) => {
  await page.keyboard.press('e');
  await page.getByRole('dialog').getByLabel('New quantity or change').fill(quantity);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
};

test('details, the status and counts of a pet wait in one order, over a reload and among those of the list', async (t) => {
  const shop = await openShop(t);
  const page = await openPet(t, shop, { hasServiceWorker: true, expected: /./ });
  const isKept = `navigator.serviceWorker.ready.then(async ({ active }) =>
    active.state === 'activated' && (await caches.match('/admin/v1/pets/rows')) !== undefined)`;
  await until(async () => (await page.evaluate(isKept)) === true, 'the list is kept');
  await cut(page);
  await editDetail(page, 'Name', 'Rex');
  await page.getByRole('heading', { name: 'Rex' }).waitFor();
  await page.getByText(`Name: ${LABRADOR} → Rex`).waitFor();
  await setQuantity(page, '6');
  await setStatus(page, 'Pending');
  await setQuantity(page, '+2');
  await editDetail(page, 'Name', 'Rex the second');
  await page.getByText('5 changes wait.').waitFor();
  await assertAccessible(page);
  // The page of the pet opens from the list that the browser keeps.
  await page.reload();
  await page.getByRole('heading', { name: 'Rex the second' }).waitFor();
  await page.getByText('Status: Available → Pending').waitFor();
  await page.getByText('5 changes wait.').waitFor();
  await page.goto('/stock');
  const row = page.locator('#row-1');
  await row.getByText('Rex the second').waitFor();
  assert.equal(await row.locator('[data-waiting]').textContent(), '8');
  await page.goto('/count');
  const entry = page.getByRole('listitem').filter({ hasText: 'Name: Rex → Rex the second' }).first();
  await entry.getByText('Details edited').waitFor();
  await entry.getByText('Waits').waitFor();
  await assertAccessible(page);
  await page.context().setOffline(false);
  await entry.getByText('Recorded').waitFor();
  assert.deepEqual(await changesOf(shop), [
    ['import', 4, 'available'],
    ['set', 6, 'available'],
    ['status', 6, 'pending'],
    ['adjust', 8, 'pending'],
    ['import', 8, 'pending'],
  ]);
  assert.equal((await petOf(shop)).name, 'Rex the second');
});

test('details of a pet that was sold meanwhile are recorded, a count after them asks, and a lost answer repeats nothing', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  const page = await openPet(t, shop);
  await page.route('**/admin/v1/pets/1', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    await route.fetch();
    await page.context().setOffline(true);
    await route.abort();
  });
  await editDetail(page, 'Category', 'Hounds');
  await page.unroute('**/admin/v1/pets/1');
  await page.getByText('Category: Dogs → Hounds').waitFor();
  await page.getByText('Offline since').waitFor();
  await setStatus(page, 'Sold');
  await setQuantity(page, '9');
  await shop.send('POST', '/inventory/1/adjustments', { delta: -1, reason: 'sold' });
  await page.context().setOffline(false);
  const question = page.getByRole('alert').filter({ hasText: 'Your change from 4 to 9' });
  await question.getByText('administrator changed it to 3').waitFor();
  await page.locator('[data-waiting-details]').waitFor({ state: 'detached' });
  assert.deepEqual(await changesOf(shop), [
    ['import', 4, 'available'],
    ['adjust', 3, 'available'],
    ['status', 3, 'sold'],
  ]);
  assert.equal((await petOf(shop)).category, 'Hounds');
});

test('a detail that somebody else has edited shows both values, and the person decides', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  const page = await openPet(t, shop);
  await cut(page);
  await editDetail(page, 'Name', 'Rex');
  await editDetail(page, 'Category', 'Hounds');
  await setStatus(page, 'Sold');
  await shop.send('PATCH', '/pets/1', { name: 'Bello' });
  await shop.send('PUT', '/inventory/1/status', { status: 'pending' });
  await page.context().setOffline(false);
  const name = page.getByRole('alert').filter({ hasText: 'Name: now Bello, yours Rex' });
  await name.getByText(`administrator edited ${LABRADOR} too`).waitFor();
  const status = page.getByRole('alert').filter({ hasText: 'Status: now Pending, yours Sold' });
  await status.waitFor();
  await assertAccessible(page);
  await until(async () => (await petOf(shop)).category === 'Hounds', 'what nobody else edited is recorded');
  assert.deepEqual([(await petOf(shop)).name, (await petOf(shop)).status], ['Bello', 'pending']);
  await status.getByRole('button', { name: 'Keep theirs' }).click();
  await status.waitFor({ state: 'detached' });
  await name.getByRole('button', { name: 'Set mine' }).click();
  await page.getByRole('heading', { name: 'Rex' }).waitFor();
  await until(async () => (await petOf(shop)).name === 'Rex', 'the service has it');
  assert.equal((await petOf(shop)).status, 'pending');
});

test('what waits in a tab is not sent after somebody else has signed in with another tab', async (t) => {
  const shop = await openShop(t);
  const page = await openPet(t, shop);
  await page.route('**/admin/v1/pets/1', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  );
  await editDetail(page, 'Name', 'Rex');
  const account = page.getByRole('button', { name: /^Account: / });
  const before = await account.textContent();
  const other = await page.context().newPage();
  const key = await shop.makeKey('administrator');
  await other.goto('/sign-in');
  await other.getByLabel('Management key').fill(key);
  await other.keyboard.press('Enter');
  await other.getByText('Live', { exact: true }).waitFor();
  await page.unroute('**/admin/v1/pets/1');
  await until(async () => (await account.textContent()) !== before, 'the first tab has the new session');
  await page.goto('/count');
  await page.getByText('1 count by staff waits on this device.').waitFor();
  await page.getByRole('button', { name: 'Send them in my name' }).waitFor();
  await signOut(page);
  await page.getByLabel('Management key').fill(await shop.makeKey('viewer'));
  await page.keyboard.press('Enter');
  await page.getByText('Live', { exact: true }).waitFor();
  await page.goto('/count');
  await page.getByText('1 count by staff waits on this device.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Send them in my name' }).count(), 0);
  await page.goto('/stock');
  await page.getByText('Live', { exact: true }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'Decide' }).count(), 0);
  assert.equal((await petOf(shop)).name, LABRADOR);
});

test('a code of an archived pet is still taken when the answer to the edit is lost', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  await shop.send('PATCH', '/inventory/2', { quantity: 0 });
  await shop.send('PATCH', '/pets/2', { sku: 'D-2' });
  await shop.send('POST', '/pets/2/archive');
  const page = await openPet(t, shop);
  await page.keyboard.press('d');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('SKU').fill('D-2');
  await page.keyboard.press('Enter');
  await dialog.getByRole('checkbox').check();
  await page.context().setOffline(true);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.context().setOffline(false);
  await until(async () => (await petOf(shop)).sku === 'D-2', 'the pet has the code');
});

test('an edit that is refused opens again in its form, and a refused change of the stock is sent again', async (t) => {
  const shop = await openShop(t);
  const page = await openPet(t, shop);
  await cut(page);
  await editDetail(page, 'SKU', 'D-2');
  await page.getByText('SKU: empty → D-2').waitFor();
  await shop.send('PATCH', '/pets/2', { sku: 'D-2' });
  await page.context().setOffline(false);
  const refused = page.getByRole('alert').filter({ hasText: 'SKU: empty → D-2' });
  await refused.getByRole('button', { name: 'Edit again' }).waitFor();
  await assertAccessible(page);
  await page.goto('/count');
  await page.getByRole('button', { name: 'Edit again' }).click();
  const dialog = page.getByRole('dialog');
  await until(async () => (await dialog.getByLabel('SKU').inputValue()) === 'D-2', 'what was typed is there');
  assert.equal(new URL(page.url()).search, '');
  await dialog.getByLabel('SKU').fill('D-3');
  await page.keyboard.press('Enter');
  await until(async () => (await petOf(shop)).sku === 'D-3', 'the pet has the code');
  await dialog.waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('button', { name: 'Edit again' }).count(), 0);

  await cut(page);
  await setQuantity(page, '-3');
  await shop.send('PATCH', '/inventory/1', { quantity: 2 });
  await page.context().setOffline(false);
  const again = page.getByRole('button', { name: 'Send again' });
  await again.waitFor();
  await shop.send('PATCH', '/inventory/1', { quantity: 9 });
  await again.click();
  await again.waitFor({ state: 'detached' });
  await until(async () => (await petOf(shop)).quantity === 6, 'the change is recorded');
});
