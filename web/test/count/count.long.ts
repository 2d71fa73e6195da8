import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { until } from '../../../server/test/support/until.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { choose, count, entry, LABRADOR, openCount, recorded, scan } from './count-phone.ts';

const LOSES_CONNECTION = { expected: /ERR_INTERNET_DISCONNECTED/ };
/** Files that the page loads ahead may be on their way. */
const LOSES_SERVICE = { expected: /ERR_CONNECTION_REFUSED/ };

test('counts wait for a service that was killed, and are recorded after its restart', async (t) => {
  const shop = await openShop(t);
  const page = await openCount(t, shop, LOSES_SERVICE);
  await count(page, 'labrador', LABRADOR, 6);
  await entry(page, LABRADOR).getByText('Recorded').waitFor();
  await shop.service.kill9();
  await page.getByText('Offline since').waitFor();
  await count(page, 'neon', 'Neon tetra', 338);
  await page.getByText('1 change waits.').waitFor();
  await shop.restart();
  await entry(page, 'Neon tetra').getByText('Recorded').waitFor({ timeout: 60_000 });
  assert.deepEqual(await recorded(shop), [
    [1, 2, 6],
    [31, -2, 338],
  ]);
});

const undoButton = (page: Page, name: string) =>
  page.getByRole('button', { name: `Undo the count of ${name}` });
const quantityOf = async (shop: Shop, petId: number) =>
  ((await shop.send('GET', `/inventory/${petId}`)) as { quantity: number }).quantity;

test('a count is undone in the list, recorded or not', async (t) => {
  const shop = await openShop(t);
  const page = await openCount(t, shop, LOSES_CONNECTION);
  await count(page, 'labrador', LABRADOR, 6);
  await undoButton(page, LABRADOR).click();
  await entry(page, LABRADOR).getByText('Undone').waitFor();
  assert.equal(await quantityOf(shop, 1), 4);
  await page.getByText('0 counted, 0 waiting').waitFor();
  // A later count of the pet is the truth; only that one can be undone.
  await count(page, 'labrador', LABRADOR, 5);
  await entry(page, LABRADOR).first().getByText('Recorded').waitFor();
  await count(page, 'labrador', LABRADOR, 7);
  await entry(page, LABRADOR).first().getByText('5 → 7').waitFor();
  assert.equal(await undoButton(page, LABRADOR).count(), 1);

  // The oldest one may be on its way to the service, the others are not.
  await page.context().setOffline(true);
  await count(page, '26', 'Zebra finch', 41);
  await count(page, 'neon', 'Neon tetra', 338);
  await entry(page, 'Neon tetra').getByText('Waits').waitFor();
  await undoButton(page, 'Neon tetra').click();
  await entry(page, 'Neon tetra').waitFor({ state: 'detached' });
  await page.context().setOffline(false);
  await entry(page, 'Zebra finch').getByText('Recorded').waitFor();
  assert.equal(await quantityOf(shop, 31), 340);
});

