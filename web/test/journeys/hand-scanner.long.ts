import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { counted, entry, LABRADOR, openCount, press, recorded, scan } from '../count/count-phone.ts';
import { openShop } from '../support/shop.ts';

/** Types a count of the pet that was scanned first, and leaves it open. */
async function typeCount(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Neon tetra' }).waitFor();
  await press(page, '3', '5');
  await counted(page, '35').waitFor();
}

/** Waits until the pet that was scanned next has ended that count. */
async function waitUntilRecorded(page: Page): Promise<void> {
  await page.getByRole('heading', { name: LABRADOR }).waitFor();
  await entry(page, 'Neon tetra').getByText('Recorded').waitFor();
}

test('a hand scanner works anywhere, and ends the count before it', async (t) => {
  const shop = await openShop(t);
  const page = await openCount(t, shop);
  await scan(page, '0031');
  await typeCount(page);
  await page.getByRole('searchbox', { name: 'Search or scan a pet' }).focus();
  await scan(page, '1');
  await waitUntilRecorded(page);
  await scan(page, '99999');
  await page.getByText('No pet has the code 99999').waitFor();
  assert.deepEqual(await recorded(shop), [[31, -305, 35]]);
});

test('a slow phone knows a hand scanner by when it pressed the keys, not by when the page had time', async (t) => {
  const shop = await openShop(t);
  const page = await openCount(t, shop);
  await scan(page, '0031');
  await typeCount(page);
  // The page needs longer for each key than a person between two.
  await page.evaluate(`window.addEventListener('keydown', () => {
    const end = performance.now() + 120;
    while (performance.now() < end);
  })`);
  await scan(page, '0001');
  await waitUntilRecorded(page);
  assert.deepEqual(await recorded(shop), [[31, -305, 35]]);
});

test('a scanner as slow as a person finds pets in the search field, and loses no count', async (t) => {
  const shop = await openShop(t);
  const page = await openCount(t, shop);
  const search = page.getByRole('searchbox', { name: 'Search or scan a pet' });
  await search.focus();
  await scan(page, '31', 120);
  await typeCount(page);
  await search.focus();
  await scan(page, '1', 120);
  await waitUntilRecorded(page);
  assert.deepEqual(await recorded(shop), [[31, -305, 35]]);
});

test('the next pet does not end a count that the device cannot keep', async (t) => {
  const shop = await openShop(t);
  const page = await openCount(t, shop);
  await scan(page, '31');
  await typeCount(page);
  await page.evaluate('Storage.prototype.setItem = () => { throw new Error("full"); }');
  await scan(page, '0001');
  await page.getByRole('alert').getByText('cannot keep another count').waitFor();
  await counted(page, '35').waitFor();
});

test('a connection that is lost without a sign holds up counts only for a while', async (t) => {
  const shop = await openShop(t);
  const page = await openCount(t, shop);
  let requests = 0;
  await page.route('**/inventory/31', (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    requests += 1;
    return requests === 1 ? undefined : route.continue();
  });
  await scan(page, '31');
  await page.getByRole('heading', { name: 'Neon tetra' }).waitFor();
  await press(page, '3', '5', 'Enter');
  await entry(page, 'Neon tetra').getByText('Recorded').waitFor();
  assert.equal(requests, 2);
  assert.deepEqual(await recorded(shop), [[31, -305, 35]]);
});
