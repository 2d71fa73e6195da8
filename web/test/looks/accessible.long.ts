import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openBusyShop } from '../screenshots/shop/open-busy-shop.ts';
import { accessibilityFaults, openPage, type PageOptions } from '../support/browser.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { PAGE_STATES, type PageState } from './page-states.ts';

/**
 * Windows; the last two have the pixels of 1,280 and 1,920 at a zoom of 200 %. Layouts depend on the width and colours on the
 * theme and on whether it is a phone.
 */
const LOOKS = [
  { colorScheme: 'light', size: [1_280, 800], part: 'all' },
  { colorScheme: 'light', size: [360, 740], part: 'all' },
  { colorScheme: 'light', size: [768, 1_024], part: 'layout' },
  { colorScheme: 'light', size: [1_920, 1_080], part: 'layout' },
  { colorScheme: 'light', size: [640, 400], part: 'layout' },
  { colorScheme: 'light', size: [960, 540], part: 'layout' },
  { colorScheme: 'dark', size: [360, 740], part: 'colours' },
  { colorScheme: 'dark', size: [1_280, 800], part: 'colours' },
] as const;
/** Responses that the states withhold, and connections that they cut. */
const CAUSED = /Failed to (?:load resource|fetch)|ERR_INTERNET_DISCONNECTED/;

interface Opened {
  readonly shop: Shop;
  readonly options: Pick<PageOptions, 'storageState' | 'timezoneId'>;
}

const closing: (() => unknown)[] = [];
const run = { after: (close: unknown) => void closing.push(close as () => unknown) };
const shops = new Map<PageState['shop'], Opened>();

before(async () => {
  const { shop, timezoneId } = await openBusyShop(run);
  shops.set('busy', await signedIn(shop, timezoneId));
  shops.set('empty', await signedIn(await openShop(run, { isSample: false }), 'UTC'));
});

after(async () => {
  for (const close of closing.toReversed()) await close();
});

async function signedIn(shop: Shop, timezoneId: string): Promise<Opened> {
  const page = await openPage(run, shop, { path: '/system', timezoneId });
  const storageState = await page.context().storageState();
  await page.context().close();
  return { shop, options: { storageState, timezoneId } };
}

for (const state of PAGE_STATES) {
  test(`no fault of axe: ${state.name}`, async (t) => {
    const { shop, options } = shops.get(state.shop) as Opened;
    const page = await openPage(t, shop, {
      ...(state.isSignedOut ? { role: null } : options),
      path: state.path,
      expected: CAUSED,
      prepare: async (opened) => void (await state.before?.(opened)),
    });
    await state.prepare(page, shop);
    const faults = new Set<string>();
    for (const { colorScheme, size, part } of LOOKS) {
      const [width, height] = size;
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
      let found = await accessibilityFaults(page, part);
      // Right after a change of the theme some texts still have the colour of the other one.
      if (found.length > 0) found = await accessibilityFaults(page, part);
      for (const fault of found) faults.add(`${colorScheme}, ${width} px: ${fault}`);
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.context().close();
    assert.deepEqual([...faults], []);
  });
}
