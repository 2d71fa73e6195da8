import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible, openPage } from './support/browser.ts';
import { openDocs, openReference, tryOperation } from './support/docs-page.ts';
import { startPrefixProxy } from './support/prefix-proxy.ts';
import { openShop } from './support/shop.ts';

const LARGE = 9_007_199_254_740_993n;
const OWN_FILE = /^assets\/[\w-]+\.(?:css|js|svg)$/;

test('the reference sends a request with a key, and nothing optional, below a prefix too', async (t) => {
  const shop = await openShop(t, { isSample: false, pets: [{ petId: LARGE, quantity: 4 }] });
  const forPrograms = await fetch(`${shop.url}/llms.txt`);
  assert.deepEqual(
    [forPrograms.status, forPrograms.headers.get('Content-Type')],
    [200, 'text/plain; charset=utf-8'],
  );
  for (const name of ['petstore', 'petstore-admin']) {
    const collection = await fetch(`${shop.url}/${name}.postman_collection.json`);
    assert.equal(collection.headers.get('Content-Type'), 'application/json', 'the guides link to it');
  }
  const proxy = await startPrefixProxy(t, '/stock');
  proxy.forwardTo(shop.url);
  const page = await openReference(t, { ...shop, url: proxy.url }, { path: '/stock/docs/reference' });
  const answered = page.waitForResponse(
    (response) => new URL(response.url()).pathname === '/stock/v1/inventory',
  );
  await tryOperation(page, 'listInventory', shop.service.key);
  const response = await answered;
  assert.equal(new URL(response.url()).search, '', 'no optional parameter is sent');
  const headers = Object.keys(await response.request().allHeaders());
  assert.deepEqual(
    headers.filter((name) => /^(?:if-|idempotency|prefer|x-)/.test(name)),
    [],
    'no optional header is sent',
  );
  assert.equal(response.status(), 200, await response.text());
  await page.getByText(String(LARGE)).first().waitFor();
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  assert.ok(!kept.includes(shop.service.key), 'the key is not stored');
});

