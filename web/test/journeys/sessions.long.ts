import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { createKey } from '../../../server/src/cli/keys/new-key.ts';
import { until } from '../../../server/test/support/until.ts';
import { openPage } from '../support/browser.ts';
import { openShop, type Shop } from '../support/shop.ts';

/** A key that ends while a test looks on, but not before its browser has started. */
const SHORT_LIFE_MS = 25_000;

const keyField = (page: Page) => page.getByLabel('Management key');

async function signIn(page: Page, key: string): Promise<void> {
  await keyField(page).fill(key);
  await page.keyboard.press('Enter');
}

async function endSessions(shop: Shop): Promise<void> {
  const sessions = (await shop.send('GET', '/sessions')) as { sessionId: string }[];
  for (const { sessionId } of sessions) await shop.send('DELETE', `/sessions/${sessionId}`);
}

/** The status of a request with the cookie of a page. */
async function statusOf(page: Page, shop: Shop): Promise<number> {
  const [cookie] = await page.context().cookies();
  const answer = await fetch(`${shop.url}/admin/v1/session`, {
    headers: { Cookie: `${cookie?.name}=${cookie?.value}` },
  });
  return answer.status;
}

/** The path with the code of a new sign-in link. */
async function linkOf(shop: Shop): Promise<string> {
  const { link } = await shop.service.cli('login-link');
  const { pathname, hash } = new URL(String(link));
  return pathname + hash;
}

test('a link signs in one time, and a used one says how to get another', async (t) => {
  const shop = await openShop(t);
  const path = await linkOf(shop);
  const page = await openPage(t, shop, { role: null, path });
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  assert.equal(new URL(page.url()).hash, '', 'the code is not in the address');
  await page.goBack();
  assert.doesNotMatch(page.url(), /code/, 'nor in the history');

  const other = await openPage(t, shop, { role: null, path });
  await other.getByRole('alert').getByText('petstore-server login-link').waitFor();
  await signIn(other, await shop.makeKey('viewer'));
  await other.getByRole('heading', { name: 'Overview' }).waitFor();
});

test('a key signs in, and the sign-out ends its session everywhere', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: null, path: '/orders' });
  await signIn(page, await shop.makeKey('staff'));
  await page.waitForURL('**/orders');
  const [cookie] = await page.context().cookies();
  assert.equal(cookie?.httpOnly, true);
  const tab = await page.context().newPage();
  await tab.goto('/stock');
  await tab.locator('#row-1').waitFor();

  await page.getByRole('button', { name: 'Account: staff' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await keyField(page).waitFor();
  await keyField(tab).waitFor();
  const answer = await fetch(`${shop.url}/admin/v1/session`, {
    headers: { Cookie: `${cookie?.name}=${cookie?.value}` },
  });
  assert.equal(answer.status, 401);
  await page.goto('/orders');
  await keyField(page).waitFor();
});

test('a page whose session was ended says so, and returns to its place after the sign-in', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff', path: '/stock?status=sold' });
  await page.getByRole('row', { name: 'Miniature Dachshund' }).waitFor();
  await endSessions(shop);
  await page.getByText('Your session has ended. Sign in to continue.').waitFor();
  await signIn(page, await shop.makeKey('staff'));
  await page.waitForURL('**/stock?status=sold');
  // The live stream is back too.
  const row = page.getByRole('row', { name: 'Miniature Dachshund' });
  const petId = ((await row.getAttribute('id')) ?? '').replace('row-', '');
  await shop.send('PATCH', `/inventory/${petId}`, { quantity: 70 });
  await row.getByRole('button', { name: 'Quantity of Miniature Dachshund puppy: 70' }).waitFor();
});

