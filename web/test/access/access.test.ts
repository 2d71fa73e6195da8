import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../server/test/support/until.ts';
import { openPage, twoFrames } from '../support/browser.ts';
import { serviceTime } from '../support/service-day.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { isSkippedDaily } from '../../../server/test/support/long-test.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** The secret that the dialog shows, which is closed. */
async function takeSecret(page: Page, label: string): Promise<string> {
  const dialog = page.getByRole('dialog').filter({ hasText: 'It is not shown again.' });
  const secret = await dialog.getByLabel(label).inputValue();
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await dialog.getByRole('button', { name: 'Copied' }).waitFor();
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  await dialog.waitFor({ state: 'detached' });
  return secret;
}

async function statusWith({ url }: Shop, key: string): Promise<number> {
  const response = await fetch(`${url}/v1/inventory/1`, { headers: { Authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  return response.status;
}

test('a key is made, used, rotated, found by its secret, and revoked', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { path: '/access' });

  await button(page, 'Create an account').click();
  await page.getByLabel('Name').fill('Web shop');
  // What a plan allows is said before it is chosen.
  const dialog = page.getByRole('dialog');
  await dialog.getByText('300 per minute, 10,000 per day').waitFor();
  await dialog.getByText('Business').click();
  await dialog.getByText('1,000 per minute, 100,000 per day').waitFor();
  await page.getByRole('dialog').getByText('Enterprise').click();
  await page.getByLabel('Per minute').fill('5000');
  await page.getByLabel('Per day').fill('2000000');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Web shop' }).waitFor();
  await page.getByText('Enterprise: 5,000 per minute, 2,000,000 per day').waitFor();

  await button(page, 'Create a key').click();
  await page.getByLabel('Name').fill('till 1');
  await page.getByText('Choose what the key may do.').waitFor();
  await page.getByText('share 5,000 requests per minute and 2,000,000 per day').waitFor();
  assert.equal(await button(page, 'Create the key').isDisabled(), true, 'no scope is chosen');
  await page.getByText('Read only').click();
  await button(page, 'Create the key').click();
  const first = await takeSecret(page, 'API key');
  assert.equal(await statusWith(shop, first), 200);
  assert.equal(
    await page
      .evaluate('document.documentElement.outerHTML')
      .then(String)
      .then((html) => html.includes(first)),
    false,
  );

  await page.getByRole('link', { name: 'till 1' }).click();
  await button(page, 'Rotate').click();
  await page.getByRole('combobox', { name: 'Overlap' }).click();
  await page.getByRole('option', { name: 'None' }).click();
  await button(page, 'Make the new key').click();
  await page.getByText('The old key does not work any more.').waitFor();
  const second = await takeSecret(page, 'API key');
  assert.equal(await statusWith(shop, second), 200);
  await until(async () => (await statusWith(shop, first)) === 401, 'the old key is refused');

  await page.goto('/access/keys');
  await page.getByLabel('Search, or paste a key').fill(second);
  await page
    .getByRole('row', { name: `…${second.slice(-4)}` })
    .getByRole('link')
    .click();
  await button(page, 'Revoke').click();
  assert.equal(await button(page, 'Revoke the key').isDisabled(), true);
  await page.getByLabel('Type till 1 to confirm').fill('till 1');
  await page.keyboard.press('Enter');
  await page.getByText('Revoked the key till 1').waitFor();
  await page.getByRole('dialog').getByText('Revoked', { exact: true }).first().waitFor();
  await until(async () => (await statusWith(shop, second)) === 401, 'the revoked key is refused');
});

test('the first day on which a key may expire is that of the person', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t, { isSample: false });
  await shop.send('POST', '/accounts', { name: 'Salon', plan: 'free' });
  const now = await serviceTime(shop);
  // It is another day there than in UTC: yesterday or tomorrow.
  const timezoneId = now.getUTCHours() < 10 ? 'Etc/GMT+12' : 'Etc/GMT-14';
  const page = await openPage(t, shop, { path: '/access', timezoneId });
  await page.getByRole('link', { name: 'Salon' }).click();
  await button(page, 'Create a key').click();
  await page.getByRole('combobox', { name: 'Expires' }).click();
  await page.getByRole('option', { name: 'On a date' }).click();
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: timezoneId }).format(now);
  assert.equal(await page.getByLabel('Last day').getAttribute('min'), today);
});

