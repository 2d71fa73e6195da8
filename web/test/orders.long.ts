import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessibleAtAnyWidth, openPage } from './support/browser.ts';
import { addPet, place, stockOf } from './support/order-steps.ts';
import { LISTED_PAGES } from './support/page-list.ts';
import { openShop } from './support/shop.ts';
import { XSS_PAYLOADS } from './support/xss-payloads.ts';

const LISTED = LISTED_PAGES.filter(({ name }) => /^(order|count)/.test(name));

for (const colorScheme of ['light', 'dark'] as const) {
  test(`orders and count mode have no accessibility problem in ${colorScheme}, at any width`, async (t) => {
    const shop = await openShop(t);
    assert.equal(LISTED.length, 6);
    for (const { path, prepare } of LISTED) {
      const page = await openPage(t, shop, { role: 'staff', path, colorScheme });
      await prepare(page);
      await assertAccessibleAtAnyWidth(page);
    }
  });
}

test('texts of orders stay text', async (t) => {
  const shop = await openShop(t);
  for (const payload of XSS_PAYLOADS) {
    await shop.send('POST', '/store/orders', {
      lines: [{ petId: 31, quantity: 1 }],
      referenceId: payload,
      note: payload,
    });
  }
  const page = await openPage(t, shop, { role: 'staff', path: '/orders' });
  await page.getByRole('row', { name: 'Neon tetra' }).nth(49).waitFor();
  await page.getByRole('button', { name: 'Show older orders' }).click();
  await page.getByRole('row', { name: 'Neon tetra' }).nth(99).waitFor();
  const last = XSS_PAYLOADS.at(-1) ?? '';
  await page.goto(`/orders/${XSS_PAYLOADS.length + 2}`);
  await page.getByRole('dialog').getByText(last).first().waitFor();
  assert.notEqual(await page.title(), 'xss');
});

test('orders are in German for those who read it, and keep the parts of a line', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff', path: '/orders/2', locale: 'de-DE' });
  const drawer = page.getByRole('dialog', { name: 'Bestellung 2 Teilweise geliefert' });
  await drawer.getByText('Verlauf').waitFor();
  await drawer.getByText('340 im Bestand').waitFor();
  await drawer.getByRole('button', { name: 'Stornieren' }).click();
  await drawer.getByText('8 reservierte Stück').waitFor();
  await drawer.getByRole('button', { name: 'Stornieren' }).click();
  await page.getByRole('dialog', { name: 'Bestellung 2 Storniert' }).waitFor();
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

test('an approval by another person shows without a reload, and stays in the history', async (t) => {
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
