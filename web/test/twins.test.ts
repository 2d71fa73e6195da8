import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openPage } from './support/browser.ts';
import { openShop, type Shop } from './support/shop.ts';
import { isSkippedDaily } from '../../server/test/support/long-test.ts';

const EXISTS = /exists already, since .+Send again to make another one\.$/;
/** The service has no two accounts of a name. */
const TAKEN = /exists already, since .+Choose another name\.$/;
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
  const existsAfterLoss = async (path: string, action: string, text = EXISTS) => {
    await loseAnswer(page, path);
    await submit(page, action);
    await page.getByRole('dialog').getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor();
    await page.unroute(`**/admin/v1${path}`);
    await submit(page, action);
    await page.getByRole('dialog').getByRole('alert').filter({ hasText: text }).waitFor();
  };
  await page.getByRole('button', { name: 'Create an account' }).click();
  await page.getByLabel('Name').fill('Till');
  await existsAfterLoss('/accounts', 'Create the account', TAKEN);
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

test('a name of an account and an id of a pet that are taken are refused in the language of the page', async (t) => {
  const shop = await openShop(t);
  for (const name of ['Kasse', 'Webshop']) await shop.send('POST', '/accounts', { name, plan: 'pro' });
  await shop.send('POST', '/pets', { petId: 900, name: 'Rex' });
  await shop.send('POST', '/pets/900/archive');
  const page = await openPage(t, shop, { path: '/access', locale: 'de-DE' });
  const alert = page.getByRole('dialog').getByRole('alert');
  await page.getByRole('button', { name: 'Konto anlegen' }).click();
  await page.getByLabel('Name').fill('Kasse');
  // Also when it is sent again.
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    await submit(page, 'Konto anlegen');
    await alert.getByText(/„Kasse“ gibt es schon, seit .+ Wähle einen anderen Namen\.$/).waitFor();
  }
  await page.goto('/access');
  await page.getByRole('link', { name: 'Webshop' }).click();
  await page.getByRole('button', { name: 'Bearbeiten' }).click();
  await page.getByLabel('Name').fill('Kasse');
  await submit(page, 'Speichern');
  await alert.getByText('Ein anderes Konto heißt „Kasse“.').waitFor();

  await page.goto('/');
  await page.getByRole('button', { name: 'Tier anlegen' }).first().click();
  for (const [petId, text] of [
    ['900', 'Die ID 900 gehört zu einem archivierten Tier, „Rex“.'],
    ['1', 'Die ID 1 gehört zu einem anderen Tier, „Labrador Retriever puppy“.'],
  ] as const) {
    await page.getByRole('dialog').getByLabel('ID').fill(petId);
    await submit(page, 'Anlegen');
    await alert.getByText(text).waitFor();
  }
});
