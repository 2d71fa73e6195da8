import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../server/test/support/until.ts';
import { assertAccessibleAtAnyWidth, openPage } from '../support/browser.ts';
import { openShop, type Shop } from '../support/shop.ts';
import {
  makeEndpoint,
  type Receiver,
  startReceiver,
  WITH_LOCAL_RECEIVERS,
} from '../support/webhook-receiver.ts';
import { isSkippedDaily } from '../../../server/test/support/long-test.ts';

interface Attempt {
  readonly eventId: string;
  readonly error: string | null;
}

const deliveriesOf = async (shop: Shop, id: string) =>
  (await shop.send('GET', `/webhook-endpoints/${id}/deliveries`)) as Attempt[];

/** How often the receiver got an event. */
const countOf = ({ requests }: Receiver, eventId: string) =>
  requests.filter(({ headers }) => headers['webhook-id'] === eventId).length;

/** An endpoint whose receiver refused two events. A replay after them skipped both. */
async function shopWithFailures(t: Parameters<typeof openShop>[0]) {
  const receiver = await startReceiver(t);
  receiver.status = 500;
  const shop = await openShop(t, {
    env: WITH_LOCAL_RECEIVERS,
    isSample: false,
    pets: [{ petId: 1n, quantity: 50, status: 'available' }],
  });
  const id = await makeEndpoint(shop, { url: receiver.url });
  const events: string[] = [];
  for (const quantity of [49, 48]) {
    await shop.send('PATCH', '/inventory/1', { quantity });
    await until(
      async () => (await deliveriesOf(shop, id)).some(({ eventId }) => !events.includes(eventId)),
      'it fails',
    );
    const eventId = (await deliveriesOf(shop, id))[0]?.eventId ?? '';
    events.push(eventId);
    await shop.send('POST', `/webhook-endpoints/${id}/replay?after=${eventId}`);
  }
  return { shop, receiver, id, events };
}

const again = (page: Page, eventId: string) =>
  page.getByRole('button', { name: `Send again: ${eventId}` }).first();

test('a failed delivery is sent again by itself, once by a double click, and says so', async (t) => {
  if (isSkippedDaily(t)) return;
  const { shop, receiver, id, events } = await shopWithFailures(t);
  const [first = '', second = ''] = events;
  const page = await openPage(t, shop, { path: `/webhooks/${id}` });
  await again(page, first).waitFor();
  await assertAccessibleAtAnyWidth(page);
  // Not before: a repeated attempt of the queue may have been on its way when the replay skipped its event.
  const counted = [countOf(receiver, first), countOf(receiver, second)];
  receiver.status = 204;
  await again(page, first).dblclick();
  await page.getByText('Sent again: the receiver accepted it').waitFor();
  await page.getByText('Delivered since').first().waitFor();
  assert.equal(countOf(receiver, first), (counted[0] ?? 0) + 1);
  assert.equal(countOf(receiver, second), counted[1], 'the event after it is not sent');
  assert.equal(await page.getByRole('button', { name: `Send again: ${first}` }).count(), 0);
  await again(page, second).waitFor();
});

test('selected deliveries are sent again in their order, with the result', async (t) => {
  if (isSkippedDaily(t)) return;
  const { shop, receiver, id, events } = await shopWithFailures(t);
  const page = await openPage(t, shop, { path: `/webhooks/${id}` });
  await again(page, events[0] ?? '').waitFor();
  for (const event of events)
    await page
      .getByRole('checkbox', { name: `Select ${event}` })
      .first()
      .check();
  const before = receiver.requests.length;
  await page.getByRole('button', { name: 'Send 2 again' }).click();
  await page.getByText('Sent 2 again: the receiver did not accept 2 of them').waitFor();
  receiver.status = 204;
  for (const event of events)
    await page
      .getByRole('checkbox', { name: `Select ${event}` })
      .first()
      .check();
  await page.getByRole('button', { name: 'Send 2 again' }).click();
  await page.getByText('Sent 2 again: the receiver accepted all').waitFor();
  const ids = receiver.requests.slice(before).map(({ headers }) => headers['webhook-id']);
  assert.deepEqual(ids, [...events, ...events]);
  assert.equal(await page.getByRole('button', { name: /^Send again/ }).count(), 0);
});

