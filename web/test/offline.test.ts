import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { until } from '../../server/test/support/until.ts';
import { openPage, visit } from './support/browser.ts';
import { builtDashboard } from './support/build.ts';
import { startPrefixProxy } from './support/prefix-proxy.ts';
import { openShop } from './support/shop.ts';
import { isSkippedDaily } from '../../server/test/support/long-test.ts';

/** What a page without a connection logs; and Chromium warns of each preload that a service worker answers, or that waits for the session. */
const CUT =
  /Failed to load resource|net::ERR|Failed to fetch|cross-world service worker|was preloaded using link preload/;
/** And of a style sheet that the service does not have. */
const CUT_OR_LOST = new RegExp(`${CUT.source}|Refused to apply style from '\\S*lost\\.css'`);
const READY = `navigator.serviceWorker.ready.then(async ({ active }) => {
  const [shell] = (await caches.keys()).filter((name) => name.startsWith('shell-'));
  const rows = await caches.match('/admin/v1/pets/rows');
  return active.state === 'activated' && shell !== undefined && rows !== undefined;
})`;

/** Resolves when the page, its files and the pets are kept. */
async function kept(page: Page): Promise<void> {
  await page.locator('#row-3').waitFor();
  await until(async () => (await page.evaluate(READY)) === true, 'the page is kept');
}

test('the dashboard opens without a connection, shows the stock with its age, and is current again later', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { hasServiceWorker: true, expected: CUT });
  const context = page.context();
  const quantity = page.locator('#row-3 [data-cell="quantity"]');
  await quantity.waitFor();
  await kept(page);
  const before = await quantity.textContent();

  await context.setOffline(true);
  await page.reload();
  await page.getByText(/, as of /).waitFor();
  await page.getByText('Offline since').waitFor();
  assert.equal(await quantity.textContent(), before);
  // Each page opens at its own address too, and a count waits.
  for (const [path, name] of [
    ['/', 'Overview'],
    ['/orders', 'Orders'],
    ['/reports/movements', 'Reports'],
    ['/count', 'Count'],
  ] as const) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  }
  const other = await context.newPage();
  await other.goto('/pets/3');
  await other.getByText('Offline since').waitFor();
  await other.close();

  await shop.send('PATCH', '/inventory/3', { quantity: 777 });
  await shop.send('PATCH', '/inventory/2', { quantity: 778 });
  await page.goto('/stock');
  await page.getByText(/, as of /).waitFor();
  // Edits wait in their order, also over a reload.
  const edit = async (petId: number, typed: string) => {
    await page.locator(`#row-${petId} [data-cell="quantity"]`).click();
    await page.keyboard.type(typed);
    await page.keyboard.press('Enter');
    await page.locator(`#row-${petId} [data-waiting]`).waitFor();
  };
  await edit(1, '60');
  await edit(1, '+5');
  await edit(2, '70');
  await page.getByText('3 changes wait.').waitFor();
  await page.reload();
  await page.getByText('3 changes wait.').waitFor();
  assert.equal(await page.locator('#row-1 [data-waiting]').textContent(), '65');
  assert.equal(await quantity.textContent(), before, 'the list is that of before');
  await page.evaluate('document.title = "the same document"');
  await context.setOffline(false);
  await page.getByText('Live', { exact: true }).waitFor();
  await until(async () => (await quantity.textContent()) === '777', 'the list is current');
  await page.getByText(/, as of /).waitFor({ state: 'detached' });
  assert.equal(await page.title(), 'the same document', 'nothing was loaded again');
  await page.locator('#row-1 [data-waiting]').waitFor({ state: 'detached' });
  const recorded = (await shop.send('GET', '/inventory/1/movements')) as { quantityAfter: number }[];
  assert.deepEqual(
    recorded.map(({ quantityAfter }) => quantityAfter),
    [4, 60, 65],
  );
  // Somebody else has changed the third one: its person decides, here or among the counts.
  await page.getByText('1 change needs your decision.').waitFor();
  await page.locator('#row-2').getByRole('button', { name: 'Set 70' }).click();
  await until(
    async () => (await page.locator('#row-2 [data-cell="quantity"]').textContent()) === '70',
    'set',
  );
  await page.getByText('needs your decision').waitFor({ state: 'detached' });

  // A service that takes connections and answers none is as good as not there.
  process.kill(shop.service.pid, 'SIGSTOP');
  await page.reload();
  await page.getByText(/, as of /).waitFor();
  assert.equal(await quantity.textContent(), '777');
  process.kill(shop.service.pid, 'SIGCONT');
  await shop.send('PATCH', '/inventory/3', { quantity: 778 });
  await page.getByText(/, as of /).waitFor({ state: 'detached' });
  await until(async () => (await quantity.textContent()) === '778', 'the list is current');
});

