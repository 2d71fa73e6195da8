import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../server/test/support/until.ts';
import { openPage, twoFrames } from '../support/browser.ts';
import { openShop } from '../support/shop.ts';
import { makeEndpoint } from '../support/webhook-receiver.ts';
import { hasWholePlaceholder } from './page-measures.ts';
import { isSkippedDaily } from '../../../server/test/support/long-test.ts';

/** Only a failing test takes so long. */
const SETTLE_MS = 10_000;

/** What does not fit: content wider than the window, and cells of the stock list whose status, time or alert level is cut. */
const TOO_WIDE = `(() => {
  const isCut = ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth;
  const main = document.querySelector('main');
  return [
    ...(isCut(main) || isCut(document.documentElement) ? ['the page'] : []),
    ...[...main.querySelectorAll('[role="row"] :is([class*="_status_"], [class*="_changed_"], [class*="_alert_"])')].filter(isCut).map((cell) => cell.textContent),
  ];
})()`;

/** The words of the tables that have a break inside. */
const BROKEN_WORDS = `[...document.querySelectorAll('main :is(th, td)')].flatMap((cell) => {
  const words = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  const found = [];
  const range = document.createRange();
  while (words.nextNode()) {
    for (const { index, 0: word } of words.currentNode.data.matchAll(/\\p{L}+/gu)) {
      range.setStart(words.currentNode, index);
      range.setEnd(words.currentNode, index + word.length);
      if (new Set(Array.from(range.getClientRects(), ({ top }) => top)).size > 1) found.push(word);
    }
  }
  return found;
})`;

const middleOf = async (page: Page, name: string) => {
  const { y, height } = (await page.getByRole('button', { name, exact: true }).boundingBox()) ?? {
    y: 0,
    height: 0,
  };
  return Math.round(y + height / 2);
};

/** What does not fit at a width, after the page had time to fit itself to it. */
async function faultsAt(page: Page, path: string, width: number): Promise<readonly string[]> {
  await page.setViewportSize({ width, height: 800 });
  const deadlineMs = performance.now() + SETTLE_MS;
  for (;;) {
    const faults = (await page.evaluate<string[]>(TOO_WIDE)).map((one) => `${path} at ${width} px: ${one}`);
    if (path === '/stock') {
      // As long as the time of a change becomes.
      await page.evaluate(
        `document.querySelector('#row-1 [class*="_changed_"] time').textContent = 'vor 28 Tagen'`,
      );
      // The longest level.
      await page.evaluate(`(() => {
        const [, text] = document.querySelector('main [class*="_alert_"] [class*="_badge_"]').childNodes;
        text.data = 'Überbucht';
      })()`);
      const [filter, views] = [await middleOf(page, 'Filter'), await middleOf(page, 'Ansichten')];
      const isWhole = await hasWholePlaceholder(page, 'main [type="search"]');
      if (!isWhole) faults.push(`the words of the search at ${width} px`);
      if (filter !== views) faults.push(`the buttons at ${width} px: ${filter}, ${views}`);
    }
    if (faults.length === 0 || performance.now() > deadlineMs) return faults;
    await twoFrames(page);
  }
}

test('German texts fit from a small tablet on, and the fields of a row do not wrap alone', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  await shop.send('PATCH', '/reorders/1', { ordered: 12, expectedOn: '2030-12-03' });
  const page = await openPage(t, shop, { locale: 'de-DE', viewport: { width: 1_280, height: 800 } });
  const faults: string[] = [];
  for (const path of ['/stock', '/reorders', '/reports/movements?by=category', '/access']) {
    await page.goto(path);
    await page.locator('main').getByRole('row').nth(1).waitFor();
    for (const width of [641, 700, 768, 980, 1_280]) faults.push(...(await faultsAt(page, path, width)));
  }
  assert.deepEqual(faults, []);
});

