import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { errorOf, request } from '../../server/test/blackbox/api-request.ts';
import { makeAdminKey } from '../../server/test/blackbox/operator.ts';
import { testTargets } from '../../server/test/blackbox/targets.ts';
import { until } from '../../server/test/support/until.ts';
import { openPage, signOut, twoFrames, visit } from './support/browser.ts';
import { openShop } from './support/shop.ts';

const OWN = { Origin: 'http://localhost' };
const JSON_TYPE = { 'Content-Type': 'application/json' };
/** The page itself knows of the end of a request: Playwright may wait for that of a held one for ever. */
const ENDED_SESSION_REQUESTS =
  "performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/admin/v1/session')).length";

/** Holds the response of the first request of a page for its session. @param onRead Called when the service has answered. */
async function holdSession(page: Page, released: Promise<void>, onRead?: () => void): Promise<void> {
  let isFirst = true;
  await page.route('**/admin/v1/session', async (route) => {
    if (!isFirst || route.request().method() !== 'GET') return route.continue();
    isFirst = false;
    const response = await route.fetch();
    onRead?.();
    await released;
    await route.fulfill({ response });
  });
}

/** Releases a held request, and resolves when the page has done what follows its end. */
async function endHeldRequest(page: Page, release: () => void): Promise<void> {
  const ended = () => page.evaluate<number>(ENDED_SESSION_REQUESTS);
  const before = await ended();
  release();
  await until(async () => (await ended()) > before, 'the end of the held request');
  await twoFrames(page);
}

for (const target of testTargets()) {
  test(`on ${target.name}, a cookie signs in, changes stock and signs out`, async (t) => {
    const service = await target.start(t, { pets: [{ petId: 1n, quantity: 3 }] });
    const key = await makeAdminKey(service, 'staff');
    const send = (method: string, path: string, headers: Record<string, string>, body?: object) =>
      request(service, {
        method,
        path: `/admin/v1${path}`,
        headers: { ...headers, ...(body && JSON_TYPE) },
        ...(body && { body: JSON.stringify(body) }),
      });
    const signedIn = await send('POST', '/session', OWN, { key });
    assert.equal(signedIn.status, 200, signedIn.body.toString());
    const setCookie = signedIn.headers.get('set-cookie') ?? '';
    assert.match(setCookie, /^petstore_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    const Cookie = `theme=dark; ${setCookie.split(';')[0]}`;

    const own = await send('GET', '/session', { Cookie });
    assert.equal(JSON.parse(own.body.toString()).role, 'staff');
    const change = { quantity: 4 };
    assert.equal((await send('PATCH', '/inventory/1', { Cookie, ...OWN }, change)).status, 200);
    const site = { Cookie, 'Sec-Fetch-Site': 'cross-site' };
    for (const headers of [{ Cookie }, { Cookie, Origin: 'http://localhost:1' }, { ...site, ...OWN }]) {
      const refused = await send('PATCH', '/inventory/1', headers, change);
      assert.equal(errorOf(refused).code, 'cross_site_request');
    }
    const signedOut = await send('DELETE', '/session', { Cookie, 'Sec-Fetch-Site': 'same-origin' });
    assert.equal(signedOut.status, 204);
    assert.match(signedOut.headers.get('set-cookie') ?? '', /^petstore_session=; .*Max-Age=0$/);
    assert.equal(errorOf(await send('GET', '/session', { Cookie })).code, 'session_ended');
    assert.doesNotMatch(service.logs(), new RegExp(Cookie.slice(-43)));
  });
}

test('a sign-out that does not reach the service leaves nothing in the browser, and ends the session later', async (t) => {
  const shop = await openShop(t, { isSample: false });
  const page = await openPage(t, shop, {
    role: 'viewer',
    path: '/orders',
    expected: /Failed to load resource/,
  });
  await page.getByRole('button', { name: /^Account: / }).waitFor();
  const [cookie] = await page.context().cookies();
  const statusOfSession = async () => {
    const headers = { Cookie: `${cookie?.name}=${cookie?.value}` };
    const response = await fetch(`${shop.url}/admin/v1/session`, { headers });
    await response.arrayBuffer();
    return response.status;
  };
  const cut = (route: Route) =>
    route.request().method() === 'DELETE' ? route.abort('internetdisconnected') : route.fallback();
  await page.route('**/admin/v1/session', cut);
  await signOut(page);
  await page.getByText('your session still runs there').waitFor();
  assert.equal(await page.evaluate("localStorage.getItem('petstore.session')"), null);
  assert.equal(await statusOfSession(), 200);
  // The cookie is still there, but the page does not use it.
  await page.goto('/orders');
  await page.getByText('your session still runs there').waitFor();
  assert.equal(await page.getByRole('navigation').count(), 0);
  await page.unroute('**/admin/v1/session', cut);
  await page.evaluate("window.dispatchEvent(new Event('online'))");
  await page.getByText('your session still runs there').waitFor({ state: 'detached' });
  assert.equal(await statusOfSession(), 401);
  await page.getByLabel('Management key').fill(await shop.makeKey('viewer'));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  await signOut(page);
  assert.equal(await page.getByText('your session still runs there').count(), 0);
});

test('a sign-in waits for the request that ends the session before it, whose response ends the cookie', async (t) => {
  const shop = await openShop(t, { isSample: false });
  const page = await openPage(t, shop, {
    role: 'viewer',
    path: '/orders',
    expected: /Failed to load resource/,
    // As on a page without TLS from another machine, where no lock holds the requests apart.
    prepare: async (opening) => {
      await opening.addInitScript("Object.defineProperty(navigator, 'locks', { value: undefined })");
    },
  });
  const sent: string[] = [];
  const held = Promise.withResolvers<void>();
  await page.route('**/admin/v1/session', async (route) => {
    const method = route.request().method();
    if (method === 'GET') return route.continue();
    sent.push(method);
    if (sent.length === 1) return route.abort('internetdisconnected');
    if (sent.length === 2) await held.promise;
    return route.continue();
  });
  await signOut(page);
  await page.getByText('your session still runs there').waitFor();
  await until(() => sent.length === 2, 'it is sent again');
  await page.getByLabel('Management key').fill(await shop.makeKey('viewer'));
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Sign in' }).and(page.locator('[data-loading]')).waitFor();
  held.resolve();
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  assert.deepEqual(sent, ['DELETE', 'DELETE', 'POST']);
});

test('a session that is read again while its sign-out is under way does not leave the drafts behind', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, {
    role: 'staff',
    path: '/pets/1',
    expected: /Failed to load resource/,
  });
  await page.getByRole('heading', { name: 'Labrador Retriever puppy' }).waitFor();
  await page.keyboard.press('d');
  await page.getByRole('dialog').getByLabel('Name').fill('Lab');
  const held = Promise.withResolvers<void>();
  let reads = 0;
  await page.route('**/admin/v1/session', async (route) => {
    if (route.request().method() === 'DELETE') await held.promise;
    else reads += 1;
    // The page opens with the session of the last visit, and reads it again and again.
    return route.request().method() === 'GET' ? route.abort('internetdisconnected') : route.continue();
  });
  await until(
    async () => await page.evaluate("JSON.stringify({ ...localStorage }).includes('Lab')"),
    'a draft is kept',
  );
  await page.reload();
  await page.getByRole('button', { name: /^Account: / }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  const before = reads;
  await until(
    async () => await page.evaluate("localStorage.getItem('petstore.sign-out') !== null"),
    'it is under way',
  );
  await page.evaluate("window.dispatchEvent(new Event('online'))");
  await twoFrames(page);
  assert.equal(reads, before, 'no session is read meanwhile');
  held.resolve();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.waitForURL('**/sign-in?**');
  await until(
    async () => await page.evaluate("!JSON.stringify({ ...localStorage }).includes('Lab')"),
    'the draft is gone',
  );
  await page.getByText('A sign-in with any other key deletes it.').waitFor({ state: 'detached' });
});

