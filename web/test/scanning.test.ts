import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { counted, entry, openCount, press, recorded, scan } from './count/count-phone.ts';
import { assertAccessible, focused, openPage } from './support/browser.ts';
import { openShop, type Shop } from './support/shop.ts';
import { isSkippedDaily } from '../../server/test/support/long-test.ts';

/** An EAN-13 of a shop's own numbers, which begin with 2. */
function eanOf(petId: number): string {
  const digits = `2${String(petId).padStart(11, '0')}`;
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 1 ? 3 : 1), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

const PETS = 30;
const countOf = (petId: number) => 10 + petId;

async function openCodedShop(t: Parameters<typeof openShop>[0], pets: number): Promise<Shop> {
  const shop = await openShop(t, { isSample: false });
  for (let petId = 1; petId <= pets; petId += 1) {
    const barcodes = [eanOf(petId)];
    await shop.send('POST', '/pets', { petId, name: `Pet no. ${petId}`, quantity: 5, barcodes });
  }
  return shop;
}

test('a recount of 30 pets with a keyboard scanner is one scan and one number per pet', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openCodedShop(t, PETS);
  const page = await openCount(t, shop);
  for (let petId = 1; petId <= PETS; petId += 1) {
    await scan(page, eanOf(petId));
    await page.getByRole('heading', { name: `Pet no. ${petId}`, exact: true }).waitFor();
    await press(page, ...String(countOf(petId)));
    await counted(page, String(countOf(petId))).waitFor();
  }
  // The next scan ends a count. The last one has none, so it ends with Enter.
  await press(page, 'Enter');
  await page.getByText(`${PETS} counted, 0 waiting`).waitFor();
  const expected = Array.from({ length: PETS }, (_, at) => [at + 1, countOf(at + 1) - 5, countOf(at + 1)]);
  assert.deepEqual(
    (await recorded(shop)).toSorted(([a = 0], [b = 0]) => a - b),
    expected,
  );
});

test('an unknown code of a count is added to a pet, or becomes a new one', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openCodedShop(t, 2);
  const page = await openCount(t, shop);
  await scan(page, eanOf(8));
  await page
    .getByRole('alert')
    .getByText(`No pet has the code ${eanOf(8)}.`)
    .waitFor();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Add to a pet' }).click();
  const dialog = page.getByRole('dialog');
  const field = dialog.getByRole('combobox', { name: 'Pet' });
  await focused(field);
  await field.fill('no. 2');
  await page.getByRole('option', { name: 'Pet no. 2' }).click();
  await dialog.getByText('Pet no. 2', { exact: true }).waitFor();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('heading', { name: 'Pet no. 2' }).waitFor();
  const pet = (await shop.send('GET', '/pets/2')) as { barcodes: string[] };
  assert.deepEqual(pet.barcodes, [eanOf(2), eanOf(8)]);
  await press(page, '7');
  await scan(page, eanOf(9));
  await entry(page, 'Pet no. 2').getByText('Recorded').waitFor();
  await page.getByRole('button', { name: 'New pet' }).click();
  await dialog.getByLabel('Id').fill('9');
  await dialog.getByRole('listitem').or(dialog.getByLabel('Barcodes')).first().waitFor();
  await dialog.getByRole('button', { name: 'Add', exact: true }).last().click();
  await page.getByRole('heading', { name: 'Pet 9' }).waitFor();
  assert.deepEqual(await recorded(shop), [[2, 2, 7]]);
});

/** The units of a line. */
const units = (page: Page, name: string) => page.getByRole('textbox', { name: `Units of ${name}` });

test('the form of an order takes scans, wherever the focus is', async (t) => {
  const shop = await openCodedShop(t, 2);
  const page = await openPage(t, shop, { role: 'staff', path: '/orders/new' });
  await focused(page.getByRole('combobox', { name: 'Add a pet' }));
  await scan(page, eanOf(1));
  await units(page, 'Pet no. 1').waitFor();
  const reference = page.getByRole('textbox', { name: 'Reference' });
  await reference.fill('R-1');
  await scan(page, eanOf(1));
  await page.locator('input[value="2"]').waitFor();
  assert.equal(await reference.inputValue(), 'R-1', 'the code is not in the field');
  await units(page, 'Pet no. 1').focus();
  await scan(page, `]E0${eanOf(2)}`, 8);
  await units(page, 'Pet no. 2').waitFor();
  assert.equal(await units(page, 'Pet no. 1').inputValue(), '2');
  await scan(page, eanOf(7));
  await page.getByText(`No pet has the code ${eanOf(7)}.`).waitFor();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'New pet' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a pet' });
  await dialog.getByLabel('Id').fill('7');
  await dialog.getByLabel('Quantity').fill('3');
  await dialog.getByRole('button', { name: 'Add', exact: true }).last().click();
  await units(page, 'Pet 7').waitFor();
  await page
    .getByRole('button', { name: 'Place the order' })
    .or(page.getByRole('button', { name: /^Place/ }))
    .last()
    .click();
  await page.waitForURL(/\/orders\/\d+/);
  const [order] = (await shop.send('GET', '/store/orders')) as {
    lines: { petId: number; quantity: number }[];
  }[];
  const lines = order?.lines.map(({ petId, quantity }) => [petId, quantity]);
  assert.deepEqual(lines, [
    [1, 2],
    [2, 1],
    [7, 1],
  ]);
});