test('a first visit that loses the connection opens pets and pages that it did not show yet', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { path: '/pets/3', hasServiceWorker: true, expected: CUT });
  await page.getByRole('img', { name: /Quantity from/ }).waitFor();
  await until(async () => (await page.evaluate(READY)) === true, 'the page is kept');
  const isServed = 'navigator.serviceWorker.controller !== null';
  await until(async () => (await page.evaluate(isServed)) === true, 'the worker serves the page');
  await page.context().setOffline(true);
  await page.getByText('Offline since').waitFor();
  await visit(page, '/pets/1');
  await page.getByRole('heading', { name: 'Labrador Retriever puppy' }).waitFor();
  await visit(page, '/reports');
  await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor();
});

test('count mode names its stock-take without a connection', async (t) => {
  const shop = await openShop(t);
  const { id } = (await shop.send('POST', '/stocktakes', { name: 'Fish wall' })) as { id: string };
  const page = await openPage(t, shop, { hasServiceWorker: true, expected: CUT });
  await kept(page);
  const chosen = page.locator('input[value="Fish wall"]');
  await page.goto(`/count?stocktake=${id}`);
  await chosen.waitFor();
  await page.context().setOffline(true);
  await page.goto('/count');
  await page.getByText('Offline since').waitFor();
  await chosen.waitFor();
});

test('a list that takes long holds up no other page of a first visit', async (t) => {
  const shop = await openShop(t);
  const [asked, sent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let lists = 0;
  // The page reads its first list without the worker, so the worker keeps a second one.
  const proxy = await startPrefixProxy(t, '', (path) => {
    if (path !== '/admin/v1/pets/rows') return undefined;
    lists += 1;
    if (lists === 1) return undefined;
    asked.resolve();
    return sent.promise;
  });
  proxy.forwardTo(shop.url);
  const page = await openPage(t, { ...shop, url: proxy.url }, { hasServiceWorker: true, expected: CUT });
  await asked.promise;
  const other = await page.context().newPage();
  await other.goto('/orders');
  await other.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  sent.resolve();
  await kept(page);
});

/** A copy of the built dashboard, which a test changes. */
async function copiedBuild(t: TestContext): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-build-'));
  t.after(() => rmSync(folder, { recursive: true }));
  cpSync(await builtDashboard(), folder, { recursive: true });
  return folder;
}

function editIndex(folder: string, from: string | RegExp, to: string): void {
  const index = join(folder, 'index.html');
  const text = readFileSync(index, 'utf8');
  const edited = text.replace(from, to);
  assert.notEqual(edited, text);
  writeFileSync(index, edited);
}

test('a new build takes over without loading the page again, and keeps what is typed', async (t) => {
  const folder = await copiedBuild(t);
  const shop = await openShop(t, { env: { PETSTORE_DASHBOARD: folder } });
  const page = await openPage(t, shop, { hasServiceWorker: true, expected: CUT });
  await kept(page);
  await page.goto('/orders/new');
  const reference = page.getByRole('textbox', { name: 'Reference' });
  await reference.fill('typed and not sent');
  const shells = async () =>
    (await page.evaluate(
      `caches.keys().then((names) => names.filter((name) => name.startsWith('shell-')))`,
    )) as string[];
  const [old = ''] = await shells();
  const script = join(folder, 'service-worker.js');
  const text = gunzipSync(readFileSync(`${script}.gz`)).toString();
  writeFileSync(`${script}.gz`, gzipSync(text.replace(old.slice('shell-'.length), 'another')));
  rmSync(`${script}.br`);
  editIndex(folder, '<head>', '<head><meta name="build" content="another">');
  await shop.service.kill9();
  await shop.restart();
  await page.evaluate('navigator.serviceWorker.ready.then((registration) => registration.update())');
  await until(async () => (await shells()).includes('shell-another'), 'the new build is kept');
  const workers = `navigator.serviceWorker.ready.then(async ({ active, installing, waiting }) => {
    const kept = await (await caches.open('shell-another')).keys();
    const states = [active, installing, waiting].map((worker) => worker?.state ?? 'none');
    return [...states, kept.length + ' files'].join(', ');
  })`;
  let found = '';
  const isUsed = async () => {
    found = (await page.evaluate(workers)) as string;
    return found.startsWith('activated, none, none');
  };
  await until(isUsed, () => `the new build is used, not ${found}`);
  assert.deepEqual(await shells(), [old, 'shell-another'], 'open pages have the files of their build');
  assert.equal(await reference.inputValue(), 'typed and not sent');
  // The next visit has the new build, and the draft of the old one, also without a connection.
  await page.context().setOffline(true);
  await page.reload();
  await page.getByText('You typed this and did not send it.').waitFor();
  assert.equal(await reference.inputValue(), 'typed and not sent');
  assert.equal(await page.locator('meta[name="build"]').count(), 1, 'the page is that of the new build');
});