test('a request that is refused before the response of a sign-out does not keep what was typed', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff', path: '/pets/1' });
  await page.getByRole('heading', { name: 'Labrador Retriever puppy' }).waitFor();
  await page.keyboard.press('d');
  await page.getByRole('dialog').getByLabel('Name').fill('Lab');
  await until(
    async () => await page.evaluate("JSON.stringify({ ...localStorage }).includes('Lab')"),
    'a draft is kept',
  );
  await page.reload();
  const held = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  await page.route('**/admin/v1/session', async (route) => {
    const response = await route.fetch();
    ended.resolve();
    await held.promise;
    await route.fulfill({ response });
  });
  await page.getByRole('button', { name: /^Account: / }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await ended.promise;
  const refused = page.waitForResponse((response) => response.status() === 401);
  await visit(page, '/orders');
  await refused;
  await twoFrames(page);
  assert.equal(await page.getByRole('heading', { name: 'Sign in' }).count(), 0);
  held.resolve();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.waitForURL('**/sign-in?**');
  assert.equal(await page.getByText('A sign-in with any other key deletes it.').count(), 0);
});

test('a session that was asked for before a sign-in does not take its place', async (t) => {
  const shop = await openShop(t, { isSample: false });
  const held = Promise.withResolvers<void>();
  const page = await openPage(t, shop, {
    role: 'viewer',
    path: '/sign-in',
    prepare: (opening) => holdSession(opening, held.promise),
  });
  await page.getByLabel('Management key').fill(await shop.makeKey('staff'));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Account: staff' }).waitFor();
  await endHeldRequest(page, held.resolve);
  await page.getByRole('button', { name: 'Account: staff' }).waitFor();
});

