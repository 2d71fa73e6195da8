import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessibleAtAnyWidth, openPage } from './support/browser.ts';
import { LISTED_PAGES } from './support/page-list.ts';
import { openShop } from './support/shop.ts';
import { XSS_PAYLOADS } from './support/xss-payloads.ts';

const LISTED = LISTED_PAGES.filter(({ name }) => /^(order|count)/.test(name));

for (const colorScheme of ['light', 'dark'] as const) {
  test(`orders and count mode have no accessibility problem in ${colorScheme}, at any width`, async (t) => {
    const shop = await openShop(t);
    assert.equal(LISTED.length, 4);
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
  const drawer = page.getByRole('dialog', { name: 'Bestellung 2 Bestätigt' });
  await drawer.getByText('Verlauf').waitFor();
  await drawer.getByText('340 im Bestand').waitFor();
  await drawer.getByRole('button', { name: 'Stornieren' }).click();
  await drawer.getByText('8 reservierte Stück').waitFor();
  await drawer.getByRole('button', { name: 'Stornieren' }).click();
  await page.getByRole('dialog', { name: 'Bestellung 2 Storniert' }).waitFor();
});
