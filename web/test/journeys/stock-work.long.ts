import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../server/test/support/until.ts';
import { openPage } from '../support/browser.ts';
import { openShop, SAMPLE, type Shop } from '../support/shop.ts';

const quantityOf = async (shop: Shop, petId: number) =>
  ((await shop.send('GET', `/inventory/${petId}`)) as { quantity: number }).quantity;
const movementsOf = async (shop: Shop, petId: number) =>
  ((await shop.send('GET', `/inventory/${petId}/movements`)) as unknown[]).length;
const cell = (page: Page, petId: number) => page.locator(`#row-${petId} [data-cell="quantity"]`);

test('a field in which nothing is typed follows the changes of others, and sets none of them back', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff' });
  await cell(page, 1).click();
  const field = page.getByRole('textbox', { name: 'Quantity of Labrador' });
  assert.equal(await field.inputValue(), '4');
  await shop.send('PATCH', '/inventory/1', { quantity: 9 });
  await until(async () => (await field.inputValue()) === '9', 'the field has the new quantity');
  const movements = await movementsOf(shop, 1);
  await page.keyboard.press('Enter');
  await cell(page, 2).click();
  await page.keyboard.press('Escape');
  assert.equal(await movementsOf(shop, 1), movements);
  // What is typed replaces the number, which is still selected.
  await cell(page, 1).click();
  await shop.send('PATCH', '/inventory/1', { quantity: 8 });
  await until(async () => (await field.inputValue()) === '8', 'the field has the new quantity');
  await page.keyboard.type('6');
  await page.keyboard.press('Enter');
  await cell(page, 1).getByText('6', { exact: true }).waitFor();
  await page.getByText('8 → 6').waitFor();
  assert.equal(await quantityOf(shop, 1), 6);
});

test('typed text in the table survives scrolling, changes by others, and new pets', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff', path: '/stock?sort=name' });
  await page.getByRole('row').nth(9).waitFor();
  const row = page.getByRole('row').nth(9);
  const id = await row.getAttribute('id');
  const petId = Number(id?.replace('row-', ''));
  await cell(page, petId).click();
  await page.keyboard.type('77');
  const grid = page.getByRole('grid');
  await grid.evaluate((table: { scrollTo(x: number, y: number): void }) => table.scrollTo(0, 99_999));
  await page.locator('[aria-rowindex="2"]').waitFor({ state: 'detached' });
  for (let i = 1; i <= 3; i += 1)
    await shop.send('POST', '/pets', { petId: 9_000 + i, name: `AAA ${i}`, quantity: i });
  await grid.evaluate((table: { scrollTo(x: number, y: number): void }) => table.scrollTo(0, 0));
  await page.locator('#row-9001').waitFor();
  const field = page.locator(`#${id}`).getByRole('textbox');
  assert.equal(await field.inputValue(), '77');
  await page.keyboard.press('Escape');
  // The row of the keyboard is still that of the pet.
  await page.keyboard.type('5');
  await page.keyboard.press('Enter');
  await page.getByText('→ 5').waitFor();
  assert.equal(await quantityOf(shop, petId), 5);
});

