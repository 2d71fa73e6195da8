import type { Page } from 'playwright-core';
import type { Shop } from './shop.ts';

interface Stock {
  readonly quantity: number;
  readonly reserved: number;
}

/** The quantity of a pet, and how much of it is reserved. */
export async function stockOf(shop: Shop, petId: number): Promise<readonly number[]> {
  const { quantity, reserved } = (await shop.send('GET', `/inventory/${petId}`)) as Stock;
  return [quantity, reserved];
}

export const place = (shop: Shop, petId: number, quantity: number, referenceId?: string) =>
  shop.send('POST', '/store/orders', { lines: [{ petId, quantity }], referenceId });

/** Adds a line to the new order of the page. */
export async function addPet(page: Page, words: string, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Add a pet' }).fill(words);
  await page.getByRole('option', { name, exact: false }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: `Units of ${name}` }).waitFor();
}