test('typed text survives the session, and a refused change is made after the sign-in', async (t) => {
  const shop = await openShop(t);
  const key = await shop.makeKey('staff');
  const page = await openPage(t, shop, { role: null, path: '/stock?category=Dogs' });
  await signIn(page, key);
  await page.locator('#row-1').click();
  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Change' }).fill('+3');
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Two boxes');
  await endSessions(shop);
  await page.getByText('Your session has ended. Sign in to continue.').waitFor();
  assert.equal(await dialog.count(), 0, 'the dialog is hidden');
  assert.equal(await page.getByRole('row').count(), 0);
  // Somebody else changes a pet meanwhile.
  await shop.send('POST', '/inventory/2/adjustments', { delta: 7, reason: 'restock' });
  await signIn(page, key);
  assert.equal(await dialog.getByRole('textbox', { name: 'Note' }).inputValue(), 'Two boxes');
  await dialog.getByText('7', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Adjust stock' }).click();
  await page.getByText('Changed 1 pet').waitFor();
  await page.locator('#row-1').getByRole('button', { name: ': 7' }).waitFor();
  await page.locator('#row-2').getByRole('button', { name: ': 10' }).waitFor();
  assert.equal(await page.locator('#row-1').count(), 1, 'no row is there two times');

  // The edit itself meets the end of the session.
  await page.route('**/movements/stream*', (route) => route.abort());
  await page.locator('#row-1 [data-cell="quantity"]').click();
  await endSessions(shop);
  // With PostgreSQL an instance may need five seconds for it.
  await until(async () => (await statusOf(page, shop)) === 401, 'the session is over');
  await page.keyboard.type('9');
  await page.keyboard.press('Enter');
  await keyField(page).waitFor();
  await page.unrouteAll();
  await signIn(page, key);
  // Where the stream was found lost before the edit was made, the edit waits and is sent without a message.
  const newest = async () => {
    const read = await shop.send('GET', '/inventory/1/movements?order=desc&limit=1');
    return (read as { quantityAfter: number }[])[0]?.quantityAfter;
  };
  await until(async () => (await newest()) === 9, 'the edit is made after the sign-in');
  await page.locator('#row-1').getByRole('button', { name: ': 9' }).waitFor();

  // Nothing of it is for somebody else.
  await page.keyboard.press('e');
  await dialog.getByRole('textbox', { name: 'Note' }).fill('For my eyes');
  await endSessions(shop);
  await keyField(page).waitFor();
  await signIn(page, await shop.makeKey('staff'));
  await page.locator('#row-1').waitFor();
  assert.equal(await dialog.count(), 0);
});

test('a session ends with its key while the page is open', async (t) => {
  const shop = await openShop(t);
  const expiresAtMs = Date.now() + SHORT_LIFE_MS;
  const { secret } = await shop.service.withAdmin((admin, config) =>
    createKey(config, admin, { role: 'staff', name: 'temp', scopes: null, expiresAtMs }),
  );
  const page = await openPage(t, shop, { role: null, path: '/orders' });
  await signIn(page, secret);
  await page.getByRole('row', { name: 'phone-17' }).waitFor();
  await page.getByText('Your session has ended. Sign in to continue.').waitFor({ timeout: 120_000 });
  assert.ok(Date.now() >= expiresAtMs, 'not earlier');
  assert.equal(await page.getByRole('row', { name: 'phone-17' }).count(), 0, 'nothing of the shop stays');
  await signIn(page, await shop.makeKey('viewer'));
  await page.waitForURL('**/orders');
  await page.getByRole('row', { name: 'phone-17' }).waitFor();
});

test('sessions are listed, and one of them is ended; the own one signs out', async (t) => {
  const shop = await openShop(t);
  const theirs = await openPage(t, shop, { role: 'staff', path: '/stock' });
  const page = await openPage(t, shop, { path: '/access/sessions' });
  const table = page.getByRole('table', { name: 'Sessions' });
  await table.getByRole('row', { name: 'staff' }).waitFor();
  await table.getByRole('row', { name: 'This session' }).waitFor();
  await page.getByRole('button', { name: 'End the session of staff' }).click();
  await page.getByText('The session of staff has ended').waitFor();
  await table.getByRole('row', { name: 'staff' }).waitFor({ state: 'detached' });
  await theirs.getByText('Your session has ended').waitFor();
  await table.getByRole('button', { name: 'Sign out' }).click();
  await keyField(page).waitFor();
});