test('a delivery that waits for its next attempt is sent now, and a viewer sends nothing', async (t) => {
  if (isSkippedDaily(t)) return;
  const receiver = await startReceiver(t);
  receiver.status = 500;
  const shop = await openShop(t, {
    env: WITH_LOCAL_RECEIVERS,
    isSample: false,
    pets: [{ petId: 1n, quantity: 50, status: 'available' }],
  });
  const id = await makeEndpoint(shop, { url: receiver.url });
  await shop.send('PATCH', '/inventory/1', { quantity: 49 });
  await until(async () => (await deliveriesOf(shop, id)).length > 0, 'it fails');
  const viewer = await openPage(t, shop, { path: `/webhooks/${id}`, role: 'viewer' });
  await viewer.getByRole('row', { name: /500/ }).first().waitFor();
  assert.equal(await viewer.getByRole('button', { name: /^Send (?:again|now)/ }).count(), 0);
  assert.equal(await viewer.getByRole('checkbox').count(), 0);
  const page = await openPage(t, shop, { path: `/webhooks/${id}/1` });
  const sendNow = page.getByRole('dialog').getByRole('button', { name: /^Send now/ });
  // An attempt of the service itself could succeed before the page shows the button.
  await sendNow.waitFor();
  receiver.status = 204;
  await sendNow.click();
  await page.getByText('The next attempt is made now').waitFor();
  await page.getByRole('dialog').getByText('Delivered since').waitFor();
  assert.equal((await deliveriesOf(shop, id))[0]?.error, null);
});

test('the page of an attempt shows the result of sending its event again', async (t) => {
  const { shop, receiver, id, events } = await shopWithFailures(t);
  const page = await openPage(t, shop, { path: `/webhooks/${id}/1` });
  const drawer = page.getByRole('dialog');
  const attempts = drawer.getByRole('region', { name: 'Attempts of this event' }).getByRole('listitem');
  const send = drawer.getByRole('button', { name: `Send again: ${events[0]}` });
  await send.waitFor();
  const failed = (await deliveriesOf(shop, id)).filter(({ eventId }) => eventId === events[0]).length;
  await send.click();
  await attempts.nth(failed).waitFor();
  const others = attempts.getByRole('link', { name: 'The receiver responded with status 500.' });
  assert.equal(await others.count(), failed);
  assert.equal(await attempts.getByText('Shown above').count(), 1);
  await assertAccessibleAtAnyWidth(page);
  receiver.status = 204;
  await send.click();
  await drawer.getByText('Delivered since').waitFor();
  await attempts.first().getByRole('link', { name: 'The receiver accepted it.' }).click();
  await page.waitForURL((url) => !url.pathname.endsWith('/1'));
  await attempts.first().getByText('Shown above').waitFor();
  await page.goBack();
  await drawer.getByText('Delivered since').waitFor();
});

test('events are delivered again from one on that is chosen from the log', async (t) => {
  const { shop, receiver, id, events } = await shopWithFailures(t);
  const [first = '', second = ''] = events;
  receiver.status = 204;
  const before = receiver.requests.length;
  const page = await openPage(t, shop, { path: `/webhooks/${id}` });
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Replay events' }).click();
  const dialog = page.getByRole('dialog');
  const choice = dialog.getByRole('combobox', { name: 'Begin with' });
  await choice.click();
  await page.getByRole('option').nth(2).waitFor();
  const options = await page.getByRole('option').allTextContents();
  assert.deepEqual(
    options.map((text) => /\d+\.\d-[0-9a-f]{8}.*, not accepted|by its id/.test(text)),
    [true, true, true],
  );
  await page.getByRole('option', { name: first }).click();
  await dialog.getByText('The events of 2 movements are delivered again').waitFor();
  // The field of a phone cuts the event, which is below it.
  await page.setViewportSize({ width: 440, height: 800 });
  await dialog.locator('p', { hasText: `(${first})` }).waitFor();
  await assertAccessibleAtAnyWidth(page);
  await dialog.getByRole('button', { name: 'Replay the events' }).click();
  await page.getByText('Continues with').waitFor();
  // An attempt of the queue may have been on its way when the replay skipped its event.
  const delivered = () => receiver.requests.slice(before).map(({ headers }) => headers['webhook-id']);
  await until(
    () => delivered().includes(first) && delivered().lastIndexOf(second) > delivered().indexOf(first),
    'both are delivered, in their order',
  );
});