test('a plan is changed, and the change is undone', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t, { isSample: false });
  const account = (await shop.send('POST', '/accounts', { name: 'Salon', plan: 'free' })) as { id: string };
  const page = await openPage(t, shop, { path: `/access/accounts/${account.id}` });
  await page.getByText('0 of 60').waitFor();
  await page.keyboard.press('e');
  await page.getByRole('dialog').getByText('Business', { exact: true }).click();
  await button(page, 'Save').click();
  await page.getByText('Business: 1,000 per minute, 100,000 per day').waitFor();
  await page.keyboard.press('Control+z');
  await page.getByText('Free: 60 per minute, 1,000 per day').waitFor();
  await button(page, 'Show as table').click();
  assert.equal(await page.getByRole('table', { name: 'Last 30 days (UTC)' }).getByRole('row').count(), 31);
});

test('a key that is made while the list is read for the first time is in the list', async (t) => {
  const shop = await openShop(t, { isSample: false });
  const made = Promise.withResolvers<void>();
  const prepare = async (opened: Page) => {
    await opened.route(
      '**/admin/v1/admin-keys?*',
      async (route) => {
        const early = await route.fetch();
        await made.promise;
        await route.fulfill({ response: early });
      },
      { times: 1 },
    );
  };
  const page = await openPage(t, shop, { path: '/access/management-keys', prepare });
  await button(page, 'Create a key').click();
  await page.getByLabel('Name').fill('Evening shift');
  await page.getByRole('radio', { name: 'Viewer' }).click();
  await button(page, 'Create the key').click();
  await page.getByText(`A person signs in with it at ${shop.url}`).waitFor();
  await takeSecret(page, 'Management key');
  made.resolve();
  await page.getByRole('link', { name: 'Evening shift' }).waitFor();
});

