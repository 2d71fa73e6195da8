import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../server/test/support/until.ts';
import { openPage } from './support/browser.ts';
import { findInDocs, openDocs, RENDER_TIMEOUT_MS, tryOperation } from './support/docs-page.ts';
import { startPrefixProxy } from './support/prefix-proxy.ts';
import { openShop } from './support/shop.ts';

const LARGE = 9_007_199_254_740_993n;

test('the documentation finds guides, errors and operations, and sends a request with a key, below a prefix too', async (t) => {
  const shop = await openShop(t, { isSample: false, pets: [{ petId: LARGE, quantity: 4 }] });
  const forPrograms = await fetch(`${shop.url}/llms.txt`);
  assert.deepEqual(
    [forPrograms.status, forPrograms.headers.get('Content-Type')],
    [200, 'text/plain; charset=utf-8'],
  );
  const collection = await fetch(`${shop.url}/petstore.postman_collection.json`);
  assert.equal(collection.headers.get('Content-Type'), 'application/json', 'the quick start links to it');
  const proxy = await startPrefixProxy(t, '/stock');
  proxy.forwardTo(shop.url);
  const page = await openDocs(t, { ...shop, url: proxy.url }, { path: '/stock/docs' });
  await findInDocs(page, 'adjustInventory');
  await findInDocs(page, 'rate_limit_exceeded');
  const found = page.locator('[role="option"][id$="/rate_limit_exceeded"]');
  await found.filter({ hasText: 'rate_limit_exceeded' }).waitFor();
  await page.keyboard.press('Escape');
  const answered = page.waitForResponse(
    (response) => new URL(response.url()).pathname === '/stock/v1/inventory',
  );
  await tryOperation(page, 'listInventory', shop.service.key);
  const response = await answered;
  assert.equal(new URL(response.url()).search, '', 'no optional parameter is sent');
  assert.equal(response.status(), 200, await response.text());
  await page.getByText(String(LARGE)).first().waitFor();
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  assert.ok(!kept.includes(shop.service.key), 'the key is not stored');
});

test('the guides are there before the reference, and stay where the reader is', async (t) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const shop = await openShop(t, { isSample: false });
  const page = await openPage(t, shop, {
    role: null,
    path: '/docs#not_found',
    prepare: async (opened) => {
      await opened.route('**/openapi.json', async (route) => {
        await released;
        await route.continue();
      });
    },
  });
  const heading = page.getByRole('heading', { name: 'not_found', exact: true });
  const top = async () => (await heading.boundingBox())?.y ?? Number.NaN;
  await page.waitForFunction('scrollY > 1000');
  assert.ok((await top()) < 100, 'a short address leads to its heading');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const block = page.locator('.guide .code', { hasText: 'limit=2' }).first();
  await block.hover();
  await block.getByRole('button', { name: 'Copy' }).click();
  await block.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = String(await page.evaluate('navigator.clipboard.readText()'));
  const command = `curl -H "Authorization: Bearer $KEY" "${shop.url}/v1/inventory?limit=2"`;
  assert.equal(copied, command, 'it calls this service');
  await heading.scrollIntoViewIfNeeded();
  const before = await top();
  release();
  await page.locator('#guides').waitFor({ state: 'detached', timeout: RENDER_TIMEOUT_MS });
  await until(async () => Math.abs((await top()) - before) < 8, `the heading at ${before} px`);
  const isGuide = async () => /#v1\/description\/\w+_\w+$/.test(page.url());
  await until(isGuide, 'the address of an error');
  assert.equal(await page.locator('.guide[id]').count(), 0, 'the headings of Scalar have the addresses');
});
