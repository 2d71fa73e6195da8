import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { csvOf } from '../src/components/downloads/csv.ts';
import { readAll } from '../src/components/downloads/read-all.ts';
import { assertAccessible, openPage } from './support/browser.ts';
import { serviceDay, setClockBack } from './support/service-day.ts';
import { openShop, type Shop } from './support/shop.ts';

/** The lines of the file of the list on the page. */
async function exported(page: Page, shop: Shop): Promise<readonly string[]> {
  const started = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const file = await started;
  assert.equal(/\d{4}-\d\d-\d\d/.exec(file.suggestedFilename())?.[0], await serviceDay(shop));
  const text = await readFile(await file.path(), 'utf8');
  assert.ok(text.endsWith('\r\n'));
  return text.slice(0, -2).split('\r\n');
}

test('lists export what their filters and their search show', async (t) => {
  const shop = await openShop(t);
  await shop.send('PATCH', '/pets/1', { name: '=1+1' });
  await shop.send('POST', '/accounts', { name: 'Web shop', plan: 'free' });
  for (const [petId, referenceId] of [
    [31, 'cart 1'],
    [32, '=cart'],
  ] as const) {
    const lines = [
      { petId, quantity: 2 },
      { petId: 33, quantity: 1 },
    ];
    await shop.send('POST', '/store/orders', { lines, referenceId });
  }
  const page = await openPage(t, shop, { path: '/orders?petId=31', prepare: setClockBack });
  await page.getByRole('row', { name: /cart 1/ }).waitFor();
  const orders = await exported(page, shop);
  assert.equal(orders[0]?.startsWith('orderId,status,petId,quantity,'), true);
  assert.deepEqual(
    orders.slice(1).map((line) => line.split(',').slice(0, 4).join()),
    ['3,placed,31,2', '3,placed,33,1', '2,approved,31,40', '2,approved,36,8'],
    'only the orders of the pet, with a row per line',
  );
  await page.getByText('Exported 4 entries').waitFor();
  await page.goto(`${shop.url}/orders?ref=${encodeURIComponent('=cart')}`);
  await page.getByRole('row', { name: /=cart/ }).waitFor();
  assert.match((await exported(page, shop))[1] ?? '', /^4,placed,32,2,0,0,2,'=cart,/);

  await page.goto(`${shop.url}/system/log?action=pets.update`);
  await page
    .getByRole('row', { name: / edited / })
    .first()
    .waitFor();
  await assertAccessible(page);
  const log = await exported(page, shop);
  assert.equal(log[0], 'recordedAt,author,authorKeyId,action,target,details,requestId');
  assert.ok(log.length > 1 && log.slice(1).every((line) => line.includes(',pets.update,')));

  await page.goto(`${shop.url}/access?q=no+such`);
  await page.getByText('Nothing matches').waitFor();
  assert.deepEqual(await exported(page, shop), [
    'id,name,plan,perMinute,perDay,createdAt,requestsLastHour,requestsToday,minutesAtLimit,bannedKeys,activeKeys,lastUsedAt',
  ]);
  await page.goto(`${shop.url}/access/management-keys`);
  await page.getByRole('row').nth(1).waitFor();
  const keys = await exported(page, shop);
  assert.match(keys[0] ?? '', /^id,name,hint,rights,state,/);
  assert.ok(keys.length > 1 && keys.slice(1).every((line) => line.includes(',active,')));
  assert.doesNotMatch(keys.join(), /psa_(?:live|test)_[0-9A-Za-z]{8}/);
});

test('a file of a list has all its pages up to a limit, and runs nothing in a spreadsheet', async () => {
  const pages = [
    { items: ['a', '=b'], next: '1' },
    { items: ['"c"'], next: undefined },
  ];
  const read: string[] = [];
  const seen: number[] = [];
  const result = await readAll(
    async (cursor) => pages[Number(cursor ?? 0)] ?? { items: [], next: undefined },
    (items) => void read.push(...items),
    (count) => seen.push(count),
  );
  assert.deepEqual([result, read, seen], [{ count: 3, isPart: false }, ['a', '=b', '"c"'], [2, 3]]);
  const columns = { text: (text: string) => text, length: ({ length }: string) => length };
  assert.equal(csvOf(columns, read), `text,length\r\na,1\r\n'=b,2\r\n"""c""",3\r\n`);
  const thousand = Array.from({ length: 1_000 }, () => 'x');
  const long = await readAll(
    async () => ({ items: thousand, next: 'more' }),
    () => {},
    () => {},
  );
  assert.deepEqual(long, { count: 50_000, isPart: true });
});
