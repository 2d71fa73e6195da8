import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { openPage, type PageOptions } from './browser.ts';
import type { Shop } from './shop.ts';

/** The script has 5 MB, and other tests use the processor too. */
export const RENDER_TIMEOUT_MS = 90_000;

/** Opens a page of the documentation. */
export async function openDocs(
  t: Pick<TestContext, 'after'>,
  shop: Shop,
  { path = '/docs', ...options }: PageOptions = {},
): Promise<Page> {
  const page = await openPage(t, shop, { ...options, role: null, path });
  page.setDefaultTimeout(RENDER_TIMEOUT_MS);
  return page;
}

/** Opens the reference, and waits until it shows its operations. */
export async function openReference(
  t: Pick<TestContext, 'after'>,
  shop: Shop,
  { path = '/docs/reference', ...options }: PageOptions = {},
): Promise<Page> {
  const page = await openDocs(t, shop, { ...options, path });
  await page.locator('.introduction-section h1').first().waitFor();
  return page;
}

/** Opens the form of an operation, and sends its request with a key. */
export async function tryOperation(page: Page, operationId: string, key: string): Promise<void> {
  await page.locator('.introduction-section').getByPlaceholder('Token').fill(key);
  const section = page.locator(`[id$="/${operationId}"]`).first();
  await section.scrollIntoViewIfNeeded();
  await section.getByRole('button', { name: /Test Request/ }).click();
  await page.getByRole('button', { name: /^Send \w+ request/ }).click();
}
