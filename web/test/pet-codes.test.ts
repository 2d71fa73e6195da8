import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, focused, openPage } from './support/browser.ts';
import { openShop, type Shop } from './support/shop.ts';
import { isSkippedDaily } from '../../server/test/support/long-test.ts';

interface Codes {
  readonly sku: string | null;
  readonly barcodes: readonly string[];
}

async function codesOf(shop: Shop, petId: number): Promise<Codes> {
  const { sku, barcodes } = (await shop.send('GET', `/pets/${petId}`)) as Codes;
  return { sku, barcodes };
}

test('SKU and barcodes are edited, and a wrong check digit is explained', async (t) => {
  const shop = await openShop(t);
  await shop.send('PATCH', '/pets/31', { barcodes: ['old code'] });
  const page = await openPage(t, shop, { role: 'staff', path: '/pets/31' });
  await page.getByText('old code').waitFor();
  await page.keyboard.press('d');
  const dialog = page.getByRole('dialog', { name: 'Edit Neon tetra' });
  await focused(dialog.getByLabel('Name'));
  const field = dialog.getByRole('textbox', { name: 'Barcodes' });
  await dialog.getByLabel('SKU').fill(' FISH-31 ');
  await field.fill('4006381333932');
  assert.equal(await dialog.getByText('check digit').count(), 0, 'while the person types');
  await page.keyboard.press('Enter');
  await dialog.getByText('With 13 digits the last one is a check digit, and it must be 1.').waitFor();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('alert').getByText('it must be 1').waitFor();
  assert.equal(await field.inputValue(), '4006381333932', 'what was typed stays');
  await field.fill('4006381333931');
  await page.keyboard.press('Enter');
  await dialog.getByRole('listitem').getByText('4006381333931').waitFor();
  await field.fill('00000000');
  await page.keyboard.press('Enter');
  await dialog.getByText('No article has a number of zeros.').waitFor();
  await field.fill('04006381333931');
  await page.keyboard.press('Enter');
  await dialog.getByText('This pet already has the barcode 4006381333931.').waitFor();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Remove the barcode old code' }).click();
  await field.fill('036000291452');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved Neon tetra').waitFor();
  const expected = { sku: 'FISH-31', barcodes: ['4006381333931', '036000291452'] };
  assert.deepEqual(await codesOf(shop, 31), expected, 'the barcode in the field too');
  await page.getByLabel('Codes of this pet').getByText('FISH-31').waitFor();
  await page.getByLabel('Codes of this pet').getByText('036000291452').waitFor();
  await assertAccessible(page);
  await page.keyboard.press('Control+z');
  await page.getByText('old code').waitFor();
  assert.deepEqual(await codesOf(shop, 31), { sku: null, barcodes: ['old code'] });
});

test('a code of another pet names it, and one of an archived pet can be taken', async (t) => {
  const shop = await openShop(t);
  await shop.send('PATCH', '/pets/1', { sku: 'TAKEN' });
  await shop.send('POST', '/pets', { petId: 900, name: 'Old tetra', barcodes: ['96385074'] });
  await shop.send('POST', '/pets/900/archive');
  await shop.send('POST', '/pets', { petId: 901, name: 'Old guppy', sku: 'OLD' });
  await shop.send('POST', '/pets/901/archive');
  const page = await openPage(t, shop, { role: 'staff', path: '/pets/31' });
  await page.getByRole('heading', { name: 'Neon tetra' }).waitFor();
  await page.keyboard.press('d');
  const dialog = page.getByRole('dialog');
  await focused(dialog.getByLabel('Name'));
  await dialog.getByLabel('SKU').fill('TAKEN');
  await dialog.getByRole('textbox', { name: 'Barcodes' }).fill('96385074');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const alert = dialog.getByRole('alert');
  await alert.getByText('Labrador Retriever puppy (1) has the SKU TAKEN.').waitFor();
  await alert.getByText('The archived pet Old tetra (900) has the barcode 96385074.').waitFor();
  const take = dialog.getByLabel('Take it from the archived pet');
  assert.equal(await take.count(), 0, 'a pet of the shop keeps its code');
  assert.equal(await dialog.getByLabel('SKU').inputValue(), 'TAKEN');
  await dialog.getByLabel('SKU').fill('FISH-31');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await take.check();
  // The person has agreed to take the code of one pet, and not what the field has by now.
  await dialog.getByLabel('SKU').fill('OLD');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await alert.getByText('The archived pet Old guppy (901) has the SKU OLD.').waitFor();
  assert.equal(await take.isChecked(), false);
  assert.equal((await codesOf(shop, 901)).sku, 'OLD');
  await dialog.getByLabel('SKU').fill('FISH-31');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await alert.getByText('Old guppy').waitFor({ state: 'detached' });
  await take.check();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved Neon tetra').waitFor();
  assert.deepEqual(await codesOf(shop, 31), { sku: 'FISH-31', barcodes: ['96385074'] });
  assert.deepEqual((await codesOf(shop, 900)).barcodes, []);
  await page.goto('/pets/900');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Restore' }).click();
  await page.getByText('Restored Old tetra, without codes that other pets took: 96385074').waitFor();
});

test('a new pet gets codes, and what was refused stays', async (t) => {
  const shop = await openShop(t, { isSample: false });
  await shop.send('POST', '/pets', { petId: 1, name: 'Rex', barcodes: ['4006381333931'] });
  await shop.send('POST', '/pets/1/archive');
  const page = await openPage(t, shop, { role: 'staff', path: '/', locale: 'de-DE' });
  await page.getByRole('button', { name: 'Tier anlegen' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('ID').fill('2');
  await dialog.getByLabel('Artikelnummer').fill('HUND-2');
  const field = dialog.getByRole('textbox', { name: 'Strichcodes' });
  await field.fill('4006381333930');
  await page.keyboard.press('Tab');
  await dialog.getByText('Bei 13 Ziffern ist die letzte eine Prüfziffer, und sie muss 1 sein.').waitFor();
  await field.fill('4006381333931');
  await dialog.getByRole('button', { name: 'Anlegen', exact: true }).click();
  await dialog.getByText('Das archivierte Tier Rex (1) hat den Strichcode 4006381333931.').waitFor();
  await dialog.getByLabel('Vom archivierten Tier übernehmen').check();
  await dialog.getByRole('button', { name: 'Anlegen', exact: true }).click();
  await page.getByRole('heading', { name: 'Tier 2' }).waitFor();
  assert.deepEqual(await codesOf(shop, 2), { sku: 'HUND-2', barcodes: ['4006381333931'] });
});

test('the stock list and the palette find a code, and the list shows SKUs', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff', path: '/stock' });
  await page.locator('#row-3').waitFor();
  assert.equal(await page.getByRole('columnheader', { name: 'SKU' }).count(), 0, 'the shop has none');
  await shop.send('PATCH', '/pets/3', { sku: 'DOG-3', barcodes: ['036000291452'] });
  await page.setViewportSize({ width: 1_440, height: 800 });
  await page.getByRole('columnheader', { name: 'SKU' }).waitFor();
  await page.locator('#row-3').getByText('DOG-3', { exact: true }).waitFor();
  const search = page.getByRole('searchbox', { name: 'Search by name, code or id' });
  await search.fill('0036000291452');
  await page.locator('#row-3[data-position="0"]').waitFor();
  await search.fill('dog-3');
  await page.locator('#row-3[data-position="0"]').waitFor();
  await assertAccessible(page);
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog');
  await palette.getByRole('textbox').fill('00036000291452');
  await palette.getByText('DOG-3').waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/pets/3');
});
