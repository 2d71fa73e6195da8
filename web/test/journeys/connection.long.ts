import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startTcpProxy } from '../../../server/test/postgres/support/tcp-proxy.ts';
import { openPage } from '../support/browser.ts';
import { openShop, type Shop } from '../support/shop.ts';

/** The page waits up to 15 s between two attempts. */
const BACK_MS = 60_000;

const quantity = (page: Page, name: string, value: number) =>
  page.getByRole('button', { name: `Quantity of ${name}: ${value}`, exact: true });

/** Marks the document: the mark is gone if the page loads again. */
const mark = (page: Page) => page.evaluate('globalThis.isSame = true');
const assertSame = async (page: Page) =>
  assert.equal(await page.evaluate('globalThis.isSame'), true, 'the page was not loaded again');

/** The same shop through a proxy that can fail; its key is the one of the shop. */
async function behindProxy(t: TestContext, shop: Shop) {
  const proxy = await startTcpProxy(t, shop.service.port);
  return { proxy, shop: { ...shop, url: `http://127.0.0.1:${proxy.port}` } };
}

test('stock is current again without a reload after the service was restarted', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff' });
  await quantity(page, 'Labrador Retriever puppy', 4).waitFor();
  await mark(page);
  await shop.service.kill9();
  await page.getByText('Offline since').waitFor();
  await page.getByText('What you see may be out of date.').waitFor();
  await quantity(page, 'Labrador Retriever puppy', 4).waitFor();
  // The change is made while the page is not there to see it.
  await shop.service.withAdmin((admin) =>
    admin.importPets(
      [{ petId: 1n, name: 'Labrador Retriever puppy', category: 'Dogs', quantity: 40, status: 'available' }],
      'cli',
    ),
  );
  await shop.restart();
  await quantity(page, 'Labrador Retriever puppy', 40).waitFor({ timeout: BACK_MS });
  await page.getByText('Offline since').waitFor({ state: 'detached' });
  await shop.send('PATCH', '/inventory/2', { quantity: 55 });
  await quantity(page, 'Golden Retriever puppy', 55).waitFor();
  await assertSame(page);
});

const CONNECT_NOW =
  '[...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Connect now")?.click()';

test('a connection that is cut is made again, and misses no change', async (t) => {
  const direct = await openShop(t);
  const { proxy, shop } = await behindProxy(t, direct);
  const page = await openPage(t, shop, { role: 'staff' });
  await quantity(page, 'Labrador Retriever puppy', 4).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await mark(page);
  for (const value of [41, 42, 43]) {
    proxy.blackHole();
    proxy.cut();
    await page.getByText('Offline since').waitFor();
    await direct.send('PATCH', '/inventory/1', { quantity: value });
    await quantity(page, 'Labrador Retriever puppy', value - 1)
      .or(quantity(page, 'Labrador Retriever puppy', 4))
      .waitFor();
    proxy.heal();
    // On a busy machine the page has connected by itself before.
    await page.evaluate(CONNECT_NOW);
    await quantity(page, 'Labrador Retriever puppy', value).waitFor({ timeout: BACK_MS });
    await page.getByText('Offline since').waitFor({ state: 'detached' });
  }
  await assertSame(page);
});

test('an undo without a connection is taken back and says why', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff' });
  await quantity(page, 'Labrador Retriever puppy', 4).waitFor();
  await page.locator('#row-1 [data-cell="quantity"]').click();
  await page.keyboard.type('9');
  await page.keyboard.press('Enter');
  await page.getByText('Labrador Retriever puppy: 4 → 9').waitFor();
  await page.context().setOffline(true);
  await page.keyboard.press('Control+z');
  await page.getByRole('alert').getByText('the page shows whether it was undone').waitFor();
  await quantity(page, 'Labrador Retriever puppy', 9).waitFor();
  assert.deepEqual(await quantitiesOf(shop), [4, 9]);
});

for (const typed of ['9', '+5']) {
  test(`the edit ${typed} whose answer was lost is made one time`, async (t) => {
    const shop = await openShop(t);
    const page = await openPage(t, shop, { role: 'staff' });
    await quantity(page, 'Labrador Retriever puppy', 4).waitFor();
    await page.route(
      /\/inventory\/1(\/adjustments)?$/,
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await page.locator('#row-1 [data-cell="quantity"]').click();
    await page.keyboard.type(typed);
    await page.keyboard.press('Enter');
    await page.getByText('Labrador Retriever puppy: 9 is kept on this device').waitFor();
    await page.locator('#row-1 [data-waiting]').waitFor({ state: 'detached' });
    await quantity(page, 'Labrador Retriever puppy', 9).waitFor();
    assert.deepEqual(await quantitiesOf(shop), [4, 9]);
  });
}

async function quantitiesOf(shop: Shop): Promise<number[]> {
  const movements = (await shop.send('GET', '/inventory/1/movements')) as { quantityAfter: number }[];
  return movements.map(({ quantityAfter }) => quantityAfter);
}
