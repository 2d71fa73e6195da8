import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openPage } from '../support/browser.ts';
import { openShop } from '../support/shop.ts';
import { makeEndpoint, startReceiver, WITH_LOCAL_RECEIVERS } from '../support/webhook-receiver.ts';

const BODY = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('an endpoint is added, tested, paused, resumed and deleted', async (t) => {
  const receiver = await startReceiver(t);
  receiver.body = BODY;
  const shop = await openShop(t, { env: WITH_LOCAL_RECEIVERS });
  const page = await openPage(t, shop, { path: '/webhooks' });
  await page.getByText('No endpoints yet').waitFor();
  await button(page, 'Add an endpoint').click();
  await page.getByRole('combobox', { name: 'Account' }).click();
  await page.getByRole('option').first().click();
  await page.getByLabel('URL').fill(receiver.url);
  await page.getByText('Choose', { exact: true }).click();
  await page.getByRole('checkbox', { name: 'A pet is low' }).check();
  await page.getByLabel('Pets').fill('9007199254740993, x');
  await page.getByText('Write whole numbers with a comma between them').waitFor();
  await page.getByLabel('Pets').fill('9007199254740993, 1');
  await button(page, 'Add the endpoint').click();
  const secret = await page.getByLabel('Signing secret').inputValue();
  assert.match(secret, /^whsec_/);
  await button(page, 'I have stored it').click();
  await page.getByRole('link', { name: '9007199254740993' }).waitFor();

  await button(page, 'Send a test').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The receiver accepted the message.').waitFor();
  await dialog.getByText(BODY).waitFor();
  assert.equal(receiver.requests.length, 1);
  await button(page, 'Close').last().click();
  await page.getByRole('table', { name: 'Deliveries' }).getByText('webhook.test').waitFor();

  await button(page, 'Pause').click();
  await page.getByText('Paused by a person or a program').waitFor();
  await button(page, 'Resume').click();
  await page.getByText('Active').waitFor();

  await button(page, 'More actions').click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const { host } = new URL(receiver.url);
  await page.getByLabel(`Type ${host} to confirm`).fill(host);
  await page.keyboard.press('Enter');
  await page.getByText('No endpoints yet').waitFor();
});

test('a failed delivery shows its response as text, and its events are replayed', async (t) => {
  const receiver = await startReceiver(t);
  receiver.body = BODY;
  receiver.status = 500;
  const shop = await openShop(t, { env: WITH_LOCAL_RECEIVERS });
  const endpointId = await makeEndpoint(shop, { url: receiver.url });
  const page = await openPage(t, shop, { path: `/webhooks/${endpointId}` });
  await page.getByText('Nothing has been sent yet').waitFor();
  await shop.send('PATCH', '/inventory/1', { quantity: 40 });
  await page.getByText('Failing').waitFor();
  await page.getByRole('table', { name: 'Deliveries' }).getByRole('link').last().click();
  await page.waitForURL(`**/webhooks/${endpointId}/1`);
  const drawer = page.getByRole('dialog');
  await drawer.getByText(BODY).waitFor();
  assert.match(await page.title(), /^Delivery · 127\.0\.0\.1/);
  receiver.status = 200;
  await button(page, 'Replay after this event').click();
  await page.getByText('This is later than what is delivered').waitFor();
  await page.getByLabel('After the event').fill('0.0');
  await button(page, 'Replay the events').click();
  await page.getByText('Continues after 0.0').waitFor();
  await page.goBack();
  await page.getByText('Up to date').waitFor();
  await page.getByText('Active').waitFor();
});

test('a viewer sees endpoints and deliveries, and cannot send a test', async (t) => {
  const receiver = await startReceiver(t);
  const shop = await openShop(t, { env: WITH_LOCAL_RECEIVERS, isSample: false });
  const endpointId = await makeEndpoint(shop, { url: receiver.url });
  const page = await openPage(t, shop, { role: 'viewer', path: '/webhooks' });
  await page.getByRole('link', { name: '127.0.0.1' }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/webhooks/${endpointId}`);
  await button(page, 'Send a test').click({ force: true });
  assert.equal(await button(page, 'Edit').count(), 0);
  assert.equal(await page.getByRole('dialog').count(), 0);
  assert.equal(receiver.requests.length, 0);
});
