import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFileSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { until } from '../../server/test/support/until.ts';
import { GUIDES, guideName, repositoryFile } from '../build/guides.ts';
import { assertAccessible } from './support/browser.ts';
import { type OpenApiDocument, operationsOf, resolve } from '../src/docs/document.ts';
import { openDocs, openReference } from './support/docs-page.ts';
import { openShop } from './support/shop.ts';

/** Presses a button without a wait until it does not move, which a page of many thousand elements needs seconds for. */
const press = (button: Locator): Promise<void> => button.dispatchEvent('click');

const PAGES = ['/docs', ...GUIDES.map((path) => `/docs/${guideName(path)}`)];

test('a sample is copied as it is shown', async (t) => {
  const shop = await openShop(t, { isSample: false });
  const page = await openReference(t, shop, { path: '/docs/reference#updateInventory' });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const operation = page.locator('[id="v1/tag/inventory/updateInventory"]');
  await operation.getByRole('button', { name: 'Copy Shell code' }).click();
  const copied = async () => String(await page.evaluate('navigator.clipboard.readText()'));
  await until(async () => (await copied()) !== '', 'the copy');
  assert.match(
    await copied(),
    /^curl -X PATCH 'http:\/\/127\.0\.0\.1:\d+\/v1\/inventory\/7'.*"quantity":40.*\}'$/s,
  );
});

test('the form of each operation sends no parameter and no header that is optional', async (t) => {
  const shop = await openShop(t, { isSample: false });
  // Scalar reports a response that is closed before it is shown.
  const page = await openReference(t, shop, { expected: /The user aborted a request/ });
  let sent: { readonly search: string; readonly headers: string[] } | undefined;
  await page.route('**/v1/**', async (route) => {
    const request = route.request();
    sent = {
      search: new URL(request.url()).search,
      headers: Object.keys(request.headers()).filter((name) =>
        /^(?:if-|idempotency|last-event|prefer|x-)/.test(name),
      ),
    };
    await route.fulfill({ json: {} });
  });
  for (const [file, part] of [
    ['openapi.json', 'v1'],
    ['admin-openapi.json', 'admin'],
  ] as const) {
    const document = JSON.parse(readFileSync(repositoryFile(file), 'utf8')) as OpenApiDocument;
    const operations = operationsOf(document).map(({ operation }) => operation);
    for (const [name, tagged] of Map.groupBy(operations, ({ tags }) => tags[0] ?? '')) {
      const tag = `${part}/tag/${name.toLowerCase().replaceAll(' ', '-')}`;
      // A page keeps what it has shown, and each form takes longer to open.
      await page.goto('/docs');
      await page.goto(`/docs/reference#${tag}/${tagged[0]?.operationId}`);
      for (const { operationId, parameters = [] } of tagged) {
        const required = parameters
          .map((one) => resolve(document.components.parameters, one))
          .filter((one) => one.in === 'query' && one.required)
          .map((one) => `${one.name}=${String(one.example)}`);
        await page.goto(`/docs/reference#${tag}/${operationId}`);
        const section = page.locator(`[id="${tag}/${operationId}"]`);
        await press(section.getByRole('button', { name: /Test Request/ }));
        sent = undefined;
        const answered = page.waitForResponse('**/v1/**');
        await press(page.getByRole('button', { name: /^Send \w+ request/ }));
        await answered;
        await until(() => sent !== undefined, `the request of ${operationId}`);
        const search = required.length === 0 ? '' : `?${required.join('&')}`;
        assert.deepEqual(sent, { search, headers: [] }, operationId);
        await page.keyboard.press('Escape');
      }
    }
  }
});

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [360, 768, 1_280]) {
    test(`axe finds nothing in the documentation, and nothing is wider than the page, ${colorScheme}, ${width} px`, async (t) => {
      const shop = await openShop(t, { isSample: false });
      const options = { colorScheme, viewport: { width, height: 800 } };
      const page = await openDocs(t, shop, options);
      for (const path of PAGES) {
        await page.goto(path);
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width, path);
        await assertAccessible(page);
      }
      const reference = await openReference(t, shop, options);
      await reference.locator('.section-container table').first().waitFor();
      await assertAccessible(reference);
    });
  }
}
