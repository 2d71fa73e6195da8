import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { until } from '../../../server/test/support/until.ts';
import { openPage } from '../support/browser.ts';
import { builtDashboard } from '../support/build.ts';
import { openShop } from '../support/shop.ts';
import { isSkippedDaily } from '../../../server/test/support/long-test.ts';

const NAMES = [
  'Overview',
  'Count',
  'Orders',
  'Activity',
  'Import and export',
  'Access',
  'Webhooks',
  'System',
];
const NOT_LOADED = 'This part of the dashboard could not be loaded';

const evaluated = async <T>(page: Page, script: string) => (await page.evaluate(script)) as T;

/** Resolves when the code of all pages and languages is loaded. */
async function allLoaded(page: Page): Promise<void> {
  const files = readdirSync(join(await builtDashboard(), 'assets'));
  const late = files.flatMap((name) => /^((?:[a-z]+-page|de)-[\w-]{8}\.js)\.gz$/.exec(name)?.[1] ?? []);
  assert.ok(late.length >= 11, late.join());
  await until(async () => {
    const loaded = await evaluated<string>(
      page,
      'performance.getEntriesByType("resource").map(({ name }) => name).join()',
    );
    return late.every((name) => loaded.includes(name));
  }, 'all code is loaded');
}

test('code that failed to load is loaded again, and all pages open without a connection', async (t) => {
  const shop = await openShop(t);
  const lost = '**/assets/webhooks-page-*';
  const page = await openPage(t, shop, {
    expected: /^Failed to load resource|LateCodeError/,
    prepare: async (own) => void (await own.route(lost, (route) => route.abort())),
  });
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
  const open = (name: string) =>
    page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
  await heading('Stock').waitFor();
  await open('Webhooks');
  const again = page.getByRole('button', { name: 'Try again' });
  await again.waitFor();
  await Promise.all([page.waitForEvent('load'), again.click()]);
  await page.getByText(NOT_LOADED).waitFor();
  await page.evaluate('globalThis.isSecond = true');
  await page.unroute(lost);
  await again.click();
  await heading('Webhooks').waitFor();
  const style =
    '[...document.styleSheets].some(({ href, cssRules }) => /webhooks-page/.test(href) && cssRules.length > 0)';
  assert.equal(await evaluated(page, style), true, 'the page has its styles');

  assert.equal(await evaluated(page, 'globalThis.isSecond'), true, 'the page was not loaded again');

  await allLoaded(page);
  await page.context().setOffline(true);
  await page.getByText('Offline since').waitFor();
  await open('Activity');
  await page.getByText('The service cannot be reached').waitFor();
  assert.equal(await page.getByText('changes shown').count(), 0, 'what was not read has no number');
  for (const name of NAMES) {
    await open(name);
    await heading(name).waitFor();
    assert.equal(await page.getByText(NOT_LOADED).count(), 0, name);
  }
  await page.context().setOffline(false);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByText('Running for').waitFor();
});

test('a service that stops without closing its connections is noticed, and a change gets an end', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff', prepare: (own) => own.clock.install() });
  const live = page.getByText('Live', { exact: true });
  await page.getByRole('button', { name: 'Quantity of Labrador Retriever puppy: 4' }).waitFor();
  await live.waitFor();
  process.kill(shop.service.pid, 'SIGSTOP');
  await page.keyboard.type('9');
  await page.keyboard.press('Enter');
  await page.locator('#row-1[data-saving], #row-1 [data-saving]').waitFor();
  // The request is slow, and then the service answers nothing else either: offline within 5 s.
  await page.clock.fastForward(2_600);
  await page.clock.fastForward(2_100);
  await page.getByText('Offline since').waitFor();
  await page.getByText('Labrador Retriever puppy: 9 is kept on this device').waitFor();
  // Before the service continues: the page also connects by itself then, and the button goes.
  await page.getByRole('button', { name: 'Connect now' }).click();
  process.kill(shop.service.pid, 'SIGCONT');
  await live.waitFor();
  // The request that had no answer arrives when the service continues, and is repeated with its key.
  const quantities = async () =>
    ((await shop.send('GET', '/inventory/1/movements')) as { quantityAfter: number }[]).map(
      ({ quantityAfter }) => quantityAfter,
    );
  await until(async () => (await quantities()).length > 1, 'the edit is recorded');
  await page.locator('#row-1 [data-waiting]').waitFor({ state: 'detached' });
  assert.deepEqual(await quantities(), [4, 9]);

  process.kill(shop.service.pid, 'SIGSTOP');
  await page.clock.fastForward(18_000);
  await page.getByText('Offline since').waitFor();
  process.kill(shop.service.pid, 'SIGCONT');
});

