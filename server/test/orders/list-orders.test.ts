import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp, type TestApp } from '../support/harness.ts';
import { petRow } from '../support/pet-rows.ts';
import { linesOf, listOrders, type OrderJson, orderOf, ordersOf, place, take } from './order-requests.ts';

const LARGE = 9_007_199_254_740_993n;
const PETS = [petRow(1n, 1_000), petRow(2n, 1_000), petRow(LARGE, 1_000), petRow(LARGE - 1n, 1_000)];
const REFERENCES = ['a', 'b & c=d, #é', ''];

/** 45 orders, one per second, of all statuses except expired, with 3 references and any of the pets. */
async function startShop(t: Parameters<typeof startApp>[0]): Promise<[TestApp, OrderJson[]]> {
  const app = await startApp(t, { pets: PETS });
  for (let i = 1; i <= 45; i += 1) {
    app.clock.nowMs += 1_000;
    const pet = [1n, 2n, LARGE][i % 3] as bigint;
    const referenceId = REFERENCES[i % 4];
    const lines = i % 5 === 0 ? linesOf([pet, 1], [LARGE - 1n, 1]) : linesOf([pet, 1]);
    assert.equal((await place(app, { ...lines, referenceId })).status, 201);
    if (i % 4 >= 1) await take(app, i % 4 === 1 ? 'cancel' : 'approve', i);
    if (i % 4 === 3) await take(app, 'deliver', i);
  }
  const all = ordersOf(await listOrders(app, '?order=asc&limit=100'));
  assert.equal(all.length, 45);
  return [app, all];
}

/** All pages of a query, by its links. */
async function pagesOf(app: TestApp, query: string): Promise<OrderJson[][]> {
  const pages: OrderJson[][] = [];
  for (let target = `/v1/store/orders?${query}`; ;) {
    const { status, text, headers, json } = await app.request('GET', target);
    assert.equal(status, 200, text);
    pages.push(ordersOf({ json }));
    const next = /^<([^>]+)>; rel="next"$/.exec(headers.get('Link') ?? '')?.[1];
    if (next === undefined) return pages;
    const { pathname, search } = new URL(next);
    target = pathname + search;
    assert.ok(pages.length < 100, 'the pages end');
  }
}

test('a page has the newest 20 orders, and links lead to all others', async (t) => {
  const [app, all] = await startShop(t);
  const answer = await listOrders(app);
  assert.deepEqual(ordersOf(answer), all.toReversed().slice(0, 20));
  assert.equal(answer.headers.get('Cache-Control'), 'private, no-cache');
  for (const limit of [1, 7, 44, 45, 46, 100]) {
    for (const order of ['asc', 'desc']) {
      const pages = await pagesOf(app, `limit=${limit}&order=${order}`);
      assert.deepEqual(pages.flat(), order === 'asc' ? all : all.toReversed(), `${limit} ${order}`);
      for (const page of pages) assert.ok(page.length <= limit);
    }
  }
});

test('filters, alone and combined, over pages of any size', async (t) => {
  const [app, all] = await startShop(t);
  const since = all[19]?.createdAt ?? '';
  const filters: Readonly<Record<string, (order: OrderJson) => boolean>> = {
    'status=placed': ({ status }) => status === 'placed',
    'status=approved': ({ status }) => status === 'approved',
    'status=delivered': ({ status }) => status === 'delivered',
    'status=expired': ({ status }) => status === 'expired',
    [`petId=${LARGE}`]: ({ lines }) => lines.some(({ petId }) => petId === LARGE),
    [`petId=${LARGE - 1n}`]: ({ lines }) => lines.some(({ petId }) => BigInt(petId) === LARGE - 1n),
    'petId=77': () => false,
    [`referenceId=${encodeURIComponent(REFERENCES[1] ?? '')}`]: ({ referenceId }) =>
      referenceId === REFERENCES[1],
    'referenceId=': ({ referenceId }) => referenceId === '',
    [`createdSince=${since}`]: ({ createdAt }) => createdAt >= since,
    // A moment between two milliseconds is after the first of them.
    [`createdSince=${since.replace('Z', '0001%2B00:00')}`]: ({ createdAt }) => createdAt > since,
  };
  const names = Object.keys(filters);
  for (const [i, one] of names.entries()) {
    for (const other of ['', ...names.slice(i + 1)]) {
      if (other !== '' && one.split('=')[0] === other.split('=')[0]) continue;
      const expected = all.filter((order) => filters[one]?.(order) && (filters[other]?.(order) ?? true));
      for (const [limit, order] of [
        [3, 'desc'],
        [100, 'asc'],
      ] as const) {
        const pages = await pagesOf(app, `${one}&${other}&limit=${limit}&order=${order}`.replace('&&', '&'));
        assert.deepEqual(pages.flat(), order === 'asc' ? expected : expected.toReversed(), `${one} ${other}`);
      }
    }
  }
});

test('the orders of a pet come whole and in order, over several milestones of its lines', async (t) => {
  const app = await startApp(t, { pets: PETS });
  const expected: number[] = [];
  for (let i = 1; i <= 140; i += 1) {
    // Lines of other pets lie between, so that places in the index and numbers of lines differ.
    const lines = i % 3 === 0 ? linesOf([2n, 1]) : i % 5 === 0 ? linesOf([2n, 1], [1n, 1]) : linesOf([1n, 1]);
    assert.equal((await place(app, lines)).status, 201);
    if (i % 3 !== 0) expected.push(i);
  }
  for (const limit of [1, 31, 32, 33, 64, 65, 100]) {
    for (const order of ['asc', 'desc']) {
      const pages = await pagesOf(app, `petId=1&limit=${limit}&order=${order}`);
      const ids = pages.flat().map(({ orderId }) => orderId);
      assert.deepEqual(ids, order === 'asc' ? expected : expected.toReversed(), `${limit} ${order}`);
    }
  }
});

test('a page that was begun continues where it ended, whatever is placed meanwhile', async (t) => {
  const [app] = await startShop(t);
  const first = await listOrders(app, '?limit=40');
  const link = /<([^>]+)>/.exec(first.headers.get('Link') ?? '')?.[1] ?? '';
  await place(app, linesOf([1, 1]));
  const { pathname, search } = new URL(link);
  const rest = ordersOf(await app.request('GET', pathname + search));
  assert.deepEqual(
    rest.map(({ orderId }) => orderId),
    [5, 4, 3, 2, 1],
  );
});

test('all accounts have the same orders', async (t) => {
  const app = await startApp(t, { pets: PETS });
  const { orderId } = orderOf(await place(app, linesOf([1, 1])));
  const { key } = await app.makeKey({ accountId: await app.makeAccount() });
  assert.deepEqual(
    ordersOf(await app.request('GET', '/v1/store/orders', { key })).map((order) => order.orderId),
    [orderId],
  );
  const cancelled = await app.request('POST', `/v1/store/orders/${orderId}/cancel`, { key });
  assert.equal(orderOf(cancelled).status, 'cancelled', cancelled.text);
});