test('a report has whole words on a phone', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  await shop.send('PATCH', '/pets/1', { category: 'Amphibians' });
  await shop.send('POST', '/inventory/1/adjustments', { delta: 2, reason: 'received' });
  const path = '/reports/movements?by=category';
  const page = await openPage(t, shop, { locale: 'de-DE', path, viewport: { width: 360, height: 800 } });
  for (const word of ['Amphibians', 'Reservierung', 'Wareneingang'])
    await page.locator('main td', { hasText: word }).first().waitFor();
  assert.deepEqual(await page.evaluate(BROKEN_WORDS), []);
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360);
});

test('the list of endpoints has whole words, and a field shows its value beside its symbols', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  const url = 'https://hooks.riverside-veterinary.example.com/petstore/inventory/notifications';
  const endpoint = await makeEndpoint(shop, { url, description: 'ERP' });
  await shop.send('POST', `/webhook-endpoints/${endpoint}/pause`);
  await shop.send('PATCH', '/inventory/1', { quantity: 50 });
  const page = await openPage(t, shop, { path: '/webhooks', viewport: { width: 1_024, height: 800 } });
  await page.getByText(/^\d+ movements?$/).waitFor();
  for (const width of [641, 768, 1_024, 360]) {
    await page.setViewportSize({ width, height: 800 });
    assert.deepEqual(await page.evaluate(BROKEN_WORDS), [], `${width} px`);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width);
  }

  await shop.send('PATCH', '/reorders/1', { supplier: 'Burrow & Sons', ordered: 3 });
  for (const width of [901, 1_024, 1_280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/reorders?supplier=Burrow+%26+Sons');
    const field = page.getByRole('combobox', { name: 'Supplier' });
    await page.locator('[data-combined-clear-section] button').waitFor();
    // The browser ends the value with an ellipsis where it does not fit.
    assert.equal(await field.evaluate((input) => input.scrollWidth - input.clientWidth), 0, `${width} px`);
    const rest = await page.evaluate<number>(`(() => {
      const symbols = document.querySelector('[data-combined-clear-section]');
      const input = symbols.closest('.mantine-Input-wrapper').querySelector('input');
      const end = input.getBoundingClientRect().right - parseFloat(getComputedStyle(input).paddingRight);
      return symbols.getBoundingClientRect().left - end;
    })()`);
    assert.ok(rest >= 0, `the symbols begin ${rest} px after the value at ${width} px`);
  }
});

test('a long name of the stock list has two lines, and a phone has the actions of a page in one row', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  const name = 'Cavalier King Charles Spaniel puppy, tricolour';
  await shop.send('PATCH', '/pets/1', { name, sku: 'DOG-0001' });
  const endpoint = await makeEndpoint(shop, { url: 'https://shop.example/hooks', description: 'ERP' });
  const { id } = (await shop.send('POST', '/stocktakes', { name: 'Herbst' })) as { id: string };
  const page = await openPage(t, shop, { locale: 'de-DE', path: '/stock' });
  const link = page.locator('#row-1').getByRole('link', { name });
  await link.waitFor();
  for (const width of [1_920, 1_280, 1_024, 700, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await until(
      () =>
        link.evaluate(({ scrollHeight, clientHeight, parentElement }) => {
          const row = parentElement?.parentElement?.clientHeight ?? 0;
          return clientHeight > 0 && scrollHeight <= clientHeight && clientHeight < row;
        }),
      `the whole name in its row at ${width} px`,
    );
  }
  for (const [path, action] of [
    [`/webhooks/${endpoint}`, 'Test senden'],
    [`/stocktakes/${id}`, 'Zählen'],
  ] as const) {
    await page.goto(path);
    const header = page.getByRole('main').locator('header');
    await header.getByText(action, { exact: true }).waitFor();
    const tops = await header
      .locator('.mantine-Button-root, .mantine-ActionIcon-root')
      .evaluateAll((controls) => controls.map((control) => Math.round(control.getBoundingClientRect().top)));
    assert.ok(tops.length >= 4 && new Set(tops).size === 1, `${action}: ${tops.join()}`);
  }
});
