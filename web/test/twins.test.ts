import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openPage } from './support/browser.ts';
import { openShop, type Shop } from './support/shop.ts';
import { isSkippedDaily } from '../../server/test/support/long-test.ts';

const EXISTS = /exists already, since .+Send again to make another one\.$/;
const LOSES_ANSWER = { expected: /ERR_FAILED/ };

const submit = (page: Page, action: string) =>
  page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click();

const namesIn = async (shop: Shop, path: string) =>
  ((await shop.send('GET', path)) as { name?: string; url?: string }[]).map(({ name, url }) => name ?? url);

/** The service gets the request, and its answer is lost. */
const loseAnswer = (page: Page, path: string) =>
  page.route(`**/admin/v1${path}`, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await route.fetch();
    await route.abort();
  });

test('a stock-take that another tab has started is started again only after a question', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  const page = await openPage(t, shop, { path: '/stocktakes' });
  const other = await page.context().newPage();
  await other.goto('/stocktakes');
  for (const tab of [page, other]) {
    await tab.getByRole('button', { name: 'Start a stock-take' }).first().click();
    await tab.getByRole('dialog').getByRole('textbox', { name: /^Name/ }).fill('Autumn');
  }
  await submit(other, 'Start');
  await other.getByRole('heading', { name: 'Autumn' }).waitFor();
  await submit(page, 'Start');
  await page.getByRole('alert').filter({ hasText: EXISTS }).waitFor();
  assert.deepEqual(await namesIn(shop, '/stocktakes'), ['Autumn']);
  await submit(page, 'Start');
  await page.getByRole('heading', { name: 'Autumn' }).waitFor();
  assert.deepEqual(await namesIn(shop, '/stocktakes'), ['Autumn', 'Autumn']);
});

test('an account, a key and an endpoint whose answer was lost are not made twice without a question', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  const { id: accountId } = (await shop.send('POST', '/accounts', { name: 'Web shop', plan: 'pro' })) as {
    id: string;
  };
  const page = await openPage(t, shop, { path: '/access', ...LOSES_ANSWER });
  const existsAfterLoss = async (path: string, action: string) => {
    await loseAnswer(page, path);
    await submit(page, action);
    await page.getByRole('dialog').getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor();
    await page.unroute(`**/admin/v1${path}`);
    await submit(page, action);
    await page.getByRole('dialog').getByRole('alert').filter({ hasText: EXISTS }).waitFor();
  };
  await page.getByRole('button', { name: 'Create an account' }).click();
  await page.getByLabel('Name').fill('Till');
  await existsAfterLoss('/accounts', 'Create the account');
  assert.equal((await namesIn(shop, '/accounts')).filter((name) => name === 'Till').length, 1);

  await page.goto(`/access/accounts/${accountId}`);
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByLabel('Name').fill('till 1');
  await page.getByText('Read only').click();
  await existsAfterLoss('/keys', 'Create the key');
  assert.deepEqual(await namesIn(shop, `/keys?accountId=${accountId}`), ['till 1']);

  await page.goto('/webhooks');
  await page.getByRole('button', { name: 'Add an endpoint' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Account' }).click();
  await page.getByRole('option', { name: 'Web shop' }).click();
  await dialog.getByLabel('URL').fill('https://shop.example/hooks');
  await existsAfterLoss('/webhook-endpoints', 'Add the endpoint');
  assert.deepEqual(await namesIn(shop, '/webhook-endpoints'), ['https://shop.example/hooks']);
  await submit(page, 'Add the endpoint');
  await dialog.getByRole('button', { name: 'I have stored it' }).waitFor();
});
