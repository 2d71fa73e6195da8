import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expiresSoon } from '../src/pages/orders/order-units.ts';
import { assertAccessible, focused, openPage } from './support/browser.ts';
import { addPet, place, stockOf } from './support/order-steps.ts';
import { openShop } from './support/shop.ts';

test('an order goes from place to return by keyboard alone', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff', path: '/orders' });
  await page.getByRole('row', { name: 'phone-17' }).waitFor();
  await page.keyboard.press('n');
  await page.getByRole('dialog', { name: 'New order' }).waitFor();
  await addPet(page, 'labrador', 'Labrador Retriever puppy');
  await addPet(page, '31', 'Neon tetra');
  await page.getByRole('textbox', { name: 'Units of Neon tetra' }).focus();
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Discard what you entered?' });
  await focused(question.getByRole('button', { name: 'Keep editing' }));
  await assertAccessible(page);
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
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

test('the overview leads to the orders that expire soon', async (t) => {
  const shop = await openShop(t);
  const expiresAt = new Date(Date.now() + 600_000).toISOString();
  await shop.send('POST', '/store/orders', { lines: [{ petId: 31, quantity: 2 }], expiresAt });
  const page = await openPage(t, shop, { role: 'viewer', path: '/' });
  await page.getByRole('link', { name: '1 order expires within 15 minutes' }).click();
  await page.waitForURL('**/orders?status=placed&expiring=soon');
  // The service of a test may have another time than its responses say, which is the one that the page has.
  const soon = page.getByRole('row', { name: /^3 Placed Neon tetra/ });
  await soon.or(page.getByText('No order matches')).waitFor();
  assert.equal(await page.getByRole('row', { name: 'web-1001' }).count(), 0, 'another order that is placed');
  await page.getByText('Expires: within 15 minutes').waitFor();
});

test('an order expires soon if it is placed and its time is near', () => {
  const nowMs = Date.parse('2026-07-01T12:00:00Z');
  const at = (minutes: number) => new Date(nowMs + minutes * 60_000).toISOString();
  assert.equal(expiresSoon({ status: 'placed', expiresAt: at(14) }, nowMs), true);
  assert.equal(expiresSoon({ status: 'placed', expiresAt: at(15) }, nowMs), false);
  assert.equal(expiresSoon({ status: 'placed', expiresAt: null }, nowMs), false);
  assert.equal(expiresSoon({ status: 'approved', expiresAt: at(1) }, nowMs), false);
});
