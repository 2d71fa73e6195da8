import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../server/test/support/until.ts';
import { assertAccessible, openPage } from './support/browser.ts';
import { openShop } from './support/shop.ts';

test('an administrator verifies the database, and counts what a prune would delete', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { path: '/system/ledger' });
  const verify = page.getByRole('button', { name: 'Verify' });
  await verify.click();
  await page.getByText('Everything is correct').waitFor();
  await page.getByLabel('Compare with a noted hash').fill('not a hash');
  await page.getByText('A sequence, a space and 64 hexadecimal digits.').waitFor();
  assert.equal(await verify.isDisabled(), true);
  await page.getByLabel('Compare with a noted hash').fill(`1 ${'0'.repeat(64)}`);
  await verify.click();
  await page.getByText('1 fault', { exact: true }).waitFor();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Count what would be deleted' }).click();
  await page.getByText('No movement is that old.').waitFor();
  // The results stay while the person is elsewhere.
  await page.getByRole('link', { name: 'State', exact: true }).click();
  await page.getByText('Default thresholds').waitFor();
  await page.getByRole('link', { name: 'Ledger' }).click();
  await page.getByText('1 fault', { exact: true }).waitFor();
});

test('old movements are deleted after their number is shown and a word is typed', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { path: '/system/ledger' });
  const pruned = { movements: 4_651, start: { sequence: 9, recordedAt: '2026-01-01T00:00:00.000Z' } };
  const bodies: unknown[] = [];
  await page.route('**/ledger/prune', async (route) => {
    const body = route.request().postDataJSON() as { dryRun?: boolean };
    bodies.push(body);
    await route.fulfill({ json: { ...(body.dryRun && { dryRun: true, endpointsBehind: 2 }), ...pruned } });
  });
  await page.getByRole('button', { name: 'Count what would be deleted' }).click();
  await page.getByText('4,651 movements would be deleted.').waitFor();
  await page.getByText('2 webhook endpoints have not received all of them').waitFor();
  await page.getByRole('button', { name: 'Delete them' }).click();
  const dialog = page.getByRole('dialog', { name: 'Prune the ledger' });
  const action = dialog.getByRole('button', { name: 'Delete them' });
  assert.equal(await action.isDisabled(), true);
  await dialog.getByLabel('Type prune to confirm').fill('prune');
  await action.click();
  await page.getByText('Deleted 4,651 movements').waitFor();
  assert.deepEqual(bodies, [{ keepDays: 730, dryRun: true }, { keepDays: 730 }]);
});

test('a service that is not ready says why', async (t) => {
  const shop = await openShop(t);
  const full = 'The disk of the database is full: changes are refused until it has room.';
  const json = { code: 'service_unavailable', message: full, status: 503 };
  const expected = /^Failed to load resource/;
  const prepare = async (page: Page) =>
    void (await page.route('**/readyz', (route) => route.fulfill({ status: 503, json })));
  const page = await openPage(t, shop, { path: '/system', expected, prepare });
  await page.getByText('Not all served').waitFor();
  await page.getByText(full, { exact: true }).waitFor();
});

test('staff sets the default thresholds and undoes it; the activity log has both', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff', path: '/system' });
  await page.getByText('Served', { exact: true }).waitFor();
  await page.getByText('268.4 MB').waitFor();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Default thresholds' });
  await dialog.getByLabel('Low at').fill('2');
  await dialog.getByLabel('Enough at').fill('2');
  await dialog.getByText('It must be greater than the other one.').waitFor();
  await dialog.getByLabel('Enough at').fill('5');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Changed the thresholds').waitFor();
  assert.deepEqual(await shop.send('GET', '/thresholds'), { lowStockAt: 2, restockAt: 5 });
  await page.keyboard.press('u');
  await page.getByText('Undone').waitFor();
  assert.deepEqual(await shop.send('GET', '/thresholds'), { lowStockAt: null, restockAt: null });
  await page.getByRole('link', { name: 'Activity log' }).click();
  await page.getByLabel('Action').selectOption('orders.place');
  await page.waitForURL('**/system/log?action=orders.place');
  await page.getByLabel('Action').selectOption('thresholds.set');
  await page.waitForURL('**/system/log?action=thresholds.set');
  // The list before it stays while it is read.
  await until(
    async () => (await page.getByRole('row', { name: 'signed in' }).count()) === 0,
    'others are gone',
  );
  await page.getByRole('row', { name: 'changed the thresholds of the shop' }).nth(1).waitFor();
  assert.equal(await page.getByRole('row', { name: 'changed the thresholds of the shop' }).count(), 2);
  await assertAccessible(page);
  await page.getByLabel('Target').fill('nothing');
  await page.getByText('No line matches the filters').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('row', { name: 'signed in' }).waitFor();
});

test('the page of the system shows the newest backup, and that it is old', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'viewer', path: '/system' });
  await page.getByText('None yet').waitFor();
  const facts = (await shop.send('GET', '/system')) as Record<string, unknown>;
  const madeAt = new Date(Date.parse(String(facts.startedAt)) - 27 * 3_600_000).toISOString();
  const newestBackup = { madeAt, ageSeconds: 27 * 3_600, sequence: 9, bytes: 4_200_000 };
  await page.route('**/admin/v1/system', (route) => route.fulfill({ json: { ...facts, newestBackup } }));
  await page.reload();
  await page.getByText('4.2 MB').waitFor();
  await page.getByText('Old', { exact: true }).waitFor();
  await assertAccessible(page);
});

test('a viewer sees the ledger and the log, and may not verify or prune', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'viewer', path: '/system/ledger' });
  for (const name of ['Verify', 'Count what would be deleted']) {
    const button = page.getByRole('button', { name });
    await button.waitFor();
    assert.equal(await button.getAttribute('aria-disabled'), 'true');
  }
  await page.getByRole('link', { name: 'State', exact: true }).click();
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Edit' }).getAttribute('aria-disabled'), 'true');
});
