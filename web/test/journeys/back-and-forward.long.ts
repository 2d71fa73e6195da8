import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../server/test/support/until.ts';
import { openPage } from '../support/browser.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { makeEndpoint, startReceiver, WITH_LOCAL_RECEIVERS } from '../support/webhook-receiver.ts';

interface ListPage {
  readonly path: string;
  /** Resolves when the list shows its rows, and changes its state as a person does. */
  prepare(page: Page): Promise<unknown>;
  /** What must be the same after Back, besides the address and the scroll. */
  state?(page: Page): Promise<unknown>;
  /** Where it scrolls, if it is not the page. */
  readonly scroller?: string;
  /** Whether its list is longer than the window. */
  readonly isShort?: boolean;
}

/** Low enough that most lists are longer. */
const VIEWPORT = { width: 1_280, height: 420 };
const rows = (page: Page) => page.getByRole('row').nth(2).waitFor();
const checked = (page: Page) => page.locator('#content input[type="checkbox"]:checked').count();

async function fill(shop: Shop): Promise<{ readonly stocktake: string }> {
  for (let number = 1; number <= 30; number += 1) {
    const { id } = (await shop.send('POST', '/accounts', { name: `Shop ${number}`, plan: 'free' })) as {
      id: string;
    };
    await shop.send('POST', '/keys', { accountId: id, name: `till ${number}` });
    await shop.send('POST', '/store/orders', { lines: [{ petId: 31, quantity: 1 }] });
  }
  const { id: stocktake } = (await shop.send('POST', '/stocktakes', { name: 'Autumn' })) as { id: string };
  for (let number = 1; number <= 12; number += 1)
    await shop.send('POST', '/admin-keys', { name: `person ${number}`, role: 'viewer' });
  return { stocktake };
}

async function compare(page: Page, list: ListPage) {
  const scroller = list.scroller ?? '#content';
  return JSON.stringify({
    url: page.url(),
    top: await page.evaluate(`Math.round(document.querySelector('${scroller}')?.scrollTop ?? -1)`),
    state: await list.state?.(page),
  });
}

test('Back and Forward keep list, scroll, filter and selection on every list', async (t) => {
  const receiver = await startReceiver(t);
  receiver.status = 500;
  const shop = await openShop(t, { env: WITH_LOCAL_RECEIVERS });
  const { stocktake } = await fill(shop);
  const endpoint = await makeEndpoint(shop, { url: receiver.url, description: 'erp' });
  for (let attempt = 0; attempt < 12; attempt += 1)
    await shop.send('POST', `/webhook-endpoints/${endpoint}/test`).catch(() => undefined);
  const lists: readonly ListPage[] = [
    {
      path: '/stock?sort=-quantity',
      scroller: '[role="grid"]',
      prepare: async (page) => {
        await page.locator('[role="gridcell"] input').first().click();
        await page.locator('[role="gridcell"] input').nth(2).click();
      },
      state: (page) => page.getByRole('region', { name: /selected/ }).textContent(),
    },
    { path: '/orders?status=placed', prepare: rows },
    {
      path: '/activity?kind=import',
      prepare: (page) => page.getByRole('listitem').nth(20).waitFor(),
    },
    { path: '/access?q=Shop&sort=-name', prepare: rows },
    { path: '/access/keys?q=till', prepare: rows },
    { path: '/access/management-keys?q=person', prepare: rows },
    {
      path: `/webhooks/${endpoint}`,
      prepare: async (page) => {
        await page.getByText('Failed', { exact: true }).first().click();
        await rows(page);
      },
      state: (page) => page.locator('#content input[type="radio"]:checked').first().getAttribute('value'),
    },
    {
      path: '/imports',
      prepare: (page) => page.getByRole('heading', { level: 2 }).first().waitFor(),
      isShort: true,
    },
    {
      path: '/stocktakes?state=running&q=Autumn',
      prepare: (page) => page.getByRole('link', { name: 'Autumn' }).waitFor(),
      isShort: true,
    },
    { path: `/stocktakes/${stocktake}/uncounted`, prepare: rows },
    {
      path: '/reorders?state=to_order',
      prepare: async (page) => {
        await rows(page);
        await page.locator('#content tbody input[type="checkbox"]').nth(1).check();
      },
      state: checked,
      isShort: true,
    },
    { path: '/reports?by=category', prepare: rows, isShort: true },
    { path: '/reports/movements?by=category', prepare: rows, isShort: true },
    { path: '/system/log?action=keys.create', prepare: rows },
  ];
  const page = await openPage(t, shop, { path: '/', viewport: VIEWPORT });
  for (const list of lists) {
    await page.goto(list.path);
    await list.prepare(page);
    const scroller = list.scroller ?? '#content';
    const top = (await page.evaluate(
      `(() => { const list = document.querySelector('${scroller}'); list.scrollTop = 170; return list.scrollTop; })()`,
    )) as number;
    if (!list.isShort) assert.ok(top > 100, `${list.path} is long enough to scroll, and scrolls to ${top}`);
    // Filters that are typed reach the address a moment later.
    let before = '';
    await until(async () => {
      const last = before;
      before = await compare(page, list);
      return last === before;
    }, `${list.path} stands still`);
    const isAsBefore = (when: string) =>
      until(
        async () => (await compare(page, list)) === before,
        `${list.path} is as before ${when}: ${before}`,
      );
    await page.locator('body').press('g');
    await page.keyboard.press('h');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    assert.equal(
      await page.evaluate("document.querySelector('#content').scrollTop"),
      0,
      'the next page begins at its top',
    );
    await page.goBack();
    await isAsBefore('after Back');
    await page.goForward();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.goBack();
    await isAsBefore('after Forward and Back');
  }
});
