import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERROR_STATUS } from '../../server/src/domain/errors.ts';
import { DOCUMENT, operationsIn } from '../../server/test/support/openapi-document.ts';
import { until } from '../../server/test/support/until.ts';
import { assertAccessible } from './support/browser.ts';
import { findInDocs, openDocs } from './support/docs-page.ts';
import { openShop } from './support/shop.ts';

test('the search finds each operation and each error code', async (t) => {
  const page = await openDocs(t, await openShop(t));
  const operations = operationsIn(DOCUMENT).map(({ operation }) => operation.operationId);
  for (const word of [...operations, ...Object.keys(ERROR_STATUS)]) await findInDocs(page, word);
});

test('links of the guides lead to headings of the page, and short addresses to their place', async (t) => {
  const shop = await openShop(t);
  const page = await openDocs(t, shop, { path: '/docs#not_found' });
  await page.waitForFunction('scrollY > 1000');
  const links = await page
    .locator('.introduction-section a[href^="#"]')
    .evaluateAll((anchors) => anchors.map((anchor) => anchor.getAttribute('href') ?? ''));
  assert.ok(links.length > 60, `${links.length} links`);
  for (const href of new Set(links)) {
    assert.ok((await page.locator(`[id="${href.slice(1)}"]`).count()) > 0, href);
  }
});

test('a sample is copied as it is shown', async (t) => {
  const page = await openDocs(t, await openShop(t, { isSample: false }), { path: '/docs#updateInventory' });
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

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [360, 768, 1_280]) {
    test(`axe finds nothing in the documentation, ${colorScheme}, ${width} px`, async (t) => {
      const shop = await openShop(t, { isSample: false });
      const page = await openDocs(t, shop, { colorScheme, viewport: { width, height: 800 } });
      await page.locator('.introduction-section table').first().waitFor();
      await assertAccessible(page);
    });
  }
}
