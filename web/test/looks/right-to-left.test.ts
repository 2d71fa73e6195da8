import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../server/test/support/until.ts';
import { openPage } from '../support/browser.ts';
import { openShop } from '../support/shop.ts';

const NAME = 'ببغاء رمادي أفريقي يتحدث كثيرا '.repeat(3).trim();

/**
 * The texts of the page that may be cut, each with whether its first and its last letter show, and an ellipsis: a browser draws none in
 * one of several lines that is aligned to the left.
 */
const CUT = `[...document.querySelectorAll('main *')]
  .filter((part) => part.firstChild?.nodeType === Node.TEXT_NODE && part.firstChild.data.startsWith('ببغاء'))
  .filter((part) => getComputedStyle(part).overflowX === 'hidden' && part.clientWidth > 1)
  .map((part) => {
    const { left, right, bottom } = part.getBoundingClientRect();
    const shows = (place) => {
      const range = document.createRange();
      range.setStart(part.firstChild, place);
      range.setEnd(part.firstChild, place + 1);
      const box = range.getBoundingClientRect();
      return box.left >= left - 1 && box.right <= right + 1 && box.top < bottom;
    };
    const { webkitLineClamp, textAlign } = getComputedStyle(part);
    return [shows(0), shows(part.firstChild.data.length - 1), webkitLineClamp === 'none' || textAlign === 'start'];
  })`;

test('a long name from right to left is cut at its end, and shows how it begins', async (t) => {
  const shop = await openShop(t, { isSample: false, pets: [{ petId: 1n, quantity: 1 }] });
  await shop.send('PATCH', '/pets/1', { name: NAME, category: NAME });
  await shop.send('POST', '/inventory/1/adjustments', { delta: 4, reason: 'received' });
  const order = { lines: [{ petId: 1, quantity: 1 }], referenceId: NAME };
  await shop.send('POST', '/store/orders', order);
  const page = await openPage(t, shop, { path: '/', viewport: { width: 1_090, height: 800 } });
  // The name and the category; the pet of a movement; the name and the reference.
  for (const [path, count] of [
    ['/stock', 2],
    ['/activity', 1],
    ['/orders', 2],
  ] as const) {
    await page.goto(path);
    let cut: [boolean, boolean, boolean][] = [];
    await until(async () => {
      cut = (await page.evaluate(CUT)) as typeof cut;
      return cut.length >= count;
    }, `${count} texts of ${path}`);
    assert.ok(
      cut.every(([first]) => first),
      `${path}: ${cut.join(' ')}`,
    );
    assert.ok(
      cut.every(([, , hasEllipsis]) => hasEllipsis),
      `${path} draws each ellipsis`,
    );
    assert.ok(
      cut.some(([, last]) => !last),
      `${path} cuts no name`,
    );
  }
});
