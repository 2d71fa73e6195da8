import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessibleAtAnyWidth, openPage } from './support/browser.ts';
import { LISTED_PAGES } from './support/page-list.ts';
import { openShop } from './support/shop.ts';
import { XSS_PAYLOADS } from './support/xss-payloads.ts';

const OWN = /^(?:overview|pet|activity)/;

for (const colorScheme of ['light', 'dark'] as const) {
  test(`a pet, activity and overview have no accessibility problem in ${colorScheme}`, async (t) => {
    const shop = await openShop(t);
    await shop.send('POST', '/inventory/31/adjustments', { delta: 6, reason: 'received', note: 'By van' });
    for (const { path, prepare } of LISTED_PAGES.filter(({ name }) => OWN.test(name))) {
      const page = await openPage(t, shop, { path, colorScheme });
      await prepare(page);
      await assertAccessibleAtAnyWidth(page);
    }
  });
}

test('names, notes and references that try to be HTML stay text', async (t) => {
  const shop = await openShop(t, { isSample: false });
  await shop.send('POST', '/pets', { petId: 1, name: XSS_PAYLOADS[0], category: XSS_PAYLOADS[1] });
  for (const note of XSS_PAYLOADS) {
    const texts = { note, referenceId: note.slice(0, 50), referenceDocumentUri: 'javascript:alert(1)' };
    await shop.send('POST', '/inventory/1/adjustments', { delta: 1, reason: 'received', ...texts });
  }
  const page = await openPage(t, shop, { path: '/pets/1' });
  const newest = XSS_PAYLOADS.at(-1) ?? '';
  const changes = page.getByRole('list', { name: 'Changes' });
  await changes.getByText(newest, { exact: true }).first().waitFor();
  // A click while older ones are read does nothing.
  for (const shown of [100, XSS_PAYLOADS.length + 1]) {
    await page.getByRole('button', { name: 'Show older changes' }).click();
    await changes
      .getByRole('listitem')
      .nth(shown - 1)
      .waitFor();
  }
  const [oldest = ''] = XSS_PAYLOADS;
  await changes.getByText(oldest, { exact: true }).first().waitFor();
  await page.goto('/activity');
  await page
    .getByRole('list', { name: 'Changes of stock' })
    .getByText(newest, { exact: true })
    .first()
    .waitFor();
  await page.goto('/');
  await page
    .getByRole('list', { name: 'Recent changes' })
    .getByText(newest, { exact: true })
    .first()
    .waitFor();
});

test('a pet without stock is archived and restored, and its status is changed', async (t) => {
  const shop = await openShop(t);
  await shop.send('PATCH', '/inventory/1', { quantity: 0 });
  const page = await openPage(t, shop, { role: 'staff', path: '/pets/1' });
  await page.getByRole('button', { name: 'Available' }).click();
  await page.getByRole('menuitem', { name: 'Sold' }).click();
  await page.getByText('Labrador Retriever puppy is now: Sold').waitFor();
  await page.getByRole('button', { name: 'Sold' }).click();
  await page.getByRole('menuitem', { name: 'Available' }).waitFor();
  await shop.send('PUT', '/inventory/1/status', { status: 'pending' });
  await page.getByRole('menuitem', { name: 'Available' }).click();
  await page.getByRole('alert').getByText('somebody has set Pending meanwhile').waitFor();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Archive' }).click();
  await page.getByText('This pet is archived.').waitFor();
  await page.keyboard.press('u');
  await page.getByText('This pet is archived.').waitFor({ state: 'hidden' });
});

test('a viewer sees the chart as a table, and changes nothing', async (t) => {
  const shop = await openShop(t);
  await shop.send('POST', '/inventory/1/adjustments', { delta: 6, reason: 'received', note: 'By van' });
  const page = await openPage(t, shop, { role: 'viewer', path: '/pets/1' });
  await page.getByRole('img', { name: /Quantity from .* to 10/ }).waitFor();
  await page.getByRole('button', { name: 'Show as table' }).click();
  await page.getByRole('cell', { name: '+6' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Edit details' }).count(), 0);
  assert.equal(await page.getByRole('button', { name: /Undo change/ }).count(), 0);
  await page.keyboard.press('e');
  assert.equal(await page.getByRole('dialog').count(), 0);
  await page.goto('/pets/777');
  await page.getByText('There is no such pet').waitFor();
});
