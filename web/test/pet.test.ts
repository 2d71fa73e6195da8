import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_PET_TEXT } from '@petstore-inventory/shared/limits';
import type { Page } from 'playwright-core';
import { petRow } from '../../server/test/support/command-line.ts';
import { until } from '../../server/test/support/until.ts';
import { assertAccessible, focused, openPage } from './support/browser.ts';
import { openShop, type Shop } from './support/shop.ts';
import { isSkippedDaily } from '../../server/test/support/long-test.ts';

const fact = (page: Page, name: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.locator('dt', { hasText: name }) })
    .locator('dd')
    .first();

const hasFact = (page: Page, name: string, value: string) =>
  fact(page, name).getByText(value, { exact: true }).waitFor();

const quantityOf = async (shop: Shop, petId: number): Promise<number> =>
  ((await shop.send('GET', `/inventory/${petId}`)) as { quantity: number }).quantity;

test('a pet is adjusted with why by keyboard, and the change is undone in the list', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff', path: '/pets/1' });
  await page.getByRole('heading', { name: 'Labrador Retriever puppy' }).waitFor();
  await hasFact(page, 'Quantity', '4');
  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog', { name: 'Adjust Labrador Retriever puppy' });
  await focused(dialog.getByLabel('New quantity or change'));
  await page.keyboard.type('+3');
  await dialog.getByText('4 → 7').waitFor();
  await dialog.getByLabel('Note').fill('<b>Two</b> litters');
  await page.keyboard.press('Enter');
  await page.getByText('Labrador Retriever puppy: 4 → 7').waitFor();
  await hasFact(page, 'Quantity', '7');
  const row = page.getByRole('listitem').filter({ hasText: '<b>Two</b> litters' });
  await row.getByText('+3').waitFor();
  await row.getByText('Correction').waitFor();
  await row.getByText('staff', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Show as table' }).hover();
  await page.getByRole('tooltip', { name: 'Show as table' }).waitFor();
  await assertAccessible(page);
  await row.getByRole('button', { name: /Undo change/ }).click();
  await page.getByText('Undone. Labrador Retriever puppy: 7 → 4').waitFor();
  await row.getByText('Undone').waitFor();
  assert.equal(await quantityOf(shop, 1), 4);
  await page.keyboard.press('u');
  await hasFact(page, 'Quantity', '7');
});

test('a change by another person shows in the open dialog, with the choice', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff', path: '/pets/1' });
  await hasFact(page, 'Quantity', '4');
  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('New quantity or change').fill('15');
  await shop.send('PATCH', '/inventory/1', { quantity: 9 });
  await dialog.getByText('administrator changed it to 9').waitFor();
  assert.equal(await dialog.getByRole('button', { name: 'Adjust stock' }).isDisabled(), true);
  await dialog.getByRole('button', { name: 'Set 15' }).click();
  await page.getByText('Labrador Retriever puppy: 9 → 15').waitFor();
  assert.equal(await quantityOf(shop, 1), 15);
  await page.keyboard.press('Control+z');
  await hasFact(page, 'Quantity', '9');
});

test('a conflict that comes with the request itself overwrites nothing', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff', path: '/pets/1' });
  await hasFact(page, 'Quantity', '4');
  await page.keyboard.press('e');
  let isChanged = false;
  await page.route('**/inventory/1', async (route) => {
    if (route.request().method() === 'PATCH' && !isChanged) {
      isChanged = true;
      await shop.send('PATCH', '/inventory/1', { quantity: 9 });
    }
    await route.continue();
  });
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('New quantity or change').fill('15');
  await page.keyboard.press('Enter');
  await dialog.getByText('administrator changed it to 9').waitFor();
  assert.equal(await quantityOf(shop, 1), 9);
  await dialog.getByRole('button', { name: 'Keep 9' }).click();
  await dialog.waitFor({ state: 'hidden' });
  assert.equal(await quantityOf(shop, 1), 9);
});

test('details are edited while others sell, and an edit of the same value is shown first', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff', path: '/pets/2' });
  await hasFact(page, 'Quantity', '3');
  await page.keyboard.press('d');
  const dialog = page.getByRole('dialog', { name: 'Edit Golden Retriever puppy' });
  await dialog.getByLabel('Name').fill('Goldie');
  await dialog.getByLabel('Low at').fill('2');
  await shop.send('POST', '/inventory/2/adjustments', { delta: -1, reason: 'sold' });
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Goldie' }).waitFor();
  await hasFact(page, 'Low at', '2');
  await hasFact(page, 'Quantity', '2');
  await page.keyboard.press('d');
  await page.getByRole('dialog').getByLabel('Name').fill('Goldie the second');
  await shop.send('PATCH', '/pets/2', { name: 'Rex' });
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('administrator edited this pet meanwhile').waitFor();
  await page.getByRole('dialog').getByText('Now: Rex').waitFor();
  assert.equal(await page.getByRole('dialog').getByLabel('Name').inputValue(), 'Goldie the second');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Goldie the second' }).waitFor();
});

test('an edit leads to its line in the activity log, and one of a file of the command line, without a line, does not', async (t) => {
  const shop = await openShop(t);
  await shop.send('PATCH', '/pets/2', { name: 'Rex' });
  const rows = [petRow(2, { name: 'Bello', quantity: 3, status: null })];
  await shop.service.withAdmin((admin) => admin.importPets(rows, 'cli'));
  const page = await openPage(t, shop, { path: '/pets/2' });
  const edits = page.getByRole('listitem').filter({ hasText: 'Details of the pet' });
  const link = edits.getByRole('link', { name: 'Details of the pet' });
  await link.waitFor();
  assert.deepEqual([await edits.count(), await edits.nth(1).getByRole('link').count()], [2, 1]);
  await link.click();
  await page.getByRole('row', { name: /administrator edited Bello/ }).waitFor();
});

