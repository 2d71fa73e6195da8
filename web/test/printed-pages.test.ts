import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../server/test/support/until.ts';
import { openPage } from './support/browser.ts';
import { place } from './support/order-steps.ts';
import { openShop } from './support/shop.ts';
import { isSkippedDaily } from '../../server/test/support/long-test.ts';

/** A4 without its margins, in CSS pixels. */
const SHEET = { width: 718, height: 1_040 };

const print = async (page: Page) => {
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize(SHEET);
};

/** The controls that paper would have. */
const controls = (page: Page) =>
  page
    .locator(
      '.mantine-Button-root, .mantine-ActionIcon-root, .mantine-SegmentedControl-root, [type="search"]',
    )
    .filter({ visible: true })
    .evaluateAll((found) => found.map(({ outerHTML }) => outerHTML.slice(0, 120)));

test('an order is printed on white paper without the list below it, and with the times that it has', async (t) => {
  const shop = await openShop(t);
  const order = (await place(shop, 31, 3, 'phone-20')) as { orderId: number };
  const page = await openPage(t, shop, { path: `/orders/${order.orderId}`, colorScheme: 'dark' });
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: 'Approve' }).waitFor();
  await print(page);
  await drawer.getByText('Neon tetra').first().waitFor();
  assert.deepEqual(await controls(page), []);
  assert.equal(await drawer.getByRole('button', { name: 'Close' }).isVisible(), false);
  assert.equal(await page.locator('main').isVisible(), false);
  const box = await drawer.boundingBox();
  assert.deepEqual([box?.x, box?.width], [0, SHEET.width], 'it is as wide as the sheet');
  const look = await page.evaluate<readonly string[]>(`(() => {
    const drawer = document.querySelector('[role="dialog"]');
    const time = getComputedStyle(drawer.querySelector('time'), '::after').content;
    return [getComputedStyle(drawer).backgroundColor, getComputedStyle(document.body).overflow, time];
  })()`);
  assert.deepEqual(look.slice(0, 2), ['rgb(255, 255, 255)', 'visible']);
  assert.match(look[2] ?? '', /\d{4}.*\d:\d\d/, 'no time is relative');
});

test('lists are printed without their controls, whole, and with the name of the part', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  await place(shop, 31, 3, 'a-reference-that-is-longer-than-its-column-on-the-screen');
  const page = await openPage(t, shop, { path: '/orders' });
  for (const path of ['/orders', '/stocktakes', '/activity', '/webhooks', '/access', '/']) {
    await page.emulateMedia({ media: null });
    await page.goto(path);
    await page.getByRole('main').getByRole('button').first().waitFor();
    await print(page);
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
    assert.deepEqual(await controls(page), [], path);
    assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= SHEET.width, path);
    const cut = await page.evaluate(`[...document.querySelectorAll('main td *')]
      .filter((part) => part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).overflow === 'hidden')
      .map((part) => part.textContent)`);
    assert.deepEqual(cut, [], path);
    const tabs = page.getByRole('main').locator('nav a').filter({ visible: true });
    if (path === '/orders' || path === '/access') assert.equal(await tabs.count(), 1);
  }
});

test('paper has all rows that are read, and says when the list is longer', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  for (let at = 1; at <= 101; at += 1)
    await shop.send('POST', '/accounts', { name: `Shop ${at}`, plan: 'pro' });
  const page = await openPage(t, shop, { path: '/access' });
  const main = page.getByRole('main');
  const rows = main.locator('tbody tr');
  await main.getByRole('button', { name: 'Show more' }).waitFor();
  const onScreen = await rows.count();
  await print(page);
  await until(async () => (await rows.count()) > onScreen, 'all accounts are on paper');
  assert.ok((await rows.count()) >= 101);
  assert.equal(await main.getByText('of a longer list').isVisible(), false);

  for (let at = 0; at < 51; at += 1) await place(shop, 31, 1);
  for (const [path, note] of [
    ['/orders', /^The first \d+ rows of a longer list\. Its export has all of them\.$/],
    ['/activity', /^The first \d+ rows of a longer list/],
  ] as const) {
    await page.emulateMedia({ media: null });
    await page.goto(path);
    await main.getByText(note).waitFor({ state: 'attached' });
    assert.equal(await main.getByText(note).isVisible(), false, 'nothing on the screen');
    await print(page);
    await main.getByText(note).waitFor();
  }
});
