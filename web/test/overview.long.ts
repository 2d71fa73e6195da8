import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage } from './support/browser.ts';
import { openShop } from './support/shop.ts';

test('the overview says what needs attention, and leads to it', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff', path: '/' });
  await page.getByText('60 pets').first().waitFor();
  await shop.send('PATCH', '/inventory/1', { quantity: 0 });
  const urgent = page.getByRole('region', { name: 'Most urgent pets' });
  await urgent.getByRole('link', { name: /Labrador Retriever puppy/ }).waitFor();
  await page.getByRole('region', { name: 'Recent changes' }).getByText('4 → 0').waitFor();
  const matters = page.getByRole('region', { name: 'Needs attention' });
  await matters.getByRole('link', { name: /out of stock/ }).waitFor();
  await page.getByRole('img', { name: /changes in the last 24 hours/ }).waitFor();
  await matters.getByRole('link', { name: /out of stock/ }).click();
  await page.waitForURL('**/reorders?alert=out');
});

test('an empty shop offers the first steps', async (t) => {
  const shop = await openShop(t, { isSample: false });
  const page = await openPage(t, shop, { role: 'staff', path: '/' });
  await page.getByText('Your shop is empty').waitFor();
  await page.getByRole('link', { name: 'Import a file' }).waitFor();
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog', { name: 'Add a pet' });
  await dialog.getByLabel('Id').fill('9007199254740993');
  await dialog.getByLabel('Name').fill('<script>Rex</script>');
  await dialog.getByLabel('Quantity').fill('5');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: '<script>Rex</script>' }).waitFor();
  assert.match(page.url(), /\/pets\/9007199254740993$/);
});