test('the guides', async (t) => {
  // One service for all of them.
  const shop = await openShop(t, { isSample: false });
  await t.test(
    'each page reads without JavaScript, and its links lead to pages and headings, below a prefix too',
    async (t) => {
      const proxy = await startPrefixProxy(t, '/stock');
      proxy.forwardTo(shop.url);
      const pages = new Map<string, string>();
      const files = new Set<string>();
      const wanted: { readonly from: string; readonly path: string; readonly id: string }[] = [];
      const root = `${proxy.url}/stock/`;
      const waiting = ['docs'];
      for (const path of waiting) {
        const response = await fetch(root + path);
        const html = await response.text();
        assert.equal(response.status, 200, path);
        assert.match(response.headers.get('Content-Type') ?? '', /^text\/html/);
        pages.set(path, html);
        assert.match(html, /<main[^>]*>[^]{1000,}<\/main>/, `${path} has its text`);
        assert.doesNotMatch(
          html,
          /<script(?![^>]* src=)|<style| style=| on\w+=/,
          `${path} runs nothing of its own`,
        );
        for (const [, address = ''] of html.matchAll(/ (?:href|src)="([^"]*)"/g)) {
          const { href, hash } = new URL(address, response.url);
          if (!href.startsWith(proxy.url)) continue;
          assert.ok(href.startsWith(root), `${path}: ${address} stays below the prefix`);
          const target = href.slice(root.length).split('#', 1)[0] ?? '';
          const isPage = /^docs(?:\/|$)/.test(target);
          if (isPage) wanted.push({ from: path, path: target, id: decodeURIComponent(hash.slice(1)) });
          if (isPage && !waiting.includes(target)) waiting.push(target);
          if (!isPage) files.add(target);
        }
      }
      assert.ok(pages.size >= 22, `${pages.size} pages`);
      for (const { from, path, id } of wanted) {
        assert.ok(id === '' || pages.get(path)?.includes(` id="${id}"`), `${from} leads to ${path}#${id}`);
      }
      for (const path of files) {
        const { status } = await fetch(root + path, { method: 'HEAD' });
        assert.equal(status, 200, path);
        assert.ok(OWN_FILE.test(path) || /\.(?:json|txt|svg)$/.test(path), path);
      }
      const texts = [...pages.values()];
      for (const part of [/<title>([^<]+)</, /<meta name="description" content="([^"]{9,})"/]) {
        const found = texts.map((html) => part.exec(html)?.[1]);
        assert.equal(new Set(found).size, pages.size, `each page has its own ${part.source}`);
      }
      const quickStart = pages.get('docs/quick-start') ?? '';
      assert.match(quickStart, /<a href="quick-start" aria-current="page">Quick start<\/a>/);
      assert.match(quickStart, /<a href="#keys-and-scopes">Keys and scopes<\/a>/, 'the contents');
      assert.match(quickStart, /<a rel="next" href="dashboard">/);
      assert.match(pages.get('docs/dashboard') ?? '', /<a rel="prev" href="quick-start">/);
    },
  );

  await t.test(
    'the search finds places with the keyboard, a guide copies its code, and old addresses lead to the pages',
    async (t) => {
      const indexes: string[] = [];
      const page = await openDocs(t, shop, {
        path: '/docs#not_found',
        prepare: async (opened) => {
          opened.on('request', (request) => {
            if (request.url().includes('built-index')) indexes.push(request.url());
          });
        },
      });
      await page.waitForURL('**/docs/errors#not_found');
      await page.goto('/docs#v1/description/petstoredown');
      await page.waitForURL('**/docs/runbook#petstoredown');
      // A wrong escape ends no script: the test fails for an error of the page.
      await page.goto('/docs#%');
      await page.getByRole('heading', { name: 'Documentation' }).waitFor();

      indexes.length = 0;
      await page.goto('/docs/quick-start');
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      const block = page.locator('.guide .code', { hasText: 'limit=2' }).first();
      await block.hover();
      await block.getByRole('button', { name: 'Copy' }).click();
      await block.getByRole('button', { name: 'Copied' }).waitFor();
      const copied = String(await page.evaluate('navigator.clipboard.readText()'));
      const command = `curl -H "Authorization: Bearer $KEY" "${shop.url}/v1/inventory?limit=2"`;
      assert.equal(copied, command, 'it calls this service');
      assert.deepEqual(indexes, [], 'who searches nothing loads no index');

      await page.keyboard.press('/');
      const field = page.getByRole('combobox', { name: 'Search the documentation' });
      await page.getByText('Type a word').waitFor();
      await field.fill('<img src=x onerror=alert(1)> \u0000 '.repeat(2_000));
      assert.equal(await page.locator('dialog img').count(), 0);
      await field.fill('lost update');
      const options = page.getByRole('option');
      await options
        .first()
        .filter({ hasText: 'Avoid lost updates' })
        .filter({ hasText: 'Safe writes' })
        .waitFor();
      const active = async () => page.locator(`[id="${await field.getAttribute('aria-activedescendant')}"]`);
      assert.equal(await (await active()).getAttribute('aria-selected'), 'true');
      const first = await field.getAttribute('aria-activedescendant');
      await page.keyboard.press('ArrowDown');
      assert.notEqual(await field.getAttribute('aria-activedescendant'), first);
      assert.equal(await page.locator('[role="option"][aria-selected="true"]').count(), 1);
      await page.keyboard.press('ArrowUp');
      assert.equal(await field.getAttribute('aria-activedescendant'), first);
      await assertAccessible(page);
      await page.keyboard.press('Escape');
      await field.waitFor({ state: 'hidden' });
      await page.keyboard.press('Control+k');
      await field.fill('PETSTORE_ORDER_HOLD');
      await options.first().filter({ hasText: 'Variable' }).waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL('**/docs/configuration#petstore_order_hold');
    },
  );

  await t.test('a page fits a phone, and keeps the chosen colours', async (t) => {
    const viewport = { width: 360, height: 740 };
    const page = await openPage(t, shop, { role: null, path: '/docs/configuration', viewport });
    for (const path of ['/docs/configuration', '/docs/stability', '/docs/runbook']) {
      await page.goto(path);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360, path);
      const isBroken = await page.evaluate(
        "[...document.querySelectorAll('.table')].some((table) => table.scrollWidth > table.clientWidth)",
      );
      assert.equal(isBroken, false, `${path}: no table is wider than the page`);
    }
    await page.goto('/docs/stability');
    assert.equal(await linesOf(page, 'updateInventory'), 1, 'a name of a table is whole');
    await page.setViewportSize({ width: 1_280, height: 800 });
    await page.goto('/docs/runbook');
    assert.equal(await linesOf(page, 'examine'), 1, 'the name of a step is whole beside long commands');
    await page.setViewportSize(viewport);
    const colours = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await colours();
    await page.getByRole('button', { name: 'Dark colours' }).click();
    const dark = await colours();
    assert.notEqual(dark, light);
    await page.goto('/docs/errors');
    assert.equal(await colours(), dark);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await colours(), light, 'paper is white');
    assert.equal(await page.getByRole('banner').isVisible(), false);
  });
});

/** The lines of a text in the first column of a table. */
function linesOf(page: Page, text: string): Promise<number> {
  return page
    .locator('.guide td:first-child')
    .getByText(text, { exact: true })
    .first()
    .evaluate((element) => {
      const range = element.ownerDocument.createRange();
      range.selectNodeContents(element);
      return range.getClientRects().length;
    });
}
