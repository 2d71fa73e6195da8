import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage } from '../support/browser.ts';
import { openShop } from '../support/shop.ts';
import { hasWholePlaceholder } from './page-measures.ts';
import { isSkippedDaily } from '../../../server/test/support/long-test.ts';

/** The texts of the rows that end with an ellipsis. */
const CUT = `[...document.querySelectorAll('main tbody tr *')]
  .filter((part) => getComputedStyle(part).textOverflow === 'ellipsis')
  .filter((part) => part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight + 1)
  .map((part) => part.textContent)`;

test('the list of orders has its references at every width, and on a tablet one row of tabs and one of fields', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  const page = await openPage(t, shop, { path: '/orders', viewport: { width: 768, height: 900 } });
  const reference = page.getByRole('main').getByText('phone-17', { exact: true });
  await reference.waitFor();
  const tabs = page.getByRole('navigation', { name: 'Status of the orders' });
  const scrolls = () => tabs.evaluate((bar) => bar.scrollWidth - bar.clientWidth);
  assert.equal(await scrolls(), 0);
  const middles = await page
    .getByRole('search', { name: 'Filters' })
    .locator('input:visible, button:visible')
    .evaluateAll((fields) =>
      fields.map((field) => field.getBoundingClientRect()).map(({ y, height }) => Math.round(y + height / 2)),
    );
  assert.ok(middles.length >= 5 && Math.max(...middles) - Math.min(...middles) <= 2, middles.join());
  const german = { path: '/orders', viewport: { width: 768, height: 900 }, locale: 'de-DE' };
  const other = await openPage(t, shop, german);
  const bar = other.getByRole('navigation', { name: 'Status der Bestellungen' });
  await bar.getByText(/^\d+$/).first().waitFor();
  assert.equal(await bar.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 0);
  await page.setViewportSize({ width: 360, height: 800 });
  await reference.waitFor();
  const box = await reference.boundingBox();
  assert.ok(box && box.x >= 0 && box.x + box.width <= 360);
});

test('a phone and a tablet show the names of an order as a whole, in German too', async (t) => {
  const shop = await openShop(t);
  await shop.send('PATCH', '/pets/1', { name: 'Cavalier King Charles Spaniel puppy' });
  await shop.send('POST', '/store/orders', { lines: [{ petId: 1, quantity: 1 }], referenceId: 'till-4711' });
  const page = await openPage(t, shop, {
    path: '/orders',
    locale: 'de-DE',
    viewport: { width: 700, height: 900 },
  });
  const order = page.getByRole('main').getByRole('row', { name: 'Cavalier King Charles' });
  await order.waitFor();
  for (const width of [641, 700, 760, 768, 960, 360]) {
    await page.setViewportSize({ width, height: 900 });
    assert.deepEqual(await page.evaluate(CUT), [], `${width} px`);
    assert.ok(
      await hasWholePlaceholder(page, '[aria-label="Mit dem Tier"]'),
      `the placeholder at ${width} px`,
    );
  }
  await page.setViewportSize({ width: 700, height: 900 });
  const partly = page.getByRole('row', { name: 'phone-17' });
  assert.equal(await partly.getByTitle('Neon tetra, Corydoras catfish').count(), 1, 'all names on request');
  // One line with number, status and reference, and one below it.
  const lines = await order
    .locator('td:visible')
    .evaluateAll((cells) => cells.map((cell) => Math.round(cell.getBoundingClientRect().top)));
  assert.equal(new Set(lines).size, 2);
});

test('a part of a reference finds no order, and the page says why', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  const page = await openPage(t, shop, { path: '/orders?ref=PHONE' });
  await page.getByText('A reference matches only as a whole, with its capital letters.').waitFor();
  await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().click();
  await page.getByRole('row', { name: 'phone-17' }).getByRole('link').click();
  await page.getByRole('dialog').locator('thead th').first().waitFor();
  const gaps = await page.evaluate<readonly number[]>(`(() => {
    const texts = [...document.querySelectorAll('[role="dialog"] thead th')].map((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return range.getBoundingClientRect();
    });
    return texts.slice(1).map(({ left }, index) => left - texts[index].right);
  })()`);
  assert.ok(gaps.length >= 2 && Math.min(...gaps) >= 8, gaps.join());
});
