import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openPage, type PageOptions } from '../support/browser.ts';
import { openShop, type Shop } from '../support/shop.ts';

const FIRST = '#first-rows [data-first-row]';
const ROWS = '#root [role="grid"] [role="row"][data-position]';
/** The code of all pages, without which React draws nothing. */
const CODE = /\/assets\/first-(?!rows)[\w-]+\.js$/;

/** The page itself took 199 ms, whatever the load of the machine. */
const QUICK = `performance.getEntriesByType = () => [{ requestStart: 1, responseEnd: 200 }];`;

interface Drawn {
  readonly texts: readonly (readonly string[])[];
  readonly heading: readonly string[];
  readonly box: Record<string, number>;
}

/** What a table shows, by its cells, and where its first row is. */
const drawn = (page: Page, rows: string): Promise<Drawn> =>
  page.evaluate(`(() => {
    const rows = [...document.querySelectorAll(${JSON.stringify(rows)})].slice(0, 3);
    const heading = rows[0].parentElement.previousElementSibling;
    const cells = (row) => [...row.children].map((cell) => cell.innerText.trim());
    const { x, y, width, height } = rows[0].getBoundingClientRect();
    return { texts: rows.map(cells), heading: cells(heading), box: { x, y, width, height } };
  })()`);

async function slow(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const speed = { downloadThroughput: -1, uploadThroughput: -1 };
  await devtools.send('Network.emulateNetworkConditions', { offline: false, latency: 250, ...speed });
}

/** Opens a page whose code comes after its first rows were seen. */
async function openSlow(t: TestContext, shop: Shop, options: PageOptions = {}) {
  let before: Drawn | undefined;
  const page = await openPage(t, shop, {
    ...options,
    prepare: async (own) => {
      await slow(own);
      await own.route(CODE, async (route) => {
        await own.locator(FIRST).first().waitFor();
        before = await drawn(own, FIRST);
        await route.continue();
      });
    },
  });
  await page.locator(ROWS).first().waitFor();
  assert.ok(before, 'the first rows came before the code');
  return { page, before, after: await drawn(page, ROWS) };
}

test('over a slow connection the first pets show before the code, in the places that they have with it', async (t) => {
  const shop = await openShop(t);
  for (const options of [
    {},
    { locale: 'de-DE', colorScheme: 'dark', viewport: { width: 390, height: 800 }, role: 'viewer' },
  ] as const) {
    const { page, before, after } = await openSlow(t, shop, options);
    assert.ok(before.texts.length === 3 && before.texts.flat().some((text) => /\d/.test(text)));
    assert.deepEqual(before, after);
    assert.equal(await page.locator('#first-rows').count(), 0, 'the page has its own rows');
  }
});

test('the first rows are read neither over a quick connection nor for a filtered list', async (t) => {
  const shop = await openShop(t);
  const read: string[] = [];
  const note = async (page: Page) =>
    void page.on('request', (request) => {
      if (/\/admin\/v1\/pets\?limit=/.test(request.url())) read.push(request.url());
    });
  const quick = await openPage(t, shop, {
    prepare: async (page) => {
      await note(page);
      await page.addInitScript(QUICK);
    },
  });
  await quick.locator(ROWS).first().waitFor();
  const filtered = await openPage(t, shop, {
    path: '/stock?status=available',
    prepare: async (page) => {
      await note(page);
      await slow(page);
    },
  });
  await filtered.locator(ROWS).first().waitFor();
  const view = { name: 'Sold', list: 'stock', query: 'status=sold', density: null, isDefault: true };
  const viewed = await openPage(t, shop, {
    prepare: async (page) => {
      await note(page);
      await slow(page);
      await page.addInitScript(
        `localStorage.setItem('petstore.saved-views', ${JSON.stringify(JSON.stringify([view]))})`,
      );
    },
  });
  await viewed.locator('#root [role="grid"]').or(viewed.locator('#root h1')).first().waitFor();
  assert.deepEqual(read, []);
});

test('the first rows leave when the code cannot be loaded, so that the page can say so', async (t) => {
  const shop = await openShop(t);
  let wasDrawn = false;
  const page = await openPage(t, shop, {
    expected: /ERR_FAILED|Failed to load resource/,
    prepare: async (own) => {
      await slow(own);
      // Not because they have an end.
      await own.addInitScript(`{
        const { setTimeout: later } = window;
        window.setTimeout = (run, ms, ...rest) => (ms === 30_000 ? 0 : later(run, ms, ...rest));
      }`);
      await own.route(CODE, async (route) => {
        await own.locator(FIRST).first().waitFor();
        wasDrawn = true;
        await route.abort();
      });
    },
  });
  await page.locator('#first-rows').waitFor({ state: 'detached' });
  await page.getByText('The dashboard did not load yet.').waitFor();
  assert.ok(wasDrawn, 'they were there before');
});