test('a list that was not reached is read again without a reload', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  const page = await openPage(t, shop, {
    role: 'staff',
    path: '/',
    expected: /ERR_FAILED|Failed to load resource/,
  });
  await page.getByText('Live', { exact: true }).waitFor();
  await page.route('**/admin/v1/pets/rows', (route) => route.abort());
  await page.goto('/stock');
  const notice = page.getByText('The service cannot be reached');
  await notice.waitFor();
  await page.unroute('**/admin/v1/pets/rows');
  await notice.waitFor({ state: 'detached' });
  await page.locator('#row-1').waitFor();
});

/** A stream begins so much later that a page that does not wait for it is read before. */
const SLOW_MS = 700;
/** Pages that do not wait for the stream, and read again when it is live: the answer comes before it begins, or afterwards. */
const [ANSWERED_BEFORE, ANSWERED_LATER] = ['/pets/1', '/pets/2'];
/** A page, and the address of what it reads. The list of orders is also read every few seconds. */
const LIVE_PAGES = {
  [ANSWERED_BEFORE]: /^\/admin\/v1\/inventory\/1$/m,
  [ANSWERED_LATER]: /^\/admin\/v1\/inventory\/2$/m,
  '/reorders': /^\/admin\/v1\/reorders\?/m,
  '/activity': /^\/admin\/v1\/movements\?/m,
};

test('what the stream keeps current is read after the stream began, so that no change between is missed', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { path: '/system' });
  const events: string[] = [];
  const answered: string[] = [];
  const isLive = () => events.includes('live');
  let held = async (): Promise<unknown> => undefined;
  await page.route('**/movements/stream*', async (route) => {
    await held();
    await route.continue();
  });
  await page.route('**/inventory/2', async (route) => {
    const response = await route.fetch();
    await until(isLive, 'the stream began');
    await route.fulfill({ response });
  });
  const pathOf = (url: string) => url.slice(shop.url.length);
  page.on('request', (request) => events.push(pathOf(request.url())));
  page.on('requestfinished', (request) => answered.push(pathOf(request.url())));
  page.on('response', (response) => {
    if (pathOf(response.url()).startsWith('/admin/v1/movements/stream')) events.push('live');
  });
  // Otherwise its stream may begin after the next page was asked for.
  await page.getByText('Live', { exact: true }).waitFor();
  for (const [path, read] of Object.entries(LIVE_PAGES)) {
    events.length = 0;
    const isIn = (paths: readonly string[]) => paths.some((one) => read.test(one));
    held = () => {
      if (path === ANSWERED_BEFORE) return until(() => isIn(answered), `${path} is answered`);
      if (path === ANSWERED_LATER) return until(() => isIn(events), `${path} is read early`);
      return setTimeout(SLOW_MS);
    };
    await page.goto(path);
    const isReadLive = () => isLive() && isIn(events.slice(events.indexOf('live')));
    await until(isReadLive, `${path} is read`);
    const firstAt = events.findIndex((event) => read.test(event));
    const isEarly = firstAt < events.indexOf('live');
    assert.equal(isEarly, path === ANSWERED_BEFORE || path === ANSWERED_LATER, events.join('\n'));
  }
});

test('a page says why it waits when its key has sent too many requests, and continues by itself', async (t) => {
  const page = await openPage(t, await openShop(t), {
    path: '/orders',
    prepare: async (opened) => {
      await opened.clock.install();
      await opened.route('**/admin/v1/store/orders?*', (route) =>
        route.fulfill({
          status: 429,
          headers: { 'Retry-After': '60' },
          json: { code: 'rate_limit_exceeded', message: 'Too many requests.', status: 429 },
        }),
      );
    },
  });
  const notice = page.getByText('This key has sent many requests.');
  await notice.waitFor();
  await page.unroute('**/admin/v1/store/orders?*');
  await page.clock.fastForward(61_000);
  await page.getByRole('row', { name: 'phone-17' }).waitFor();
  await notice.waitFor({ state: 'detached' });
});

test('a page leaves what a restored backup does not have, also where it knows a newer version', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-restored-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const shop = await openShop(t, { databaseDir: folder });
  const expected = /ERR_CONNECTION_REFUSED|Failed to load resource/;
  const page = await openPage(t, shop, { role: 'staff', expected });
  const quantity = (units: number) =>
    page.getByRole('button', { name: `Quantity of Labrador Retriever puppy: ${units}` });
  await quantity(4).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  const backup = join(folder, 'backup.db');
  await shop.service.cli('backup', backup);
  await shop.send('PATCH', '/inventory/1', { quantity: 50 });
  await shop.send('PATCH', '/inventory/1', { quantity: 60 });
  await quantity(60).waitFor();
  await shop.service.kill9();
  await page.getByText('Offline since').waitFor();
  await shop.service.cli('restore', backup, '--replace');
  await shop.restart();
  await page.getByText('The operator has restored a backup').waitFor();
  await quantity(4).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await shop.send('PATCH', '/inventory/1', { quantity: 7 });
  await quantity(7).waitFor();
});
