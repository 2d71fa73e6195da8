import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../server/test/support/until.ts';
import { assertAccessibleAtAnyWidth, openPage } from '../support/browser.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { isSkippedDaily } from '../../../server/test/support/long-test.ts';

/** An account with a key, which sends requests until the limit of its minute refuses them or all are sent. */
async function newClient(shop: Shop, name: string, limits: object) {
  const { id } = (await shop.send('POST', '/accounts', { name, ...limits })) as { id: string };
  const { key } = (await shop.send('POST', '/keys', { accountId: id })) as { key: string };
  const send = async (times: number) => {
    const statuses: number[] = [];
    for (let i = 0; i < times; i += 1) {
      const response = await fetch(`${shop.url}/v1/inventory/1`, {
        headers: { Authorization: `Bearer ${key}` },
      });
      await response.arrayBuffer();
      statuses.push(response.status);
    }
    return statuses;
  };
  return { id, send };
}

/** The page reads the usage again after this time. */
const REFRESH_MS = 15_000;

const enterprise = (perMinute: number, perDay: number) => ({ plan: 'enterprise', perMinute, perDay });

/** The names of the accounts, from top to bottom. */
const names = (page: Page) =>
  page.getByRole('table', { name: 'Accounts' }).locator('a[data-row]').allInnerTexts();

const heading = (page: Page, name: string) => page.getByRole('columnheader', { name });

test('the busiest account is the first one, and any column sorts, by pointer and by keyboard', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t, {
    isSample: false,
    pets: [{ petId: 1n, quantity: 5, status: 'available' }],
  });
  const roomy = await newClient(shop, 'Web shop', enterprise(10_000, 10_000));
  const small = await newClient(shop, 'Àrea till', enterprise(10_000, 20));
  const tight = await newClient(shop, 'Scraper', enterprise(3, 1_000));
  await roomy.send(12);
  await small.send(8);
  // A second 429 within the grace after the first one is no strike. The minute may have changed in between.
  const refused = (await tight.send(7)).filter((status) => status === 429).length;
  assert.ok(refused > 0);
  await until(async () => {
    const { accounts } = (await shop.send('GET', '/usage?unit=day')) as { accounts: { requests: number }[] };
    const requests = accounts.reduce((sum, account) => sum + account.requests, 0);
    return requests === 12 + 8 + 7 - refused;
  }, 'the requests are counted');

  const page = await openPage(t, shop, { path: '/access' });
  await page.getByRole('row', { name: /Web shop/ }).waitFor();
  assert.deepEqual((await names(page)).slice(0, 3), ['Web shop', 'Àrea till', 'Scraper']);
  assert.equal(await heading(page, 'Today (UTC)').getAttribute('aria-sort'), 'descending');
  const cells = (name: string) =>
    page
      .getByRole('row', { name: new RegExp(name) })
      .getByRole('cell')
      .allInnerTexts();
  assert.deepEqual((await cells('Web shop')).slice(0, 7), [
    'Web shop',
    'Enterprise',
    '12',
    '12',
    '0.1%',
    '0',
    '0',
  ]);
  assert.deepEqual((await cells('Àrea till')).slice(2, 5), ['8', '8', '40%']);
  assert.match((await cells('Scraper'))[5] ?? '', /^[12] minutes?$/);

  await heading(page, 'Quota').getByRole('button').click();
  assert.deepEqual((await names(page)).slice(0, 1), ['Àrea till']);
  assert.equal(await heading(page, 'Today (UTC)').getAttribute('aria-sort'), 'none');
  await heading(page, 'At the limit').getByRole('button').focus();
  await page.keyboard.press('Enter');
  assert.deepEqual((await names(page)).slice(0, 1), ['Scraper']);
  await heading(page, 'Name').getByRole('button').focus();
  await page.keyboard.press('Space');
  const byName = await names(page);
  assert.equal(byName[0], 'Àrea till', 'as the language sorts');
  await page.keyboard.press('Space');
  assert.deepEqual(await names(page), byName.toReversed());
  assert.match(page.url(), /\?sort=-name$/);

  await page
    .getByRole('row', { name: /Scraper/ })
    .getByRole('link')
    .click();
  await page.getByRole('heading', { name: 'Scraper' }).waitFor();
  await page.goBack();
  await page.getByRole('row', { name: /Scraper/ }).waitFor();
  assert.deepEqual(await names(page), byName.toReversed(), 'Back finds the order again');
});

test('the usage of all accounts has a chart, a table, and links to the busiest', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t, {
    isSample: false,
    pets: [{ petId: 1n, quantity: 5, status: 'available' }],
  });
  const first = await newClient(shop, 'Web shop', enterprise(10_000, 10_000));
  const second = await newClient(shop, 'Till', enterprise(10_000, 10_000));
  await first.send(6);
  await second.send(2);
  await until(
    async () => ((await shop.send('GET', '/usage')) as { requests: number }).requests === 8,
    'the requests are counted',
  );
  const page = await openPage(t, shop, { path: '/access' });
  await page.getByRole('img', { name: 'Last 48 hours: 8 requests, 0 in the time before' }).waitFor();
  const busiest = page.getByRole('list', { name: 'Busiest accounts of this time' }).getByRole('listitem');
  assert.deepEqual(await busiest.allInnerTexts(), ['Web shop\n6, 75%', 'Till\n2, 25%']);
  await page.getByText('Days', { exact: true }).click();
  await page.getByRole('img', { name: 'Last 30 days (UTC): 8 requests, 0 in the time before' }).waitFor();
  await page.getByRole('button', { name: 'Show as table' }).click();
  const rows = page.getByRole('table', { name: 'Last 30 days (UTC)' }).getByRole('row');
  assert.equal(await rows.count(), 31);
  assert.deepEqual((await rows.nth(1).getByRole('cell').allInnerTexts()).slice(1), ['8', '0']);
  await assertAccessibleAtAnyWidth(page);
  await busiest.getByRole('link', { name: 'Till' }).click();
  await page.getByRole('heading', { name: 'Till' }).waitFor();
});

test('rows keep their places while the pointer is on them, and then take those of new requests', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t, {
    isSample: false,
    pets: [{ petId: 1n, quantity: 5, status: 'available' }],
  });
  const first = await newClient(shop, 'Web shop', enterprise(10_000, 10_000));
  const second = await newClient(shop, 'Till', enterprise(10_000, 10_000));
  await first.send(3);
  await second.send(2);
  const requestsOf = async (name: string) => {
    const { accounts } = (await shop.send('GET', '/usage?unit=day')) as {
      accounts: { name: string; requests: number }[];
    };
    return accounts.find((account) => account.name === name)?.requests;
  };
  await until(async () => (await requestsOf('Till')) === 2, 'the requests are counted');
  const page = await openPage(t, shop, { path: '/access', prepare: (own) => own.clock.install() });
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
  await row('Till').hover();
  assert.deepEqual((await names(page)).slice(0, 2), ['Web shop', 'Till']);
  await second.send(4);
  await until(async () => (await requestsOf('Till')) === 6, 'the new requests are counted');
  await page.clock.fastForward(REFRESH_MS);
  await row('Till').getByRole('cell', { name: '6', exact: true }).first().waitFor();
  assert.deepEqual((await names(page)).slice(0, 2), ['Web shop', 'Till']);
  await page.getByRole('heading', { name: 'Access' }).hover();
  await until(async () => (await names(page))[0] === 'Till', 'the rows take their new places');
});