test('an undo without an answer is repeated and recorded once; an undo after a change by another person reports it', async (t) => {
  const shop = await openShop(t);
  const page = await openCount(t, shop);
  await count(page, '3', 'French Bulldog puppy', 5);
  await entry(page, 'French Bulldog puppy').getByText('Recorded').waitFor();
  const { length } = (await shop.send('GET', '/inventory/3/movements')) as unknown[];
  await page.route('**/revert', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await undoButton(page, 'French Bulldog puppy').click();
  await page.getByRole('alert').getByText('was not undone').waitFor();
  await page.unrouteAll();
  await page.reload();
  await undoButton(page, 'French Bulldog puppy').click();
  await entry(page, 'French Bulldog puppy').getByText('Undone').waitFor();
  assert.equal(((await shop.send('GET', '/inventory/3/movements')) as unknown[]).length, length + 1);

  await count(page, 'labrador', LABRADOR, 6);
  await entry(page, LABRADOR).getByText('Recorded').waitFor();
  await shop.send('PATCH', '/inventory/1', { quantity: 9 });
  await undoButton(page, LABRADOR).click();
  await entry(page, LABRADOR).getByText('administrator changed it to 9').waitFor();
  assert.equal(await undoButton(page, LABRADOR).count(), 0);
  assert.equal(await quantityOf(shop, 1), 9);
  await entry(page, LABRADOR).getByRole('button', { name: 'Count again' }).click();
  await page.getByText('Expected 9').waitFor();
});

test('a session that ended loses no count', async (t) => {
  const shop = await openShop(t);
  const page = await openCount(t, shop, LOSES_CONNECTION);
  await page.context().setOffline(true);
  await count(page, 'labrador', LABRADOR, 6);
  const [cookie] = await page.context().cookies();
  const headers = { Cookie: `${cookie?.name}=${cookie?.value}` };
  const sessions = (await shop.send('GET', '/sessions')) as { sessionId: string; keyId: string }[];
  for (const { sessionId } of sessions) await shop.send('DELETE', `/sessions/${sessionId}`);
  // On PostgreSQL an instance may accept it for a few seconds more.
  await until(async () => {
    const { status } = await fetch(`${shop.url}/admin/v1/session`, { headers });
    return status === 401;
  }, 'the session is refused');
  await page.context().setOffline(false);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  // Somebody else signs in on this phone.
  await page.getByLabel('Management key').fill(await shop.makeKey('staff'));
  await page.keyboard.press('Enter');
  await page.getByText('1 count by', { exact: false }).waitFor();
  assert.deepEqual(await recorded(shop), []);
  // Other pages lead to it.
  await page.goto('/stock');
  await page.getByText('waits on this device').waitFor();
  await page.getByRole('link', { name: 'Decide' }).click();
  await page.getByRole('button', { name: 'Send them in my name' }).click();
  await entry(page, LABRADOR).getByText('Recorded').waitFor();
  assert.deepEqual(await recorded(shop), [[1, 2, 6]]);
});

test('two tabs send each count one time', async (t) => {
  const shop = await openShop(t);
  const page = await openCount(t, shop, LOSES_CONNECTION);
  const sent: string[] = [];
  // Not those that reach nothing while the phone is offline. Chromium may call one failed whose response has arrived.
  page.context().on('response', (response) => {
    const request = response.request();
    if (request.method() === 'PATCH') sent.push(`${request.url()} ${request.headers()['idempotency-key']}`);
  });
  const other = await page.context().newPage();
  await other.goto('/count');
  await other.getByText('Scan an id, or search a pet').waitFor();
  await page.context().setOffline(true);
  await count(page, 'labrador', LABRADOR, 6);
  await entry(other, LABRADOR).getByText('Waits').waitFor();
  await count(other, 'neon', 'Neon tetra', 338);
  await page.getByText('2 counted, 2 waiting').waitFor();
  sent.length = 0;
  await page.context().setOffline(false);
  for (const tab of [page, other]) await tab.getByText('2 counted, 0 waiting').waitFor();
  assert.equal(sent.length, 2, sent.join('\n'));
  assert.equal((await recorded(shop)).length, 2);
});

test('the camera reads a barcode', async (t) => {
  const shop = await openShop(t);
  const page = await openCount(t, shop);
  await withCamera(page.context());
  await page.reload();
  await page.getByRole('button', { name: 'Scan with the camera' }).click();
  await page.getByRole('heading', { name: 'Neon tetra' }).waitFor();
  await page
    .context()
    .addInitScript(
      'navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("", "NotAllowedError"));',
    );
  await page.reload();
  await page.getByRole('button', { name: 'Scan with the camera' }).click();
  await page.getByText('The camera cannot be used').waitFor();
});

/** A camera that shows nothing, and a detector that sees the code of the neon tetra. */
const withCamera = (context: BrowserContext) =>
  context.addInitScript(`
    navigator.mediaDevices.getUserMedia = async () => {
      const canvas = document.createElement('canvas');
      canvas.getContext('2d').fillRect(0, 0, 8, 8);
      return canvas.captureStream(5);
    };
    globalThis.BarcodeDetector = class {
      static getSupportedFormats = async () => ['ean_13'];
      detect = async () => [{ rawValue: '0031' }];
    };
  `);

test('a device without room says so, and keeps what is typed', async (t) => {
  const shop = await openShop(t);
  const page = await openCount(t, shop);
  await choose(page, 'labrador', LABRADOR);
  await page.evaluate('Storage.prototype.setItem = () => { throw new Error("full"); }');
  await page.getByRole('button', { name: '7', exact: true }).click();
  await page.getByRole('button', { name: 'Save and next' }).click();
  await page.getByRole('alert').getByText('cannot keep another count').waitFor();
  await page.getByLabel('Counted', { exact: true }).getByText('7', { exact: true }).waitFor();
});

test('a pet that is gone is refused and can be discarded; a viewer counts nothing', async (t) => {
  const shop = await openShop(t);
  const page = await openCount(t, shop);
  await page.route('**/inventory/1', (route) =>
    route.fulfill({
      status: 404,
      contentType: 'application/json',
      body: '{"code":"not_found","message":"There is no pet with petId 1.","status":404}',
    }),
  );
  await count(page, 'labrador', LABRADOR, 6);
  await entry(page, LABRADOR).getByText('It does not exist any more.').waitFor();
  await entry(page, LABRADOR).getByRole('button', { name: 'Discard' }).click();
  await page.getByText('Nothing counted yet.').waitFor();
  const viewer = await openCount(t, shop, { role: 'viewer' });
  await viewer.getByText('needs the role Staff').waitFor();
  await scan(viewer, '31');
  assert.equal(await viewer.getByRole('heading', { name: 'Neon tetra' }).count(), 0);
});
