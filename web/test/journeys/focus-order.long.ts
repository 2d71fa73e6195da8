import assert from 'node:assert/strict';
import test from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { focused, openPage } from '../support/browser.ts';
import { openShop } from '../support/shop.ts';

const MAX_STOPS = 40;
/** Controls of one row are not of the same height. */
const ROW_PX = 24;

interface Stop {
  readonly name: string;
  readonly isMain: boolean;
  readonly isFixed: boolean;
  readonly left: number;
  readonly middle: number;
}

/** The control with the focus, where it is in the document, not in the window. */
const STOP = `(() => {
  const control = document.activeElement;
  const box = control.getBoundingClientRect();
  return {
    name: control.getAttribute('aria-label') ?? control.textContent.slice(0, 40) ?? control.tagName,
    isMain: control.closest('main') !== null,
    isFixed: control === document.body,
    left: box.left,
    middle: box.top + box.height / 2 + scrollY,
  };
})()`;

/** What Tab visits in the main part of a page, from its beginning. */
async function stopsOf(page: Page): Promise<readonly Stop[]> {
  const stops: Stop[] = [];
  await page.locator('main').waitFor();
  for (let pressed = 0; pressed < MAX_STOPS; pressed += 1) {
    await page.keyboard.press('Tab');
    const stop = (await page.evaluate(STOP)) as Stop;
    if (stop.isFixed) break;
    if (stop.isMain) stops.push(stop);
  }
  return stops;
}

/** A control is below the one before it, or right of it in the same row. */
function backwards(stops: readonly Stop[]): readonly string[] {
  return stops.flatMap((stop, index) => {
    const before = stops[index - 1];
    if (!before) return [];
    const isBelow = stop.middle >= before.middle + ROW_PX;
    const isRight = stop.left >= before.left && stop.middle > before.middle - ROW_PX;
    return isBelow || isRight ? [] : [`${before.name} -> ${stop.name}`];
  });
}

const PAGES = [
  { path: '/orders', ready: 'phone-17' },
  { path: '/access/keys', ready: 'Create a key' },
];

for (const { path, ready } of PAGES) {
  test(`Tab visits the controls of ${path} in their visual order`, async (t) => {
    const page = await openPage(t, await openShop(t), { path });
    await page.getByText(ready).first().waitFor();
    const stops = await stopsOf(page);
    assert.ok(stops.length >= 3, stops.map(({ name }) => name).join(', '));
    assert.deepEqual(backwards(stops), []);
  });
}

/** A dialog keeps the focus from Tab in both directions, and returns it with Escape. */
async function assertTraps(page: Page, opener: Locator): Promise<void> {
  await opener.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  // Some controls are drawn by their labels.
  const holdsFocus = () => dialog.locator(':focus').waitFor({ state: 'attached' });
  await holdsFocus();
  for (const key of ['Tab', 'Shift+Tab']) {
    for (let pressed = 0; pressed < 15; pressed += 1) {
      await page.keyboard.press(key);
      await holdsFocus();
    }
  }
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await focused(opener);
}

const OPENERS = [
  { path: '/pets/31', name: 'Adjust stock' },
  { path: '/pets/31', name: 'Edit details' },
  { path: '/access/keys', name: 'Create a key' },
  { path: '/webhooks', name: 'Add an endpoint' },
];

for (const { path, name } of OPENERS) {
  test(`the dialog of “${name}” keeps the focus, and gives it back`, async (t) => {
    const page = await openPage(t, await openShop(t), { path });
    await assertTraps(page, page.getByRole('button', { name, exact: true }).first());
  });
}
