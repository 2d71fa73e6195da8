import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../server/test/support/until.ts';
import { assertAccessible, assertAccessibleAtAnyWidth, openPage } from '../support/browser.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { XSS_PAYLOADS } from '../support/xss-payloads.ts';

interface Created {
  readonly id: string;
  readonly key: string;
}

const TABS = ['', '/keys', '/management-keys', '/bans', '/sessions'] as const;

const post = async (shop: Shop, path: string, body: unknown) =>
  (await shop.send('POST', path, body)) as Created;

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Sends requests without regard to `Retry-After`, until the key is banned. */
async function earnBan(shop: Shop, key: string): Promise<void> {
  const headers = { Authorization: `Bearer ${key}` };
  await until(async () => {
    const response = await fetch(`${shop.url}/v1/inventory`, { headers });
    await response.arrayBuffer();
    return ((await shop.send('GET', '/bans')) as unknown[]).length > 0;
  }, 'the key is banned');
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`access has no accessibility problem in ${colorScheme}, at any width`, async (t) => {
    const shop = await openShop(t);
    const account = await post(shop, '/accounts', { name: 'Salon', plan: 'free' });
    const key = await post(shop, '/keys', { accountId: account.id, name: 'till 1' });
    await earnBan(shop, key.key);
    const page = await openPage(t, shop, { path: '/access', colorScheme });
    const paths = [...TABS, `/accounts/${account.id}`, `/keys/${key.id}`];
    for (const path of paths) {
      await page.goto(`/access${path}`);
      await page
        .getByRole(path.startsWith('/keys/') ? 'dialog' : 'table')
        .first()
        .waitFor();
      await assertAccessibleAtAnyWidth(page);
    }
    await page.goto('/access/keys');
    await button(page, 'Create a key').click();
    await page.getByText('Choose', { exact: true }).click();
    await assertAccessible(page);
  });
}

test('a ban is lifted, and the key works again', async (t) => {
  const shop = await openShop(t, { isSample: false });
  const account = await post(shop, '/accounts', { name: 'Salon', plan: 'free' });
  const { id, key } = await post(shop, '/keys', { accountId: account.id, name: 'till 1' });
  await earnBan(shop, key);
  const page = await openPage(t, shop, { path: '/access/bans' });
  await page.getByText('1 key is banned').waitFor();
  await page.getByRole('row', { name: 'Salon' }).getByRole('link').click();
  await page.waitForURL(`**/access/keys/${id}`);
  await page.getByText('This key is banned until').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Lift the ban' }).click();
  await page.getByText('The ban is lifted').waitFor();
  await page.goto('/access/bans');
  await page.getByText('No key is banned').waitFor();
});

test('a management key is made, and the own key is revoked, by keyboard alone', async (t) => {
  const shop = await openShop(t, { isSample: false });
  const page = await openPage(t, shop, { path: '/access/management-keys' });
  await page.getByRole('table').waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('create a key');
  await page.getByRole('dialog').getByText('Create a key').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('radio', { name: 'Staff' }).waitFor();
  await page.keyboard.type('Nadia');
  await page.keyboard.press('Enter');
  await page.getByLabel('Management key', { exact: true }).waitFor();
  await button(page, 'I have stored it').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Nadia' }).waitFor();

  const session = (await page.evaluate(`fetch('/admin/v1/session').then((r) => r.json())`)) as {
    keyId: string;
    name: string;
  };
  await page.goto(`/access/management-keys/${session.keyId}`);
  await page.getByText('You signed in with this key').waitFor();
  await button(page, 'Revoke').focus();
  await page.keyboard.press('Enter');
  await page.getByText('your session ends too').waitFor();
  await page.keyboard.type(session.name);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/sign-in**');
});

test('the secret of a slow request is shown, and stays until it is stored', async (t) => {
  const shop = await openShop(t, { isSample: false });
  const page = await openPage(t, shop, { path: '/access/management-keys' });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/admin/v1/admin-keys', async (route) => {
    if (route.request().method() === 'POST') await released;
    await route.continue();
  });
  await button(page, 'Create a key').click();
  await page.getByLabel('Name').fill('Nadia');
  await page.keyboard.press('Enter');
  await page.locator('button[type="submit"][data-loading]').waitFor();
  await page.keyboard.press('Escape');
  release();
  const field = page.getByLabel('Management key', { exact: true });
  await field.waitFor();
  // The browser asks before it leaves the page.
  const asked = page.waitForEvent('dialog');
  const leaving = page.goto('/stock').catch(() => 'stayed');
  const question = await asked;
  assert.equal(question.type(), 'beforeunload');
  await question.dismiss();
  assert.equal(await leaving, 'stayed');
  assert.match(await field.inputValue(), /^psa_/);
});

test('names that try to be HTML stay text', async (t) => {
  const shop = await openShop(t, { isSample: false });
  const account = await post(shop, '/accounts', { name: XSS_PAYLOADS[1], plan: 'free' });
  for (const name of XSS_PAYLOADS) await post(shop, '/keys', { accountId: account.id, name });
  const page = await openPage(t, shop, { path: `/access/accounts/${account.id}` });
  await page.getByRole('heading', { name: XSS_PAYLOADS[1] as string }).waitFor();
  const rows = page.getByRole('table', { name: 'API keys' }).getByRole('link');
  await button(page, 'Show more').click();
  const names = await rows.locator('span:first-child').allTextContents();
  assert.deepEqual(new Set(names), new Set(XSS_PAYLOADS));
  await rows.first().click();
  await page
    .getByRole('dialog')
    .getByText(names[0] as string, { exact: true })
    .waitFor();
  await button(page, 'Revoke').click();
  await page.getByText('This cannot be undone.').waitFor();
  assert.notEqual(await page.title(), 'xss');
});

test('access speaks German', async (t) => {
  const shop = await openShop(t, { isSample: false });
  const page = await openPage(t, shop, { path: '/access', locale: 'de-DE' });
  await page.getByRole('heading', { name: 'Zugänge' }).waitFor();
  await page.getByRole('table', { name: 'Konten' }).waitFor();
  await button(page, 'Konto anlegen').click();
  await page.getByText('Eindeutig, etwa der Name des Ladens oder Programms.').waitFor();
});