test('what is counted, found and chosen is of all records, also of a list that does not load whole by itself', async (t) => {
  const pets = [{ petId: 1n, quantity: 5, status: 'available' as const }];
  const shop = await openShop(t, { isSample: false, pets });
  const account = (await shop.send('POST', '/accounts', { name: 'Chain', plan: 'free' })) as { id: string };
  const [perPage, pages] = [1_000, 12];
  const keyAt = (index: number) => ({
    ...{ id: `key_${String(index).padStart(16, '0')}`, hint: `psk_live_…${index}` },
    // Two keys that share a name are not on the first page.
    name: index === 11_001 || index === 11_002 ? 'twin' : `till ${index}`,
    ...{ state: 'active', createdAt: '2026-07-01T07:30:00.000Z', expiresAt: null, revokedAt: null },
    ...{ lastUsedAt: null, rotatedFrom: null, accountId: account.id, scopes: ['inventory:read'] },
  });
  let isWithheld = true;
  /** The page that was read last. */
  let read = 0;
  /** The words that the service was asked for. */
  const searched: string[] = [];
  const page = await openPage(t, shop, {
    path: '/access/keys',
    prepare: async (opening) => {
      await opening.route(/\/admin\/v1\/keys\?/, async (route) => {
        const parameters = new URL(route.request().url()).searchParams;
        const words = parameters.get('q');
        if (words !== null) {
          searched.push(words);
          if (isWithheld) return route.fulfill({ status: 503, json: {} });
          const all = Array.from({ length: perPage * pages }, (_, index) => keyAt(index));
          return route.fulfill({ json: all.filter(({ id, name }) => name.includes(words) || id === words) });
        }
        const number = Number(parameters.get('cursor') ?? '0');
        read = number + 1;
        if (read === pages && isWithheld) return route.fulfill({ status: 503, json: {} });
        const json = Array.from({ length: perPage }, (_, index) => keyAt(number * perPage + index));
        const link = `</admin/v1/keys?cursor=${read}>; rel="next"`;
        return route.fulfill({ json, headers: read < pages ? { Link: link } : {} });
      });
    },
  });
  await page.getByText('10,000+ keys work').waitFor();
  const search = page.getByRole('searchbox', { name: 'Search, or paste a key' });
  await search.fill('till 11999');
  // The service cannot search: nothing says that there is no such key.
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  assert.equal(await page.getByText('Nothing matches').count(), 0);
  // What is found is not all, on the page and in a file.
  await search.fill('till 1199');
  await page.getByRole('row', { name: /till 1199/ }).waitFor();
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  await page.getByRole('button', { name: 'Export CSV' }).click();
  await page.getByText('Exported the first 1 entries').waitFor();
  await search.fill('till 11999');
  isWithheld = false;
  await page.getByRole('row', { name: /till 11999/ }).waitFor();
  await search.fill('till of another shop');
  await page.getByText('Nothing matches').waitFor();
  // The service has found what the pages that load by themselves do not have, and no secret was sent to it.
  await search.fill('psk_live_AAAAAAAAAAAAAAAA1234');
  await until(() => searched.includes('psk_live_…1234'), 'the service looks for the hint of a whole key');
  await page.getByText('Nothing matches').waitFor();
  assert.doesNotMatch(searched.join(), /psk_live_A/);
  await page.getByText('10,000+ keys work').waitFor();
  assert.equal(read, 10, 'no search reads all pages');
  await search.fill('psk_live_AAAA');
  await page.getByText('12,000 keys work').waitFor();
  await page.getByText('Nothing matches').waitFor();

  read = 0;
  await page.goto('/access');
  const row = page.getByRole('row', { name: /^Chain/ });
  await row.waitFor();
  await until(() => read === 10, 'the pages that load by themselves are read');
  await twoFrames(page);
  const cells = await row.getByRole('cell').allInnerTexts();
  assert.equal(cells[7], '–', 'keys of a part of the list are not the keys of an account');

  isWithheld = false;
  read = 0;
  await page.goto('/activity');
  await button(page, 'Filter').click();
  await page.getByRole('combobox', { name: 'Author' }).fill('till 11999');
  await page.getByRole('option', { name: 'till 11999' }).click();
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL(`**/activity?actor=${keyAt(11_999).id}`);
  assert.deepEqual([read, searched.includes('till 11999')], [1, true], 'the service finds the author');
  await page.getByText('till 11999').first().waitFor();
  // A link to it shows the name of the key, which is not on the first page.
  await page.reload();
  await page.getByText('till 11999').first().waitFor();
  // The service does not find the end of an id in the label of one of two with the same name.
  await button(page, 'Filter').click();
  await page.getByRole('combobox', { name: 'Author' }).fill('twin');
  await page.getByRole('option', { name: 'twin (…1002)' }).click();
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL(`**/activity?actor=${keyAt(11_002).id}`);
  await until(() => searched.at(-1) === keyAt(11_002).id, 'its id is looked up');
  await page.getByText('twin').first().waitFor();

  const ban = { keyId: keyAt(1).id, hint: 'psk_live_…1', account: 'Chain', level: 1 };
  const times = { bannedAt: '2026-07-01T07:30:00.000Z', endsAt: '2026-07-01T07:40:00.000Z' };
  await page.route(/\/admin\/v1\/bans\?/, (route) =>
    route.fulfill({
      json: [ban, { ...ban, keyId: keyAt(2).id }].map((one) => ({ ...one, ...times })),
      headers: { Link: '</admin/v1/bans?cursor=2>; rel="next"' },
    }),
  );
  await page.goto('/');
  await page.getByRole('link', { name: /^2\+ keys/ }).waitFor();
});

test('an administrator ends the session of another person, who must sign in again', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t, { isSample: false });
  const theirs = await openPage(t, shop, { role: 'viewer', path: '/access/sessions' });
  await button(theirs, 'Sign out').waitFor();
  assert.equal(await button(theirs, 'End the session of administrator').count(), 0);
  const page = await openPage(t, shop, { path: '/access/sessions' });
  await button(page, 'End the session of viewer').click();
  await page.getByText('The session of viewer has ended').waitFor();
  // Another connection to PostgreSQL may take five seconds to notice, and the page sends nothing meanwhile.
  await until(async () => {
    await theirs.goto('/access');
    await theirs.getByRole('heading').first().waitFor();
    return theirs.url().endsWith('/sign-in?next=%2Faccess');
  }, 'the ended session is noticed');
});

test('a viewer sees accounts and keys, and no control that changes them', async (t) => {
  const shop = await openShop(t, { isSample: false });
  const page = await openPage(t, shop, { role: 'viewer', path: '/access/management-keys' });
  await page.getByRole('link', { name: 'administrator' }).first().click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('Works').waitFor();
  assert.equal(await drawer.getByRole('button', { name: 'Revoke' }).count(), 0);
  await page.keyboard.press('Escape');
  await page.waitForURL('**/access/management-keys');
  await button(page, 'Create a key').hover();
  await page.getByText('Needs the role Administrator').waitFor();
  await button(page, 'Create a key').click({ force: true });
  assert.equal(await page.getByRole('dialog').count(), 0);
});
