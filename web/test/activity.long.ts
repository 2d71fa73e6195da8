import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openPage } from './support/browser.ts';
import { openShop } from './support/shop.ts';

const rows = (page: Page) => page.getByRole('list', { name: 'Changes of stock' }).getByRole('listitem');

test('changes appear as they happen, and wait while older ones are read', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff', path: '/activity' });
  await rows(page).first().waitFor();
  await shop.send('POST', '/inventory/5/adjustments', {
    delta: 2,
    reason: 'received',
    note: 'From the farm',
  });
  await rows(page).first().getByText('From the farm').waitFor();
  await rows(page).first().getByRole('link', { name: 'Beagle puppy' }).waitFor();
  await rows(page).nth(40).scrollIntoViewIfNeeded();
  await page.locator('[data-holds]').waitFor({ state: 'attached' });
  const top = rows(page).first();
  await shop.send('POST', '/inventory/6/adjustments', { delta: 1, reason: 'received', note: 'Hidden yet' });
  await page.getByRole('button', { name: '1 new change' }).waitFor();
  assert.equal(await page.getByText('Hidden yet').count(), 0);
  await page.getByRole('button', { name: '1 new change' }).click();
  await top.getByText('Hidden yet').waitFor();
  await top.getByRole('button', { name: /Undo change/ }).click();
  await rows(page).first().getByText('Undoes change').waitFor();
});

test('the activity of a pet today is found by its name and one press', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'viewer', path: '/activity' });
  await rows(page).first().waitFor();
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('combobox', { name: 'Pet' }).fill('neon');
  await page.getByRole('option', { name: 'Neon tetra' }).click();
  await page.waitForURL('**/activity?petId=31');
  await page.getByRole('button', { name: /^Pet: Neon tetra/ }).waitFor();
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  const today = new Date().toISOString().slice(0, 10);
  await page.getByRole('button', { name: 'Today' }).click();
  await page.waitForURL(`**/activity?petId=31&since=${today}&until=${today}`);
  await rows(page).filter({ hasText: 'Neon tetra' }).first().waitFor();
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('button', { name: 'Yesterday' }).click();
  await page.getByText('No change matches').waitFor();
});

test('filters are in the address, and the export has what they show', async (t) => {
  const shop = await openShop(t);
  await shop.send('POST', '/inventory/1/adjustments', { delta: 3, reason: 'received', note: '=1+1' });
  await shop.send('POST', '/inventory/2/adjustments', { delta: -1, reason: 'damaged' });
  const page = await openPage(t, shop, { role: 'viewer', path: '/activity' });
  await rows(page).first().waitFor();
  await page.keyboard.press('f');
  await page.getByRole('combobox', { name: 'Reason' }).click();
  await page.getByRole('option', { name: 'Received' }).click();
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL('**/activity?reason=received');
  await page.getByText('1 change shown').waitFor();
  await rows(page).getByText('=1+1').waitFor();
  assert.equal(await page.getByRole('button', { name: /Undo change/ }).count(), 0);
  await shop.send('POST', '/inventory/2/adjustments', { delta: -1, reason: 'damaged' });
  await shop.send('POST', '/inventory/1/adjustments', { delta: 1, reason: 'received' });
  await page.getByText('2 changes shown').waitFor();

  await page.getByRole('button', { name: 'Export' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'CSV' }).click();
  const file = await readFile(await (await download).path(), 'utf8');
  const lines = file.trimEnd().split('\r\n');
  assert.equal(lines.length, 3);
  assert.match(lines[0] ?? '', /^sequence,recordedAt,petId,kind,/);
  assert.match(lines[2] ?? '', /,1,adjust,3,4,7,.*,received,'=1\+1,/);
  await page.getByText('Exported 2 entries').waitFor();

  await page.goto('/activity?reason=received&actor=service');
  await page.getByText('No change matches').waitFor();
  await page.getByText('Reason, Author excludes every change.').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).last().click();
  await page.waitForURL('**/activity');
  await rows(page).first().waitFor();

  // A day that no calendar has is no filter.
  await page.goto('/activity?until=2026-99-99');
  await rows(page).first().waitFor();
});
