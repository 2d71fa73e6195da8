import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { focused, openPage } from './support/browser.ts';
import { openShop, type Shop } from './support/shop.ts';

interface Stock {
  readonly quantity: number;
  readonly reserved: number;
}

const stockOf = async (shop: Shop, petId: number): Promise<readonly number[]> => {
  const { quantity, reserved } = (await shop.send('GET', `/inventory/${petId}`)) as Stock;
  return [quantity, reserved];
};

const place = (shop: Shop, petId: number, quantity: number, referenceId?: string) =>
  shop.send('POST', '/store/orders', { lines: [{ petId, quantity }], referenceId });

async function addPet(page: Page, words: string, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Add a pet' }).fill(words);
  await page.getByRole('option', { name, exact: false }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: `Units of ${name}` }).waitFor();
}

test('an order goes from place to return by keyboard alone', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff', path: '/orders' });
  await page.getByRole('row', { name: 'phone-17' }).waitFor();
  await page.keyboard.press('n');
  await page.getByRole('dialog', { name: 'New order' }).waitFor();
  await addPet(page, 'labrador', 'Labrador Retriever puppy');
  await addPet(page, '31', 'Neon tetra');
  await page.getByRole('textbox', { name: 'Units of Neon tetra' }).focus();
  await page.keyboard.type('10');
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Order 3 Placed' });
  await drawer.getByText('Placed by').waitFor();
  assert.match(page.url(), /\/orders\/3$/);
  assert.deepEqual((await stockOf(shop, 31))[1], 10);

  await page.keyboard.press('a');
  await page.getByRole('dialog', { name: 'Order 3 Approved' }).waitFor();
  await page.keyboard.press('d');
  await page.getByRole('form', { name: 'Deliver units' }).waitFor();
  const [before = 0] = await stockOf(shop, 31);
  await page.getByRole('textbox', { name: 'Units of Neon tetra' }).focus();
  await page.keyboard.type('4');
  await page.keyboard.press('Enter');
  await page.getByText('Delivered 1 × Labrador Retriever puppy, 4 × Neon tetra').waitFor();
  assert.deepEqual(await stockOf(shop, 31), [before - 4, 6]);
  await page.keyboard.press('d');
  await page.getByRole('button', { name: 'Deliver 6 units' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Order 3 Delivered' }).waitFor();

  await page.keyboard.press('r');
  await focused(page.getByRole('textbox', { name: 'Units of Labrador Retriever puppy' }));
  await page.keyboard.type('0');
  await page.keyboard.press('Tab');
  await page.keyboard.type('2');
  await page.keyboard.press('Enter');
  await page.getByText('Returned 2 × Neon tetra').waitFor();
  assert.deepEqual(await stockOf(shop, 31), [before - 8, 0]);
  await page.keyboard.press('Escape');
  await page.waitForURL('**/orders');
  await page.getByRole('row', { name: '3 Delivered Labrador Retriever puppy, Neon tetra 11' }).waitFor();
});

test('a line without enough stock is named, and the corrected order is placed', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff', path: '/orders/new' });
  await addPet(page, 'labrador', 'Labrador Retriever puppy');
  await addPet(page, '31', 'Neon tetra');
  const units = page.getByRole('textbox', { name: 'Units of Labrador Retriever puppy' });
  const [there = 0] = await stockOf(shop, 1);
  await page.getByText(`${there} available`, { exact: true }).waitFor();
  await units.fill(String(there + 1));
  await page.getByText(`Only ${there} available`).waitFor();
  await page.getByRole('button', { name: 'Place order' }).click();
  const problem = page.getByRole('alert').filter({ hasText: 'The stock is not enough' });
  await problem.getByText(`Labrador Retriever puppy: ${there + 1} wanted, ${there} there`).waitFor();
  assert.deepEqual((await stockOf(shop, 31))[1], 0);
  await units.fill('1');
  await page.getByRole('button', { name: 'Place order of 2 units' }).click();
  await page.getByRole('dialog', { name: 'Order 3 Placed' }).waitFor();
});