test('a sign-out without a connection clears the other tabs, and their requests wait for the sign-in of one', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, {
    role: 'staff',
    path: '/orders',
    expected: /Failed to load resource/,
  });
  await page.getByRole('button', { name: /^Account: / }).waitFor();
  const other = await page.context().newPage();
  await other.goto('/pets/1');
  await other.getByRole('heading', { name: 'Labrador Retriever puppy' }).waitFor();
  const sent: string[] = [];
  const held = Promise.withResolvers<void>();
  let isCut = true;
  await page.context().route('**/admin/v1/session', async (route) => {
    const method = route.request().method();
    if (method === 'GET') return route.continue();
    const tab = route.request().frame().page() === page ? 'first' : 'other';
    sent.push(`${method} by the ${tab}`);
    if (method === 'POST') await held.promise;
    return isCut ? route.abort('internetdisconnected') : route.continue();
  });
  await signOut(page);
  await other.getByRole('heading', { name: 'Sign in' }).waitFor();
  assert.equal(await other.getByText('Labrador Retriever puppy').count(), 0);
  await other.getByText('your session still runs there').waitFor();
  isCut = false;
  await page.getByLabel('Management key').fill(await shop.makeKey('staff'));
  await page.keyboard.press('Enter');
  await until(() => sent.includes('POST by the first'), 'the sign-in is sent');
  const before = sent.length;
  // The other tab finds the sign-out open, and would send it again.
  await other.evaluate("localStorage.setItem('petstore.sign-out', 'now')");
  await other.reload();
  const turns = (which: 'held' | 'pending') =>
    other.evaluate<number>(`navigator.locks.query().then((all) => all.${which}.length)`);
  await until(async () => (await turns('pending')) === 1, 'the other tab waits for its turn');
  await other.evaluate("localStorage.removeItem('petstore.sign-out')");
  held.resolve();
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  await until(
    async () => (await turns('held')) + (await turns('pending')) === 0,
    'the turn of the other tab is over',
  );
  assert.deepEqual(sent.slice(before), []);
  await other.goto('/orders');
  await other.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  // A tab that was stopped hears of it only now.
  await other.evaluate(
    "window.dispatchEvent(new StorageEvent('storage', { key: 'petstore.signed-out', newValue: 'then' }))",
  );
  await twoFrames(other);
  assert.equal(await other.getByRole('heading', { name: 'Sign in' }).count(), 0);
});

test('without locks, a sign-in waits for the slow sign-out of another tab, whose response ends the cookie', async (t) => {
  const shop = await openShop(t, { isSample: false });
  const withoutLocks = "Object.defineProperty(navigator, 'locks', { value: undefined })";
  const page = await openPage(t, shop, {
    role: 'viewer',
    path: '/orders',
    expected: /Failed to load resource/,
    prepare: async (opening) => void (await opening.context().addInitScript(withoutLocks)),
  });
  await page.getByRole('button', { name: /^Account: / }).waitFor();
  const other = await page.context().newPage();
  await other.goto('/orders');
  await other.getByRole('button', { name: /^Account: / }).waitFor();
  const sent: string[] = [];
  const held = Promise.withResolvers<void>();
  await page.context().route('**/admin/v1/session', async (route) => {
    const method = route.request().method();
    if (method === 'GET') return route.continue();
    const tab = route.request().frame().page() === page ? 'first' : 'other';
    sent.push(`${method} by the ${tab}`);
    if (sent.length === 1) await held.promise;
    return route.continue();
  });
  await page.getByRole('button', { name: /^Account: / }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await until(() => sent.length === 1, 'the sign-out is sent');
  await other.goto('/sign-in?next=%2Forders');
  await other.getByLabel('Management key').fill(await shop.makeKey('viewer'));
  await other.keyboard.press('Enter');
  await other.getByRole('button', { name: 'Sign in' }).and(other.locator('[data-loading]')).waitFor();
  held.resolve();
  await other.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  assert.deepEqual(sent, ['DELETE by the first', 'POST by the other']);
});

test('a tab that still reads its session notices a sign-out in another one', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, {
    role: 'staff',
    path: '/orders',
    expected: /Failed to load resource/,
  });
  await page.getByRole('button', { name: /^Account: / }).waitFor();
  const other = await page.context().newPage();
  const [read, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await holdSession(other, held.promise, read.resolve);
  await other.goto('/orders');
  await read.promise;
  await signOut(page);
  await other.getByRole('heading', { name: 'Sign in' }).waitFor();
  await endHeldRequest(other, held.resolve);
  assert.equal(await other.getByRole('heading', { name: 'Sign in' }).count(), 1);
});