test('a name takes as many characters as the service, of which an emoji is one', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff', path: '/pets/2' });
  await hasFact(page, 'Quantity', '3');
  await page.keyboard.press('d');
  const name = page.getByRole('dialog').getByLabel('Name');
  await focused(name);
  const dogs = '🐕'.repeat(MAX_PET_TEXT);
  await name.fill(dogs);
  assert.equal(await name.inputValue(), dogs);
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.insertText('🐈x');
  assert.equal(await name.inputValue(), dogs);

  await name.fill('a'.repeat(MAX_PET_TEXT - 1));
  const input = await page.context().newCDPSession(page);
  await input.send('Input.imeSetComposition', { text: '犬猫', selectionStart: 2, selectionEnd: 2 });
  await page.keyboard.insertText('犬猫');
  const kept = `${'a'.repeat(MAX_PET_TEXT - 1)}犬`;
  assert.equal(await name.inputValue(), kept);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: kept }).waitFor();
});

test('a pet that was added by mistake is deleted, and one that was changed offers to archive it', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  await shop.send('POST', '/pets', { petId: 900, name: 'Typo', quantity: 4, sku: 'T-1' });
  const page = await openPage(t, shop, { role: 'staff', path: '/pets/900' });
  await hasFact(page, 'Quantity', '4');
  const watcher = await openPage(t, shop, { role: 'viewer', path: '/stock?q=typo' });
  await watcher.getByRole('row', { name: 'Typo' }).waitFor();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete Typo?' });
  await dialog.getByText('Its id and its codes are free again. This cannot be undone.').waitFor();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Delete the pet' }).click();
  await page.getByText('Deleted Typo').waitFor();
  await page.getByRole('heading', { name: 'Stock' }).waitFor();
  await watcher.getByRole('row', { name: 'Typo' }).waitFor({ state: 'detached' });
  await page.goto(`${shop.url}/pets/1`);
  await shop.send('PATCH', '/inventory/1', { quantity: 9 });
  await hasFact(page, 'Quantity', '9');
  await page.getByRole('button', { name: 'More actions' }).click();
  assert.equal(await page.getByRole('menuitem', { name: 'Delete' }).isDisabled(), true);
});

test('adjustments without a connection wait with why, also when no answer came, and are recorded once', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, {
    role: 'staff',
    path: '/pets/1',
    expected: /ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to (?:fetch|load resource)/,
  });
  await hasFact(page, 'Quantity', '4');
  const dialog = page.getByRole('dialog');
  const adjust = async (amount: string, note: string) => {
    await page.keyboard.press('e');
    await dialog.getByLabel('New quantity or change').fill(amount);
    await dialog.getByLabel('Note').fill(note);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
  };
  // The service records it, and its answer is lost.
  await page.route('**/admin/v1/inventory/1/adjustments', async (route) => {
    await route.fetch();
    await page.context().setOffline(true);
    await route.abort();
  });
  await adjust('+3', 'two litters');
  await page.unroute('**/admin/v1/inventory/1/adjustments');
  await page.getByText('Offline since').waitFor();
  await hasFact(page, 'Quantity', '7');
  await page.getByText('waits for the connection').waitFor();
  await adjust('+1', 'one more');
  await hasFact(page, 'Quantity', '8');
  await page.getByText('2 changes wait.').waitFor();
  await page.context().setOffline(false);
  await page.getByText('waits for the connection').waitFor({ state: 'detached' });
  await hasFact(page, 'Quantity', '8');
  const recorded = (await shop.send('GET', '/inventory/1/movements')) as {
    quantityAfter: number;
    note: string | null;
    reason: string | null;
  }[];
  assert.deepEqual(
    recorded.slice(1).map(({ quantityAfter, note, reason }) => [quantityAfter, note, reason]),
    [
      [7, 'two litters', 'correction'],
      [8, 'one more', 'correction'],
    ],
  );
});

test('a change of the quantity that waited is decided on the page of its pet', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, {
    role: 'staff',
    path: '/pets/1',
    expected: /ERR_INTERNET_DISCONNECTED|Failed to (?:fetch|load resource)/,
  });
  await hasFact(page, 'Quantity', '4');
  await page.context().setOffline(true);
  await page.getByText('Offline since').waitFor();
  const dialog = page.getByRole('dialog');
  for (const quantity of ['15', '16']) {
    await page.keyboard.press('e');
    assert.equal(await dialog.getByText('No connection').count(), 0, 'it waits');
    await dialog.getByLabel('New quantity or change').fill(quantity);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
  }
  await shop.send('PATCH', '/inventory/1', { quantity: 9 });
  await page.context().setOffline(false);
  const question = page.getByRole('alert').filter({ hasText: 'Your change from 4 to 15' });
  await question.getByText('administrator changed it to 9').waitFor();
  await assertAccessible(page);
  await question.getByRole('button', { name: 'Keep 9' }).click();
  await page.getByRole('alert').getByRole('button', { name: 'Set 16' }).click();
  await hasFact(page, 'Quantity', '16');
  await page.getByRole('alert').waitFor({ state: 'detached' });
  // The page shows it from the decision on.
  await until(async () => (await quantityOf(shop, 1)) === 16, 'the service has it');
});
