import { test } from 'node:test';
import { assertAccessible, openPage } from '../support/browser.ts';
import { openShop } from '../support/shop.ts';

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [360, 768, 1_280]) {
    test(`axe finds nothing on the stock page, ${colorScheme}, ${width} px`, async (t) => {
      const shop = await openShop(t);
      const page = await openPage(t, shop, { colorScheme, viewport: { width, height: 800 } });
      await page.locator('#row-1').waitFor();
      await assertAccessible(page);
    });
  }
}