test('an approval by somebody else shows by itself, and stays in the history', async (t) => {
  const shop = await openShop(t);
  await place(shop, 31, 2, 'table-4');
  const page = await openPage(t, shop, { role: 'staff', path: '/orders?status=placed' });
  const row = page.getByRole('row', { name: 'table-4' });
  await row.getByText('Placed').waitFor();
  await shop.send('POST', '/store/orders/3/approve');
  await row.getByText('Approved').waitFor();
  await shop.send('POST', '/store/orders/3/deliver');
  await row.getByText('Delivered').waitFor();
  await row.getByRole('link').first().click();
  const history = page.getByRole('dialog', { name: 'Order 3 Delivered' }).getByRole('listitem');
  await history.nth(2).waitFor();
  const steps = await history.evaluateAll((items) => items.map(({ textContent }) => textContent));
  assert.match(steps.join('\n'), /^Delivered .*\nApproved .*administrator.*\nReserved /);
});

test('a step on an order that someone else changed is refused, and says what it is now', async (t) => {
  const shop = await openShop(t);
  await place(shop, 1, 1);
  const page = await openPage(t, shop, { role: 'staff', path: '/orders/3' });
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await page.route('**/orders/3/approve', async (route) => {
    await shop.send('POST', '/store/orders/3/cancel');
    await route.continue();
  });
  await page.keyboard.press('a');
  await page.getByRole('alert').getByText('It is now: Cancelled').waitFor();
  await page.getByRole('dialog', { name: 'Order 3 Cancelled' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Approve' }).count(), 0);
});

test('an order whose answer was lost is placed once', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff', path: '/orders/new' });
  await addPet(page, 'labrador', 'Labrador Retriever puppy');
  let isLost = false;
  await page.route('**/store/orders', async (route) => {
    if (isLost) return route.continue();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
  const button = page.getByRole('button', { name: 'Place order of 1 unit' });
  await button.click();
  await page.getByRole('alert').getByText('The change is made only once', { exact: false }).waitFor();
  await button.click();
  await page.getByRole('dialog', { name: 'Order 3 Placed' }).waitFor();
  const orders = (await shop.send('GET', '/store/orders')) as unknown[];
  assert.equal(orders.length, 3);
});

test('orders are found by status, pet and reference, and new ones wait until they are wanted', async (t) => {
  const shop = await openShop(t);
  await place(shop, 1, 1, 'cart-1');
  const page = await openPage(t, shop, { role: 'viewer', path: '/orders' });
  await page.getByRole('row', { name: 'cart-1' }).waitFor();
  await page.getByText('2 to approve, 1 to deliver').waitFor();
  await page.getByRole('link', { name: 'Approved 1' }).click();
  await page.getByRole('row', { name: 'cart-1' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'All' }).click();
  await page.getByRole('combobox', { name: 'With the pet' }).fill('neon');
  await page.getByRole('option', { name: 'Neon tetra' }).click();
  await page.getByRole('row', { name: 'cart-1' }).waitFor({ state: 'detached' });
  await page.getByRole('row', { name: 'phone-17' }).waitFor();
  assert.match(page.url(), /petId=31/);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('searchbox', { name: 'Reference' }).fill('cart-2');
  await page.keyboard.press('Enter');
  await page.getByText('Excluded by: Reference: cart-2').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).last().click();
  await page.getByRole('row', { name: 'cart-1' }).waitFor();

  await place(shop, 2, 1, 'cart-2');
  await page.getByText('1 new order').waitFor();
  assert.equal(await page.getByRole('row', { name: 'cart-2' }).count(), 0);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByRole('row', { name: 'cart-2' }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Order 4 Placed' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Approve' }).getAttribute('aria-disabled'), 'true');
  await shop.send('POST', '/store/orders/4/cancel');
  await page.getByRole('dialog', { name: 'Order 4 Cancelled' }).waitFor();
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('row', { name: '4 Cancelled' }).waitFor();
});
