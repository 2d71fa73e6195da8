import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { openPage, type PageOptions } from './browser.ts';
import type { Shop } from './shop.ts';

/** The script has 5 MB, and other tests use the processor too. */
export const RENDER_TIMEOUT_MS = 90_000;

/** Opens the documentation, and waits until it shows its guides. */
export async function openDocs(
  t: Pick<TestContext, 'after'>,
  shop: Shop,
  { path = '/docs', ...options }: PageOptions = {},
): Promise<Page> {
  const page = await openPage(t, shop, { ...options, role: null, path });
  page.setDefaultTimeout(RENDER_TIMEOUT_MS);
  await page.locator('.introduction-section h1').first().waitFor();
  return page;
}

/** Searches a word, and waits until a heading or an operation of this name is found. */
export async function findInDocs(page: Page, word: string): Promise<void> {
  const field = page.getByRole('combobox', { name: 'Enter search query' });
  if (!(await field.isVisible())) await page.keyboard.press('Control+k');
  await field.fill(word);
  await page.locator(`[role="option"][id$="/${word}"]`).waitFor();
}

/** Opens the form of an operation, and sends its request with a key. */
export async function tryOperation(page: Page, operationId: string, key: string): Promise<void> {
  await page.locator('.introduction-section').getByPlaceholder('Token').fill(key);
  const section = page.locator(`[id$="/${operationId}"]`).first();
  await section.scrollIntoViewIfNeeded();
  await section.getByRole('button', { name: /Test Request/ }).click();
  await page.getByRole('button', { name: /^Send \w+ request/ }).click();
}
