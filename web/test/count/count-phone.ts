import type { Page } from 'playwright-core';
import { openPage, type PageOptions } from '../support/browser.ts';
import type { Shop } from '../support/shop.ts';

const PHONE = { width: 360, height: 740 };
export const LABRADOR = 'Labrador Retriever puppy';

interface Recorded {
  readonly petId: number;
  readonly delta: number;
  readonly quantityAfter: number;
}

/** What the ledger has of counts, as petId, change and quantity. */
export async function recorded(shop: Shop): Promise<number[][]> {
  const movements = (await shop.send('GET', '/movements?reason=cycle_count')) as Recorded[];
  return movements.map(({ petId, delta, quantityAfter }) => [petId, delta, quantityAfter]);
}

export async function choose(page: Page, words: string, name: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search or scan a pet' }).fill(words);
  await page.getByRole('button', { name }).first().click();
  await page.getByRole('heading', { name }).waitFor();
}

/** Counts with the number pad, as a thumb does. */
export async function count(page: Page, words: string, name: string, quantity: number): Promise<void> {
  await choose(page, words, name);
  for (const digit of String(quantity)) {
    await page
      .getByRole('group', { name: 'Number pad' })
      .getByRole('button', { name: digit, exact: true })
      .click();
  }
  await page.getByRole('button', { name: 'Save and next' }).click();
  await entry(page, name).first().waitFor();
}

/** From a key to the button of the scanner. */
const LIFT_MS = 500;

/**
 * A hand scanner reads a code. Its keys have exact times, however long a busy browser needs for each: tools that type
 * leave as much time between two keys as the machine makes them wait.
 */
export async function scan(page: Page, code: string, gapMs = 10): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  const startMs = LIFT_MS + ((await page.evaluate('performance.timeOrigin + performance.now()')) as number);
  const sent: Promise<unknown>[] = [];
  for (const [i, key] of [...code, 'Enter'].entries()) {
    const named =
      key === 'Enter' ? { key, code: key, text: '\r', windowsVirtualKeyCode: 13 } : { key, text: key };
    const timestamp = (startMs + i * gapMs) / 1_000;
    sent.push(
      browser.send('Input.dispatchKeyEvent', { type: 'keyDown', ...named, timestamp }),
      browser.send('Input.dispatchKeyEvent', { type: 'keyUp', key, timestamp }),
    );
  }
  // All keys are sent concurrently: the page ends a scan after a pause by its own clock.
  await Promise.all(sent);
  await browser.detach();
}

/** A person presses keys, one after the other. */
export async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  // The time that a key is held is the shortest time to the next one.
  for (const key of keys) await page.keyboard.press(key, { delay: 80 });
}

/** Entries of the running list. */
export const entry = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

/** The number pad's display with what is typed. */
export const counted = (page: Page, typed: string) =>
  page.getByLabel('Counted', { exact: true }).getByText(typed, { exact: true });

/** Opens count mode on a phone. */
export const openCount = async (
  t: Parameters<typeof openPage>[0],
  shop: Shop,
  options: PageOptions = {},
): Promise<Page> => {
  const page = await openPage(t, shop, { role: 'staff', path: '/count', viewport: PHONE, ...options });
  await page.getByText('Scan an id, or search a pet').waitFor();
  return page;
};
