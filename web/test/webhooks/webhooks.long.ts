import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, assertAccessibleAtAnyWidth, openPage } from '../support/browser.ts';
import { openShop } from '../support/shop.ts';
import { makeEndpoint, startReceiver, WITH_LOCAL_RECEIVERS } from '../support/webhook-receiver.ts';
import { XSS_PAYLOADS } from '../support/xss-payloads.ts';

/** Below the limit of an account. */
const ENDPOINTS = 15;

for (const colorScheme of ['light', 'dark'] as const) {
  test(`webhooks have no accessibility problem in ${colorScheme}, at any width`, async (t) => {
    const receiver = await startReceiver(t);
    receiver.status = 500;
    const shop = await openShop(t, { env: WITH_LOCAL_RECEIVERS });
    const endpointId = await makeEndpoint(shop, { url: receiver.url, description: 'Accounting' });
    await shop.send('POST', `/webhook-endpoints/${endpointId}/test`);
    const page = await openPage(t, shop, { path: '/webhooks', colorScheme });
    for (const path of ['', `/${endpointId}`, `/${endpointId}/1`]) {
      await page.goto(`/webhooks${path}`);
      await page
        .getByRole(path.endsWith('/1') ? 'dialog' : 'table')
        .first()
        .waitFor();
      await assertAccessibleAtAnyWidth(page);
    }
    await page.goto(`/webhooks/${endpointId}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByText('Choose', { exact: true }).click();
    await assertAccessible(page);
  });
}

test('descriptions and responses that try to be HTML stay text', async (t) => {
  const receiver = await startReceiver(t);
  const shop = await openShop(t, { env: WITH_LOCAL_RECEIVERS, isSample: false });
  const page = await openPage(t, shop, { path: '/webhooks' });
  const described: string[] = [];
  for (const description of XSS_PAYLOADS.slice(0, ENDPOINTS)) {
    described.push(await makeEndpoint(shop, { url: receiver.url, description }));
  }
  const [first] = described;
  for (const payload of XSS_PAYLOADS) {
    receiver.body = payload;
    await shop.send('POST', `/webhook-endpoints/${first}/test`);
  }
  await page.reload();
  for (const description of XSS_PAYLOADS.slice(0, ENDPOINTS)) {
    await page.getByRole('table').getByText(description, { exact: true }).waitFor();
  }
  // The log has the last 100 attempts.
  for (const [index, payload] of XSS_PAYLOADS.entries()) {
    if (index < XSS_PAYLOADS.length - 100) continue;
    await page.goto(`/webhooks/${first}/${index + 1}`);
    assert.equal(await page.getByRole('dialog').locator('pre').textContent(), payload);
    assert.notEqual(await page.title(), 'xss');
  }
});

test('a secret is rotated with an overlap, and a filter is changed and restored', async (t) => {
  const receiver = await startReceiver(t);
  const shop = await openShop(t, { env: WITH_LOCAL_RECEIVERS });
  const endpointId = await makeEndpoint(shop, { url: receiver.url });
  const page = await openPage(t, shop, { path: `/webhooks/${endpointId}` });
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Rotate the secret' }).click();
  await page.getByRole('button', { name: 'Make the new secret' }).click();
  await page.getByText('The old secret signs too until').waitFor();
  // Only its button closes the dialog with a secret.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByText('Old secret signs until').waitFor();
  await shop.send('POST', `/webhook-endpoints/${endpointId}/test`);
  const signatures = String(receiver.requests.at(-1)?.headers['webhook-signature']);
  assert.equal(signatures.split(' ').length, 2);
  // Another overlap would end the secret that the receiver still has.
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Rotate the secret' }).click();
  await page.getByText('The secret was rotated already').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();

  await page.keyboard.press('e');
  await page.getByRole('checkbox', { name: 'Sold' }).check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Changed the endpoint').waitFor();
  await page.keyboard.press('Control+z');
  await page.getByText('Undone').waitFor();
  await page.getByText('Any status').waitFor();
});