test('a bulk change whose answer was lost is applied once', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff' });
  for (const petId of [1, 2]) await page.locator(`#row-${petId} input[type="checkbox"]`).click();
  await page.getByRole('button', { name: 'Adjust stock' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Change' }).fill('+3');
  await page.route('**/inventory/batch', async (route) => {
    const { dryRun } = route.request().postDataJSON() as { dryRun?: boolean };
    if (dryRun) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await dialog.getByRole('button', { name: 'Apply to 2 pets' }).click();
  await dialog.getByRole('alert').getByText('nothing is applied twice').waitFor();
  await page.unrouteAll();
  await dialog.getByRole('button', { name: 'Apply to 2 pets' }).click();
  await page.getByText('Changed 2 pets').waitFor();
  assert.deepEqual([await quantityOf(shop, 1), await quantityOf(shop, 2)], [7, 6]);
});

test('a preview that failed is asked for again', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff' });
  await cell(page, 1).waitFor();
  await page.route('**/inventory/batch', (route) => route.abort());
  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Change' }).fill('+3');
  await dialog.getByRole('alert').waitFor();
  await page.unrouteAll();
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByRole('button', { name: 'Adjust stock' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal(await quantityOf(shop, 1), 7);
});

test('more pets than a request takes are changed in batches, while the page stays quick', async (t) => {
  const shop = await openShop(t, { isSample: false });
  const pets = 5_000;
  const file = join(shop.service.databaseDir, 'many.csv');
  const rows = Array.from({ length: pets }, (_, i) => `${i + 1},Pet ${i + 1},4`);
  writeFileSync(file, ['petId,name,quantity', ...rows].join('\n'));
  await shop.service.cli('pets', 'import', file);
  const page = await openPage(t, shop, { role: 'staff' });
  await page.getByText('5,000 of 5,000').waitFor();
  await page.getByRole('grid').focus();
  await page.keyboard.press('Control+a');
  await page.getByText('5,000 selected').waitFor();
  await page.evaluate(`{
    globalThis.longestMs = 0;
    let beforeMs = performance.now();
    const onFrame = (nowMs) => {
      globalThis.longestMs = Math.max(globalThis.longestMs, nowMs - beforeMs);
      beforeMs = nowMs;
      requestAnimationFrame(onFrame);
    };
    requestAnimationFrame(onFrame);
  }`);
  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog', { name: 'Adjust 5,000 pets' });
  await dialog.getByRole('textbox', { name: 'Change' }).fill('+3');
  await dialog.getByText('Preview: 5,000 of 5,000').waitFor();
  assert.ok((await dialog.getByRole('row').count()) < 40, 'the preview has the rows in view');
  // The answer of the third batch is lost.
  const keys: string[] = [];
  await page.route('**/inventory/batch', async (route) => {
    const { dryRun } = route.request().postDataJSON() as { dryRun?: boolean };
    if (dryRun) return route.continue();
    keys.push(route.request().headers()['idempotency-key'] ?? '');
    if (keys.length !== 3) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await dialog.getByRole('button', { name: 'Apply to 5,000 pets' }).click();
  await dialog.getByRole('alert').getByText('nothing is applied twice').waitFor();
  await dialog.getByText('Changed: 2,000 of 5,000').waitFor();
  assert.equal(await dialog.getByRole('textbox', { name: 'Change' }).isDisabled(), true);
  await dialog.getByRole('button', { name: 'Apply to 3,000 pets' }).click();
  await page.getByText('Changed 5,000 pets').waitFor();
  assert.equal(keys.length, 6);
  assert.equal(keys[3], keys[2]);
  for (const petId of [1, 2_500, pets]) {
    assert.equal(await quantityOf(shop, petId), 7);
    assert.equal(await movementsOf(shop, petId), 2);
  }
  t.diagnostic(`longest frame ${await page.evaluate('globalThis.longestMs')} ms`);
  await page.keyboard.press('u');
  await page.getByText('Undone').waitFor();
  for (const petId of [1, 2_500, pets]) assert.equal(await quantityOf(shop, petId), 4);
});

test('rows that others change between preview and apply are shown again before anything is applied', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff' });
  for (const petId of [1, 2]) await page.locator(`#row-${petId} input[type="checkbox"]`).click();
  await page.getByRole('button', { name: 'Adjust stock' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Change' }).fill('-2');
  const apply = dialog.getByRole('button', { name: 'Apply to 2 pets' });
  await apply.and(page.locator(':enabled')).waitFor();
  await shop.send('PATCH', '/inventory/1', { quantity: 40 });
  await apply.click();
  await dialog.getByText('The stock has changed since the preview').waitFor();
  await dialog.getByText('38', { exact: true }).waitFor();
  assert.equal(await quantityOf(shop, 1), 40);
  await apply.click();
  await page.getByText('Changed 2 pets').waitFor();
  // An undo after somebody else’s change changes nothing, and says so.
  await shop.send('PATCH', '/inventory/2', { quantity: 11 });
  await page.keyboard.press('u');
  await page.getByRole('alert').getByText('It was not undone').waitFor();
  assert.deepEqual([await quantityOf(shop, 1), await quantityOf(shop, 2)], [38, 11]);
});

test('times are right with a wrong clock of the browser', async (t) => {
  // `Date` of responses ignores the clock of the tests, so all times must.
  const shop = await openShop(t, { isSample: false, env: { CLOCK_AHEAD_MS: '0' } });
  await shop.service.cli('pets', 'import', SAMPLE);
  const page = await openPage(t, shop, { role: 'staff' });
  await page.addInitScript(`const Real = Date;
    globalThis.Date = class extends Real {
      constructor(...values) { if (values.length > 0) super(...values); else super(Date.now()); }
      static now() { return Real.now() - 86_400_000; }
    };`);
  await shop.send('PATCH', '/inventory/1', { quantity: 9 });
  await page.goto('/pets/1');
  const change = page.getByRole('list', { name: 'Changes' }).locator('time').first();
  assert.match((await change.textContent()) ?? '', /just now|sec ago/);
  await page.goto('/activity');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('button', { name: 'Today' }).click();
  await page.waitForURL(/since=/);
  await page.getByRole('list', { name: 'Changes of stock' }).locator('time').first().waitFor();
  await page.goto('/orders/new');
  await page.getByRole('combobox', { name: 'Add a pet' }).fill('labrador');
  await page.getByRole('option').first().click();
  await page.getByLabel('Reserve for').first().click();
  await page.getByRole('option', { name: '1 hour' }).click();
  await page.getByRole('button', { name: 'Place order' }).click();
  await page
    .getByText(/in (1 hr|60 min|59 min)/)
    .first()
    .waitFor();
});

test('the second click of a double click undoes no other change', async (t) => {
  const shop = await openShop(t);
  for (const quantity of [5, 6, 7]) await shop.send('PATCH', '/inventory/1', { quantity });
  const page = await openPage(t, shop, { role: 'staff', path: '/activity' });
  const list = page.getByRole('list', { name: 'Changes of stock' });
  const undo = list.getByRole('button', { name: /^Undo change/ });
  await undo.nth(1).hover();
  await page.mouse.down();
  await page.mouse.up();
  // The list grows at its top, and another button comes below the pointer.
  await list.getByText('7 → 6').first().waitFor();
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  assert.equal(await quantityOf(shop, 1), 6);
  await undo.nth(1).click();
  await list.getByText('6 → 5').first().waitFor();
  assert.equal(await quantityOf(shop, 1), 5);
});
