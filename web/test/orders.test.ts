import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Order } from '../src/api/schemas.ts';
import { shownState } from '../src/components/shown-state.ts';
import { until } from '../../server/test/support/until.ts';
import { assertAccessible, focused, openPage } from './support/browser.ts';
import { addPet, place, stockOf } from './support/order-steps.ts';
import { openShop } from './support/shop.ts';
import { isSkippedDaily } from '../../server/test/support/long-test.ts';

test('an order goes from place to return by keyboard alone', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff', path: '/orders' });
  await page.getByRole('row', { name: 'phone-17' }).waitFor();
  await page.keyboard.press('n');
  await page.getByRole('dialog', { name: 'New order' }).waitFor();
  await page.getByRole('combobox', { name: 'Add a pet' }).fill('labrador');
  await page.getByRole('option', { name: /4 available$/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  // The active option is readable.
  await page.locator('[data-combobox-selected]').first().waitFor();
  await assertAccessible(page);
  await addPet(page, 'labrador', 'Labrador Retriever puppy');
  await addPet(page, '31', 'Neon tetra');
  await page.getByRole('textbox', { name: 'Units of Neon tetra' }).focus();
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Discard what you entered?' });
  await focused(question.getByRole('button', { name: 'Keep editing' }));
  await assertAccessible(page);
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  await page.getByRole('textbox', { name: 'Units of Neon tetra' }).focus();
  await page.keyboard.type('10');
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Order 3 Placed' });
  await drawer.getByText('Placed by').waitFor();
  assert.match(page.url(), /\/orders\/3$/);
  assert.deepEqual((await stockOf(shop, 31))[1], 10);

  await page.keyboard.press('a');
  await page.getByRole('dialog', { name: 'Order 3 Approved' }).waitFor();
  await page.keyboard.press('d');
  await page.getByRole('form', { name: 'Deliver units' }).waitFor();
  const [before = 0] = await stockOf(shop, 31);
  await page.getByRole('textbox', { name: 'Units of Neon tetra' }).focus();
  await page.keyboard.type('4');
  await page.keyboard.press('Enter');
  await page.getByText('Delivered 1 × Labrador Retriever puppy, 4 × Neon tetra').waitFor();
  assert.deepEqual(await stockOf(shop, 31), [before - 4, 6]);
  await page.keyboard.press('d');
  await page.getByRole('button', { name: 'Deliver 6 units' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Order 3 Delivered' }).waitFor();

  await page.keyboard.press('r');
  const puppy = page.getByRole('textbox', { name: 'Units of Labrador Retriever puppy' });
  await focused(puppy);
  // A return of several lines begins with none of them.
  assert.equal(await puppy.inputValue(), '0');
  await page.getByRole('button', { name: 'All units' }).click();
  await page.getByRole('button', { name: 'Return 11 units' }).waitFor();
  await puppy.fill('0');
  await page.keyboard.press('Tab');
  await page.keyboard.type('2');
  await page.keyboard.press('Enter');
  await page.getByText('Returned 2 × Neon tetra').waitFor();
  await page.getByText('Order 3: 2 units returned').waitFor();
  assert.deepEqual(await stockOf(shop, 31), [before - 8, 0]);
  await page.keyboard.press('Escape');
  await page.waitForURL('**/orders');
  await page
    .getByRole('row', { name: '3 Partly returned Labrador Retriever puppy, Neon tetra 11' })
    .waitFor();
  assert.equal(await page.getByRole('status').getByText('1 new order').count(), 0, 'the list has it');
});

test('a step on an order that someone else changed is refused, and says what it is now', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  await place(shop, 1, 1);
  const page = await openPage(t, shop, { role: 'staff', path: '/orders/3' });
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await page.route('**/orders/3/approve', async (route) => {
    await shop.send('POST', '/store/orders/3/cancel');
    await route.continue();
  });
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('alert').getByText('It is now: Cancelled').waitFor();
  await page.getByRole('dialog', { name: 'Order 3 Cancelled' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Approve' }).count(), 0);
});

test('a delivery that the stock refused is made when the units are there, in the same form', async (t) => {
  const shop = await openShop(t);
  await place(shop, 1, 1);
  await shop.send('POST', '/store/orders/3/approve');
  await shop.send('PATCH', '/inventory/1', { quantity: 0 });
  const byService = { approvedAt: new Date().toISOString(), actor: { keyId: null, name: 'service' } };
  const page = await openPage(t, shop, {
    role: 'staff',
    path: '/orders/3',
    prepare: async (opened) => {
      await opened.route('**/orders/3/approval', (route) => route.fulfill({ json: byService }));
    },
  });
  await page.getByRole('listitem').filter({ hasText: 'Approved' }).getByText('Service').waitFor();
  assert.equal(await page.title(), 'Order 3 · Orders · Pet Store');
  await page.getByRole('button', { name: 'Deliver' }).click();
  const deliver = page.getByRole('button', { name: 'Deliver 1 unit' });
  await deliver.click();
  await page.getByRole('alert').getByText('1 wanted, 0 there').waitFor();
  await shop.send('PATCH', '/inventory/1', { quantity: 3 });
  await deliver.click();
  await page.getByRole('dialog', { name: 'Order 3 Delivered' }).waitFor();
  assert.deepEqual(await stockOf(shop, 1), [2, 0]);
  await page.keyboard.press('Escape');
  await page.waitForURL('**/orders');
  await until(async () => (await page.title()) === 'Orders · Pet Store', 'the title is that of the list');
});

test('an order whose answer was lost is placed once', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff', path: '/orders/new' });
  await addPet(page, 'labrador', 'Labrador Retriever puppy');
  const keys: (string | undefined)[] = [];
  await page.route('**/store/orders', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    // The first one still waits for the database when the second one arrives.
    if (keys.length === 2)
      return route.fulfill({ status: 409, json: { code: 'idempotency_in_progress', message: '' } });
    if (keys.length === 3) return route.continue();
    await route.fetch();
    await route.abort();
  });
  const button = page.getByRole('button', { name: 'Place order of 1 unit' });
  await button.click();
  await page.getByRole('alert').getByText('The change is made only once', { exact: false }).waitFor();
  await button.click();
  await page.getByRole('alert').getByText('The same change is still being made.', { exact: false }).waitFor();
  await button.click();
  await page.getByRole('dialog', { name: 'Order 3 Placed' }).waitFor();
  const orders = (await shop.send('GET', '/store/orders')) as unknown[];
  assert.deepEqual([orders.length, new Set(keys).size], [3, 1]);
});

test('the overview leads to the orders that expire soon', async (t) => {
  const shop = await openShop(t);
  const expiresAt = new Date(Date.now() + 600_000).toISOString();
  await shop.send('POST', '/store/orders', { lines: [{ petId: 31, quantity: 2 }], expiresAt });
  const page = await openPage(t, shop, { role: 'viewer', path: '/' });
  await page.getByRole('link', { name: '1 order expires within 15 minutes' }).click();
  await page.waitForURL('**/orders?state=expiring');
  // The service of a test has another time than its responses say, which is the one that the page has.
  await page.getByRole('row', { name: /^3 (?:Expires soon|Placed) Neon tetra/ }).waitFor();
  assert.equal(await page.getByRole('row', { name: 'web-1001' }).count(), 0, 'another order that is placed');
  await page.locator('nav [aria-current="page"]').getByText('Expires soon').waitFor();
  assert.equal(await page.title(), 'Expires soon · Orders · Pet Store');
});

test('an order that is delivered in part has a state of its own, and is found by it and by its reference', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  const lines = [{ petId: 31, quantity: 2 }];
  await shop.send('POST', '/store/orders', { lines, referenceId: 'till-9' });
  await shop.send('POST', '/store/orders/3/approve', {});
  const page = await openPage(t, shop, { role: 'staff', path: '/orders?state=partly_delivered' });
  await page.getByRole('row', { name: /^2 Partly delivered .+ phone-17/ }).waitFor();
  await page
    .getByRole('navigation', { name: 'Status of the orders' })
    .getByRole('link', { name: 'Approved' })
    .click();
  await page.getByRole('row', { name: /^3 Approved Neon tetra/ }).waitFor();
  await shop.send('POST', '/store/orders/3/deliver', { lines: [{ petId: 31, quantity: 1 }] });
  await page.getByRole('row', { name: /^3 Partly delivered Neon tetra/ }).waitFor();
  await page.getByRole('link', { name: 'Partly delivered' }).click();
  await page.getByRole('row', { name: 'till-9' }).click();
  const drawer = page.getByRole('dialog', { name: 'Order 3 Partly delivered' });
  await drawer.waitFor();
  await assertAccessible(page);
  await shop.send('POST', '/store/orders/3/return', { lines: [{ petId: 31, quantity: 1 }] });
  await drawer.getByText('Returned').first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'All', exact: true }).click();
  const field = page.getByRole('searchbox', { name: 'Reference' });
  await field.fill('till-9');
  await page.getByRole('button', { name: 'Show the orders with this reference' }).click();
  await page.getByRole('row', { name: /^3 Partly delivered/ }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Search' }).fill('till-9');
  await page.getByRole('button', { name: /^Order 3 .+till-9 Partly delivered/ }).waitFor();
});

