import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, signOut } from '../support/browser.ts';
import { openShop } from '../support/shop.ts';
import { choose, count, entry, LABRADOR, openCount, press, recorded, scan } from './count-phone.ts';

/** The page may still be loading code of other pages when the connection is lost. */
const LOSES_CONNECTION = { expected: /ERR_INTERNET_DISCONNECTED/ };

test('pets are counted with one thumb: changes and confirmations are recorded', async (t) => {
  const shop = await openShop(t);
  const page = await openCount(t, shop);
  await choose(page, 'labrador', LABRADOR);
  await page.getByText('Expected 4').waitFor();
  const sizes = await page
    .getByRole('group', { name: 'Number pad' })
    .getByRole('button')
    .evaluateAll((keys) => keys.map((key) => (key as unknown as { offsetHeight: number }).offsetHeight));
  assert.ok(Math.min(...sizes) >= 56, `keys of ${sizes} px`);
  const next = page.getByRole('button', { name: 'Save and next' });
  assert.ok(((await next.boundingBox())?.y ?? 0) + 56 <= 740 - 56, 'the button is above the bar');
  await count(page, 'labrador', LABRADOR, 6);
  await entry(page, LABRADOR).getByText('+2').waitFor();
  await entry(page, LABRADOR).getByText('Recorded').waitFor();

  await page.getByRole('switch', { name: 'Blind' }).click();
  await choose(page, '31', 'Neon tetra');
  assert.equal(await page.getByText('Expected 340').count(), 0);
  await count(page, '31', 'Neon tetra', 340);
  await entry(page, 'Neon tetra').getByText('Recorded').waitFor();
  // A digit, and Enter quickly after it, are no barcode of another pet.
  await choose(page, 'labrador', LABRADOR);
  await scan(page, '5');
  await entry(page, LABRADOR).getByText('−1').waitFor();
  await entry(page, LABRADOR).filter({ hasText: '−1' }).getByText('Recorded').waitFor();
  assert.deepEqual(await recorded(shop), [
    [1, 2, 6],
    [31, 0, 340],
    [1, -1, 5],
  ]);
  await page.getByRole('button', { name: 'Finish' }).click();
  const summary = page.getByRole('dialog', { name: 'This count' });
  await summary.getByText('Everything is recorded').waitFor();
  assert.match((await summary.textContent()) ?? '', /Pets counted2.*Changed2.*Confirmed1.*missing\+1/);
  await summary.getByRole('button', { name: 'Finish the count' }).click();
  await page.getByText('Nothing counted yet.').waitFor();
});

test('counting continues through a lost connection, and each count is recorded one time', async (t) => {
  const shop = await openShop(t);
  const page = await openCount(t, shop, LOSES_CONNECTION);
  await page.context().setOffline(true);
  await count(page, 'labrador', LABRADOR, 6);
  await count(page, 'neon', 'Neon tetra', 338);
  await scan(page, '2');
  await page.getByRole('heading', { name: 'Golden Retriever puppy' }).waitFor();
  // The next pet ends the count of this one.
  await press(page, '7');
  await choose(page, '1', LABRADOR);
  await entry(page, 'Golden Retriever puppy').getByText('Waits').waitFor();
  await press(page, 'Escape');
  await page.getByText('3 counted, 3 waiting').waitFor();
  assert.deepEqual(await recorded(shop), []);
  await page.context().setOffline(false);
  await page.getByText('3 counted, 0 waiting').waitFor();
  const all = [
    [1, 2, 6],
    [31, -2, 338],
    [2, 4, 7],
  ];
  assert.deepEqual(await recorded(shop), all);

  // The answer is lost, and then the page is loaded again.
  await page.route('**/inventory/3', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await count(page, '3', 'French Bulldog puppy', 5);
  await entry(page, 'French Bulldog puppy').getByText('Waits').waitFor();
  // The page repeats its request meanwhile, and loading it again breaks off the one that is under way.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.reload();
  await entry(page, 'French Bulldog puppy').getByText('Recorded').waitFor();
  assert.deepEqual(await recorded(shop), [...all, [3, 4, 5]]);
});

test('a conflict names who changed the pet, and the person decides; a reservation is none', async (t) => {
  const shop = await openShop(t);
  const page = await openCount(t, shop, LOSES_CONNECTION);
  await page.context().setOffline(true);
  await count(page, 'labrador', LABRADOR, 6);
  await count(page, 'neon', 'Neon tetra', 338);
  await count(page, 'zebra finch', 'Zebra finch', 41);
  await shop.send('PATCH', '/inventory/1', { quantity: 9 });
  await shop.send('PATCH', '/inventory/31', { quantity: 300 });
  await shop.send('POST', '/store/orders', { lines: [{ petId: 26, quantity: 1 }] });
  await page.context().setOffline(false);
  await entry(page, 'Zebra finch').getByText('Recorded').waitFor();
  await entry(page, LABRADOR).getByText('administrator changed it to 9').waitFor();
  await entry(page, LABRADOR).getByRole('button', { name: 'Set 6' }).click();
  await entry(page, LABRADOR).getByText('Recorded').waitFor();
  await entry(page, 'Neon tetra').getByRole('button', { name: 'Keep 300' }).click();
  await entry(page, 'Neon tetra').getByText('Not changed').waitFor();
  assert.deepEqual(await recorded(shop), [
    [26, 1, 41],
    [1, -3, 6],
  ]);
  // What is sold while a person counts is not counted.
  await choose(page, 'labrador', LABRADOR);
  await press(page, '5');
  await shop.send('PATCH', '/inventory/1', { quantity: 2 });
  await page.getByText('Changed to 2 while you count').waitFor();
  await assertAccessible(page);
  await press(page, 'Enter');
  await entry(page, LABRADOR).getByRole('button', { name: 'Keep 2' }).waitFor();
  assert.equal((await recorded(shop)).length, 2);

  // What is recorded does not stay for the next person; what needs a decision waits for its person.
  await signOut(page);
  const kept = (await page.evaluate(
    "Object.entries(localStorage).flatMap(([key, text]) => (key.startsWith('count:') ? [JSON.parse(text).state] : []))",
  )) as string[];
  assert.deepEqual(kept, ['conflict']);
});