test('a new build whose files did not arrive leaves the build before, which opens without a connection', async (t) => {
  const folder = await copiedBuild(t);
  const shop = await openShop(t, { env: { PETSTORE_DASHBOARD: folder } });
  const page = await openPage(t, shop, { hasServiceWorker: true, expected: CUT_OR_LOST });
  await kept(page);
  let { service } = shop;
  for (const [file, lost] of [
    [/early-[\w-]+\.css/, 'lost.css'],
    [/dashboard-[\w-]+\.js/, 'lost.js'],
  ] as const) {
    editIndex(folder, file, lost);
    await service.kill9();
    service = (await shop.restart()) as typeof service;
    await page.context().setOffline(false);
    // The worker shows the kept page where the service takes long.
    const isLoaded = async () => {
      await page.reload();
      return (await page.locator(`[src$="${lost}"], [href$="${lost}"]`).count()) > 0;
    };
    await until(isLoaded, 'the page of the new build is loaded');
    await page.context().setOffline(true);
    await page.reload();
    await page.getByText(/, as of /).waitFor();
    await page.locator('#row-3').waitFor();
    assert.equal(await page.locator('[href*="lost"]').count(), 0, 'the page is that of the build before');
  }
});

test('the sign-in page of a network is kept neither as the list of the pets nor as a file', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { hasServiceWorker: true, expected: CUT });
  await kept(page);
  const isServed = 'navigator.serviceWorker.controller !== null';
  await until(async () => (await page.evaluate(isServed)) === true, 'the worker serves the page');
  await shop.service.kill9();
  const asked = { rows: 0, files: 0 };
  let isReady = true;
  const network = createServer(({ url }, response) => {
    if (!isReady) {
      // As the shipped haproxy.cfg.
      response.writeHead(503, { 'Content-Type': 'application/json' }).end('{"code":"service_unavailable"}');
      return;
    }
    if (url === '/admin/v1/pets/rows') asked.rows += 1;
    if (url === '/assets/rare.wasm') asked.files += 1;
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>Sign in to the network</p>');
  });
  t.after(() => network.close());
  network.listen(shop.service.port, '127.0.0.1');
  await once(network, 'listening');
  const typeOfRows = "fetch('/admin/v1/pets/rows').then(({ headers }) => headers.get('Content-Type'))";
  await until(async () => {
    assert.doesNotMatch(String(await page.evaluate(typeOfRows)), /html/);
    return asked.rows > 2;
  }, 'the network has answered');
  const isKept = "fetch('/assets/rare.wasm').then(() => caches.match('/assets/rare.wasm')).then(Boolean)";
  for (let reads = 1; reads <= 3; reads += 1) {
    assert.equal(await page.evaluate(isKept), false);
    assert.equal(asked.files, reads);
  }
  isReady = false;
  assert.equal(await page.evaluate("fetch('/admin/v1/pets/rows').then(({ status }) => status)"), 200);
  network.close();
  network.closeAllConnections();
  await page.goto('/stock');
  await page.getByText(/, as of /).waitFor();
  await page.locator('#row-3').waitFor();
});

test('a network that signs in while the dashboard is installed leaves none of its pages as a file', async (t) => {
  const shop = await openShop(t);
  // Only the worker reads it. What the page has read too may come from the browser's cache.
  const icon = '/icon-512.png';
  let [isSignIn, asked] = [true, 0];
  const proxy = await startPrefixProxy(t, '', undefined, (path) => {
    if (!isSignIn || path !== icon) return undefined;
    asked += 1;
    return '<p>Sign in to the network</p>';
  });
  proxy.forwardTo(shop.url);
  const page = await openPage(t, { ...shop, url: proxy.url }, { hasServiceWorker: true, expected: CUT });
  await until(() => asked > 0, 'the worker is installed');
  const registrations = 'navigator.serviceWorker.getRegistrations().then(({ length }) => length)';
  await until(async () => (await page.evaluate(registrations)) === 0, 'the worker is given up');
  isSignIn = false;
  await page.reload();
  await kept(page);
  const types = (await page.evaluate(`caches.keys().then(async (names) => {
    const shell = await caches.open(names.find((name) => name.startsWith('shell-')));
    const files = await shell.keys();
    return Promise.all(files.map(async (file) => {
      const { headers } = await shell.match(file);
      return new URL(file.url).pathname + ' ' + headers.get('Content-Type');
    }));
  })`)) as string[];
  assert.ok(types.includes(`${icon} image/png`), types.join());
  assert.deepEqual(
    types.filter((file) => file.includes('text/html')).map((file) => file.split(' ', 1)[0]),
    ['/'],
  );
});

