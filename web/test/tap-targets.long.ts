import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBusyShop } from './screenshots/shop/open-busy-shop.ts';
import { openPage } from './support/browser.ts';
import { LISTED_PAGES } from './support/page-list.ts';
import { findSmallTargets } from './support/tap-targets.ts';

const PHONE = { width: 360, height: 740 };
/** The sheet of keys is for keyboards; in the others, a preview or a list of choices covers a part of the page. */
const LEFT_OUT = new Set(['keys', 'palette', 'stock-edit', 'order-new']);
const PAGES = LISTED_PAGES.filter(({ name }) => !LEFT_OUT.has(name));

test('every control on a phone is large enough for a finger', async (t) => {
  const { shop } = await openBusyShop(t);
  const first = await openPage(t, shop, { viewport: PHONE });
  const storageState = await first.context().storageState();
  await first.context().close();
  const small: string[] = [];
  for (const { name, path, prepare } of PAGES) {
    const page = await openPage(t, shop, { path, viewport: PHONE, storageState });
    await prepare(page);
    for (const target of new Set(await findSmallTargets(page))) small.push(`${name}: ${target}`);
    await page.context().close();
  }
  assert.deepEqual(small, []);
});