test('a list whose orders are rare reads only so many pages by itself', async (t) => {
  const shop = await openShop(t);
  let pages = 0;
  const page = await openPage(t, shop, {
    role: 'viewer',
    path: '/orders?petId=31',
    prepare: async (own) => {
      await own.route(/\/store\/orders\?.*petId=31/, (route) => {
        // A look for changes of the first page has no cursor.
        if (route.request().url().includes('cursor=')) pages += 1;
        const headers = { Link: `</admin/v1/store/orders?petId=31&cursor=${pages + 1}>; rel="next"` };
        return route.fulfill({ json: [], headers });
      });
    },
  });
  const more = page.getByRole('button', { name: 'Show older orders' });
  await until(() => pages >= 19, 'the pages of its own are read');
  await more.and(page.locator(':enabled')).click();
  await until(() => pages >= 20, 'the person reads on');
  await more.and(page.locator(':enabled')).waitFor();
  assert.equal(pages, 20);
});

test('an order expires soon if it is placed and its time is near, and is delivered or returned in part if a unit is', () => {
  const nowMs = Date.parse('2026-07-01T12:00:00Z');
  const at = (minutes: number) => new Date(nowMs + minutes * 60_000).toISOString();
  const stateOf = (status: Order['status'], expiresAt: string | null, delivered = 0, returned = 0) => {
    const lines = [
      { delivered: 0, returned: 0 },
      { delivered, returned },
    ];
    return shownState({ status, expiresAt, lines } as unknown as Order, nowMs);
  };
  assert.equal(stateOf('placed', at(14)), 'expiring');
  assert.equal(stateOf('placed', at(15)), 'placed');
  assert.equal(stateOf('placed', null), 'placed');
  assert.equal(stateOf('approved', at(1)), 'approved');
  assert.equal(stateOf('approved', null, 1), 'partly_delivered');
  assert.equal(stateOf('delivered', null, 1), 'delivered');
  assert.equal(stateOf('delivered', null, 2, 1), 'partly_returned');
  assert.equal(stateOf('delivered', null, 2, 2), 'returned');
  assert.equal(stateOf('approved', null, 2, 1), 'partly_delivered');
});