test('a browser that cannot open its cache shows the page of the service', async (t) => {
  if (isSkippedDaily(t)) return;
  const folder = await copiedBuild(t);
  const script = join(folder, 'service-worker.js');
  const text = gunzipSync(readFileSync(`${script}.gz`)).toString();
  // As a browser does whose disk is damaged, from a message on.
  const damage = `addEventListener('message', () => {
    CacheStorage.prototype.open = CacheStorage.prototype.match = async () => { throw new Error('damaged'); };
  });`;
  writeFileSync(`${script}.gz`, gzipSync(damage + text));
  rmSync(`${script}.br`);
  const shop = await openShop(t, { env: { PETSTORE_DASHBOARD: folder } });
  const page = await openPage(t, shop, { hasServiceWorker: true, expected: CUT });
  await kept(page);
  await page.evaluate('navigator.serviceWorker.controller.postMessage("damage")');
  await page.reload();
  await page.locator('#row-3').waitFor();
});

/** Holds the timer after which a page that reads no list registers its worker, and counts registrations. */
const HELD_TIMER = `(() => {
  const { setTimeout: later, ServiceWorkerContainer: { prototype } } = window;
  const register = prototype.register;
  window.registrations = 0;
  prototype.register = function (...all) {
    window.registrations += 1;
    return register.apply(this, all);
  };
  window.setTimeout = (run, ms, ...all) => {
    if (ms !== 3_000) return later(run, ms, ...all);
    window.endTimer = run;
    return 0;
  };
})()`;

test('the worker is registered after the list that a first visit waits for, and nothing is kept after the session', async (t) => {
  const shop = await openShop(t);
  const [asked, sent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const page = await openPage(t, shop, {
    hasServiceWorker: true,
    expected: CUT,
    prepare: async (opening) => {
      await opening.addInitScript(HELD_TIMER);
      await opening.route('**/admin/v1/pets/rows', async (route) => {
        asked.resolve();
        await sent.promise;
        await route.continue();
      });
    },
  });
  await asked.promise;
  const isLoaded = "typeof endTimer === 'function'";
  await until(async () => (await page.evaluate(isLoaded)) === true, 'the page is loaded');
  const ended = `new Promise((resolve) => {
    endTimer();
    setTimeout(() => resolve(registrations));
  })`;
  assert.equal(await page.evaluate(ended), 0);
  sent.resolve();
  await kept(page);
  await page.evaluate("localStorage.setItem('petstore.stocktake', '[]')");
  await page.getByRole('button', { name: /^Account: / }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await until(
    async () =>
      (await page.evaluate(
        `caches.match('/admin/v1/pets/rows').then((rows) => rows === undefined &&
          ['session', 'stocktake'].every((name) => localStorage.getItem('petstore.' + name) === null))`,
      )) === true,
    'the pets and the session are forgotten',
  );
  await page.context().setOffline(true);
  await page.goto('/stock');
  await page.getByText('The service cannot be reached').waitFor();
  assert.equal(await page.locator('#row-3').count(), 0);
});

test('the files of a browser that installs the dashboard are those of the manifest', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t, { isSample: false });
  const read = (path: string) => fetch(new URL(path, shop.url));
  const manifest = await read('/manifest.webmanifest');
  assert.equal(manifest.headers.get('content-type'), 'application/manifest+json');
  const { icons, start_url: start } = (await manifest.json()) as {
    icons: { src: string; sizes: string; type: string }[];
    start_url: string;
  };
  assert.equal(start, '/');
  for (const { src, sizes, type } of icons) {
    const icon = await read(src);
    assert.equal(icon.headers.get('content-type'), type);
    const bytes = Buffer.from(await icon.arrayBuffer());
    assert.equal(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, sizes, src);
  }
  const worker = await read('/service-worker.js');
  assert.equal(worker.headers.get('cache-control'), 'no-cache');
  const listed = /"files":(\[[^\]]*\])/.exec(await worker.text())?.[1] ?? '[]';
  const files = JSON.parse(listed) as string[];
  assert.ok(files.length > 50 && files.every((file) => !/scalar|docs|\.wasm/.test(file)), listed);
  for (const file of files) assert.equal((await read(file)).status, 200, file);
});
