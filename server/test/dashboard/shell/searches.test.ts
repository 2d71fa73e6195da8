import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage } from '../support/browser.ts';
import { openShop } from '../support/shop.ts';

test('what is searched for is in the address, but no key', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { path: '/access?q=nobody' });
  const field = page.getByRole('searchbox');
  await page.getByText('nobody').first().waitFor();
  assert.equal(await field.inputValue(), 'nobody');
  await field.fill('');
  await page.waitForURL((url) => url.search === '');

  await page.goto('/access/management-keys');
  await field.fill('administrator');
  await page.waitForURL('**/access/management-keys?q=administrator');
  const row = page.getByRole('table').getByRole('link', { name: 'administrator' }).first();
  await row.click();
  await page.getByRole('dialog').waitFor();
  await page.waitForURL('**/access/management-keys/key_*?q=administrator');
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(await field.inputValue(), 'administrator');
  const secret = await shop.makeKey('staff');
  await field.fill(secret);
  await page.waitForURL((url) => url.search === '');
  assert.equal(await field.inputValue(), secret);
});

test('Enter in the palette opens no pet of an earlier search', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { path: '/system' });
  const answers: (() => Promise<void>)[] = [];
  await page.route('**/admin/v1/pets?*q=neon*', (route) => void answers.push(() => route.continue()));
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog');
  const field = palette.getByRole('textbox');
  await field.fill('lab');
  const labrador = palette.getByText('Labrador Retriever puppy');
  await labrador.waitFor();
  await field.fill('neon');
  await field.press('Enter');
  await labrador.waitFor({ state: 'detached' });
  assert.match(page.url(), /\/system/);
  for (const answer of answers) await answer();
  await palette.getByText('Neon tetra').waitFor();
  await field.press('Enter');
  await page.waitForURL('**/pets/31');
});
