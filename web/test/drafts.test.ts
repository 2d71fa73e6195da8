import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Role } from '@petstore-inventory/shared/words';
import type { Page } from 'playwright-core';
import { until } from '../../server/test/support/until.ts';
import { assertAccessible, openPage, signOut, twoFrames } from './support/browser.ts';
import { addPet } from './support/order-steps.ts';
import { openShop, type Shop } from './support/shop.ts';
import { isSkippedDaily } from '../../server/test/support/long-test.ts';

const KEPT = 'You typed this and did not send it.';
const NAME = 'Labrador Retriever puppy';

const draftKeys = async (page: Page) =>
  (await page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('draft:'))")) as string[];
const hasDrafts = (page: Page, count: number) =>
  until(async () => (await draftKeys(page)).length === count, `${count} drafts are kept`);

const units = (page: Page) => page.getByRole('textbox', { name: `Units of ${NAME}` });
const hasUnits = (page: Page, value: string) =>
  until(async () => (await units(page).inputValue()) === value, `the units are ${value}`);

async function orderIds(shop: Shop): Promise<readonly number[]> {
  const orders = (await shop.send('GET', '/store/orders?limit=100')) as { orderId: number }[];
  return orders.map(({ orderId }) => orderId);
}

test('a reload keeps a new order, two tabs know of each other, and it is placed once', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { path: '/orders/new' });
  const hold = page.getByRole('combobox', { name: 'Reserve for' });
  await until(async () => (await hold.inputValue()) === '30 mins (usual)', 'the usual time has its length');
  await addPet(page, 'labrador', NAME);
  await units(page).fill('2');
  await page.getByRole('textbox', { name: 'Reference' }).fill('R-77');
  await page.getByLabel('Note').fill('<b>blue</b> collar');
  await hasDrafts(page, 1);
  await page.reload();
  await page.getByText(KEPT).waitFor();
  await hasUnits(page, '2');
  assert.equal(await page.getByRole('textbox', { name: 'Reference' }).inputValue(), 'R-77');
  assert.equal(await page.getByLabel('Note').inputValue(), '<b>blue</b> collar');
  await assertAccessible(page);

  const other = await page.context().newPage();
  await other.goto('/orders/new');
  await hasUnits(other, '2');
  await units(other).fill('3');
  await page.getByText('Another tab changed this draft').waitFor();
  await hasUnits(page, '2');
  await page.getByRole('button', { name: 'Show it' }).click();
  await hasUnits(page, '3');

  // The answer is lost, and the page is loaded again before the next attempt.
  const before = await orderIds(shop);
  await other.route('**/admin/v1/store/orders', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await route.fetch();
    await route.abort();
  });
  await other.getByRole('button', { name: /^Place order of/ }).click();
  await other.getByText('the change is made only once').waitFor();
  await other.unroute('**/admin/v1/store/orders');
  await other.reload();
  await other.getByText('the change is made only once').waitFor();
  await hasUnits(other, '3');
  await other.getByRole('button', { name: /^Place order of/ }).click();
  await other.getByRole('heading', { name: /^Order \d/ }).waitFor();
  const made = (await orderIds(shop)).filter((orderId) => !before.includes(orderId));
  assert.equal(made.length, 1, 'the order is placed once');
  await hasDrafts(other, 0);
  await page.getByText('Another tab sent or discarded this draft.').waitFor();
  await page.getByRole('button', { name: 'Place another order of 3 units' }).waitFor();

  // The session ends. Who signs in is told before the draft of another key ends.
  await other.goto('/orders/new');
  await other.getByLabel('Note').fill('for Monday');
  await hasDrafts(other, 1);
  await other.context().clearCookies();
  await other.goto('/orders/new');
  await other.getByText('A sign-in with any other key deletes it.').waitFor();
  await assertAccessible(other);
  await other.getByLabel('Management key').fill(await shop.makeKey('staff'));
  await other.keyboard.press('Enter');
  await hasDrafts(other, 0);
});

/** The path with the code of a new sign-in link. */
async function linkOf(shop: Shop, role: Role): Promise<string> {
  const { link } = await shop.service.cli('login-link', '--role', role);
  const { pathname, hash } = new URL(String(link));
  return pathname + hash;
}

test('a link asks before its sign-in deletes what another key typed', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff', path: '/orders/new' });
  await page.getByLabel('Note').fill('for Monday');
  await hasDrafts(page, 1);
  const link = await linkOf(shop, 'administrator');
  await page.goto(link);
  await page.getByText('A link for any other key deletes it.').waitFor();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Continue without the link' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByRole('button', { name: 'Account: staff' }).waitFor();
  await hasDrafts(page, 1);
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in with the link' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await hasDrafts(page, 0);
  assert.equal(new URL(page.url()).hash, '', 'the code is not in the address');

  // Without drafts it signs in immediately, also in the tab that shows how to get a link.
  await signOut(page);
  const [path, hash] = (await linkOf(shop, 'administrator')).split('#');
  assert.equal(new URL(page.url()).pathname, path);
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
});

test('a key that replaces another one by rotation has what was typed with it', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff', path: '/orders/new' });
  const note = page.getByLabel('Note');
  const keptIds = async () =>
    JSON.parse((await page.evaluate("localStorage.getItem('petstore.session')")) as string) as {
      readonly keyId: string;
      readonly firstKeyId: string;
    };
  /** Replaces the key, as after a leak, and signs in with its successor. */
  const rotate = async (beforeSignIn?: () => Promise<unknown>) => {
    const { keyId } = await keptIds();
    const { key } = (await shop.send('POST', `/admin-keys/${keyId}/rotate`, { overlapSeconds: 0 })) as {
      key: string;
    };
    await page.getByText('Your session has ended. Sign in to continue.').waitFor();
    await beforeSignIn?.();
    await page.getByLabel('Management key').fill(key);
    await page.keyboard.press('Enter');
  };
  await note.fill('for Monday');
  await hasDrafts(page, 1);
  const draft = await draftKeys(page);
  const first = await keptIds();
  const open = await note.elementHandle();

  await rotate();
  await note.waitFor();
  assert.equal(await open?.isVisible(), true, 'the page stays open');
  assert.equal(await note.inputValue(), 'for Monday');
  await rotate(() => page.reload());
  await page.getByText(KEPT).waitFor();
  assert.equal(await note.inputValue(), 'for Monday');
  assert.deepEqual(await draftKeys(page), draft);

  // The release before knew no first key, and kept everything under the key of the session.
  const last = await keptIds();
  assert.equal(last.firstKeyId, first.keyId);
  assert.notEqual(last.keyId, first.keyId);
  await page.evaluate(
    `(async ([person, keyId]) => {
      const { firstKeyId, ...session } = JSON.parse(localStorage.getItem('petstore.session'));
      localStorage.setItem('petstore.session', JSON.stringify(session));
      const text = localStorage.getItem('draft:' + person + ':new-order');
      localStorage.removeItem('draft:' + person + ':new-order');
      localStorage.setItem('draft:' + keyId + ':new-order', text);
      await (await caches.open('petstore-drafts-' + keyId)).put('/file', new Response('a file'));
    })`.concat(`(${JSON.stringify([first.keyId, last.keyId])})`),
  );
  await page.reload();
  await page.getByText(KEPT).waitFor();
  assert.equal(await note.inputValue(), 'for Monday');
  assert.deepEqual(await draftKeys(page), draft);
  const file = `caches.open('petstore-drafts-${first.keyId}').then((kept) => kept.match('/file')).then((found) => found?.text())`;
  await until(async () => (await page.evaluate(file)) === 'a file', 'the file of a draft moves too');
});

test('what is typed for a pet waits on its page, shows what others changed, and ends with the sign-out', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff', path: '/pets/1' });
  await page.getByRole('heading', { name: NAME }).waitFor();
  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('New quantity or change').fill('15');
  await dialog.getByLabel('Note').fill('shelf');
  await hasDrafts(page, 1);
  await page.reload();
  const waiting = page.getByText('You typed an adjustment and did not send it.');
  await waiting.waitFor();
  await shop.send('PATCH', '/inventory/1', { quantity: 9 });
  await page.getByRole('button', { name: 'Go on' }).click();
  await dialog.getByText(KEPT).waitFor();
  assert.equal(await dialog.getByLabel('New quantity or change').inputValue(), '15');
  await dialog.getByText('administrator changed it to 9').waitFor();
  // Escape asks before it discards.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await dialog.getByRole('button', { name: 'Set 15' }).click();
  await page.getByText(`${NAME}: 9 → 15`).waitFor();
  await hasDrafts(page, 0);

  await page.keyboard.press('d');
  await dialog.getByLabel('Name').fill('Lab');
  await dialog.getByLabel('Category').fill('Hounds');
  await hasDrafts(page, 1);
  await page.reload();
  await shop.send('PATCH', '/pets/1', { name: 'Rex', sku: 'REX-1' });
  await page.getByRole('heading', { name: 'Rex' }).waitFor();
  await page.getByRole('button', { name: 'Go on' }).click();
  await dialog.getByText('Now: Rex').waitFor();
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'Lab');
  assert.equal(await dialog.getByLabel('SKU').inputValue(), 'REX-1', 'what was not touched is of now');
  await dialog.getByRole('button', { name: 'Discard the draft' }).click();
  await until(async () => (await dialog.getByLabel('Category').inputValue()) === 'Dogs', 'it is empty');
  await hasDrafts(page, 0);
  await dialog.getByLabel('Name').fill('Lab');
  await hasDrafts(page, 1);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await hasDrafts(page, 0);

  // No answer tells this tab that its session has ended.
  await page.route('**/admin/v1/**', () => {});
  await page.keyboard.press('d');
  await dialog.getByLabel('Name').fill('Lab');
  await hasDrafts(page, 1);
  const other = await page.context().newPage();
  await other.goto('/stock');
  // Nor does the other tab, as one whose storage is full.
  await other.evaluate(`{
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function (key, value) {
      if (key !== 'petstore.signed-out') setItem.call(this, key, value);
    };
  }`);
  await signOut(other);
  await hasDrafts(page, 0);
  // The end of the session may reach the page before the end of its drafts.
  await other.getByText('A sign-in with any other key deletes it.').waitFor({ state: 'detached' });
  // A tab that is still open keeps nothing after the sign-out.
  await dialog.getByLabel('Name').fill('Labrador');
  await hasDrafts(page, 0);
});

test('a reload keeps the units of a delivery and shows that somebody else delivered meanwhile', async (t) => {
  const shop = await openShop(t);
  const lines = [
    { petId: 31, quantity: 10 },
    { petId: 26, quantity: 2 },
  ];
  const { orderId } = (await shop.send('POST', '/store/orders', { lines })) as { orderId: number };
  await shop.send('POST', `/store/orders/${orderId}/approve`, {});
  const page = await openPage(t, shop, { role: 'staff', path: `/orders/${orderId}` });
  const form = page.getByRole('form', { name: 'Deliver units' });
  const neon = form.getByRole('textbox', { name: 'Units of Neon tetra' });
  await page.getByRole('button', { name: 'Deliver', exact: true }).click();
  await neon.fill('4');
  await form.getByLabel('Note').fill('two boxes');
  await hasDrafts(page, 1);
  await page.reload();
  await form.getByText(KEPT).waitFor();
  assert.equal(await neon.inputValue(), '4');
  assert.equal(await form.getByRole('textbox', { name: 'Units of Zebra finch' }).inputValue(), '2');
  assert.equal(await form.getByLabel('Note').inputValue(), 'two boxes');
  assert.equal(await page.getByText('Someone changed this order').count(), 0);
  await assertAccessible(page);

  const delivered = { lines: [{ petId: 31, quantity: 3 }] };
  await shop.send('POST', `/store/orders/${orderId}/deliver`, delivered);
  for (let reload = 0; reload < 2; reload += 1) {
    await page.reload();
    await page.getByText('Someone changed this order').waitFor();
    assert.equal(await neon.inputValue(), '4', 'the draft stays');
    await form.getByText('of 7').first().waitFor();
  }
  await form.getByRole('button', { name: 'Deliver 6 units' }).click();
  await page.getByText('Delivered 4 × Neon tetra, 2 × Zebra finch').waitFor();
  await hasDrafts(page, 0);
  await page.getByRole('button', { name: 'Return', exact: true }).click();
  await page.getByRole('form', { name: 'Return units' }).getByLabel('Note').fill('sick');
  await hasDrafts(page, 1);
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await hasDrafts(page, 0);
});

test('a reload keeps a count with what was seen, and an import with its file and columns', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff', path: '/count' });
  await page.getByText('Scan an id, or search a pet').waitFor();
  await page.getByRole('searchbox', { name: 'Search or scan a pet' }).fill('2');
  await page.getByRole('search').getByRole('button', { name: 'Golden Retriever' }).first().click();
  await page.getByRole('group', { name: 'Number pad' }).getByRole('button', { name: '8' }).click();
  await hasDrafts(page, 1);
  await page.reload();
  await page.getByText(KEPT).waitFor();
  await page.getByRole('heading', { name: 'Golden Retriever puppy' }).waitFor();
  assert.equal(await page.getByRole('status', { name: 'Counted' }).textContent(), '8');
  // Another person sells one before the count is saved: it is asked about, because the pet was seen before.
  await shop.send('POST', '/inventory/2/adjustments', { delta: -1, reason: 'sold' });
  await page.getByText('Changed to 2 while you count.').waitFor();
  await page.getByRole('button', { name: 'Save and next' }).click();
  await hasDrafts(page, 0);
  await page.getByText('Changed meanwhile').waitFor();

  await page.goto('/imports');
  const choose = () =>
    page.setInputFiles('input[type="file"]', {
      name: 'delivery.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('Item no;Title;Box\n1;Lab;12\n2;Gold;4\n'),
    });
  await choose();
  await page.getByLabel('Field for Box').selectOption({ label: 'Quantity' });
  await page.getByText('Add to stock', { exact: true }).click();
  await hasDrafts(page, 1);
  await page.reload();
  await page.getByText(KEPT).waitFor();
  assert.equal(await page.getByLabel('Field for Box').inputValue(), 'quantity');
  assert.equal(await page.getByRole('radio', { name: 'Add to stock' }).isChecked(), true);
  // Without the kept file, such as on a page without HTTPS, the person chooses it again.
  await page.evaluate('caches.keys().then((names) => Promise.all(names.map((name) => caches.delete(name))))');
  await page.reload();
  await page.getByText('You prepared delivery.csv for an import.').waitFor();
  await choose();
  await page.getByText(KEPT).waitFor();
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.waitForURL('**/imports/imp_*');
  await hasDrafts(page, 0);
});

test('a change of many pets that may be applied is no draft, and says so when it is left', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff', path: '/stock' });
  for (const row of ['#row-1', '#row-2']) await page.locator(`${row} input[type="checkbox"]`).click();
  await page.getByText('2 selected').waitFor();
  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog', { name: 'Adjust 2 pets' });
  await dialog.getByLabel('Change', { exact: true }).last().fill('3');
  await hasDrafts(page, 1);
  const apply = dialog.getByRole('button', { name: 'Apply to 2 pets' });
  await apply.and(page.locator(':enabled')).waitFor();
  await page.route('**/inventory/batch', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await apply.click();
  await dialog
    .getByText('The service did not answer, so the changes may be applied.', { exact: false })
    .waitFor();
  await hasDrafts(page, 0);
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page
    .getByRole('alert')
    .getByText('The service did not answer for 2 pets', { exact: false })
    .waitFor();
});

/** Holds the first look for the file of a draft. */
const LATE_DRAFT_FILE = `
  const { match } = Cache.prototype;
  Cache.prototype.match = async function (path) {
    if (path === '/draft-file' && !globalThis.readDraftFile)
      await new Promise((resolve) => (globalThis.readDraftFile = resolve));
    return match.apply(this, arguments);
  };`;

test('a prepared import does not get the file that another tab has kept, which has the same size', async (t) => {
  const shop = await openShop(t, { isSample: false });
  const page = await openPage(t, shop, { role: 'staff', path: '/imports' });
  const choose = async (tab: Page, name: string, pet: string) => {
    await tab.setInputFiles('input[type="file"]', {
      name,
      mimeType: 'text/csv',
      buffer: Buffer.from(`petId,name,quantity\n1,${pet},12\n`),
    });
    await tab.getByText(pet, { exact: true }).waitFor();
  };
  await choose(page, 'dogs.csv', 'Rex');
  const other = await page.context().newPage();
  await other.addInitScript(LATE_DRAFT_FILE);
  await other.goto('/imports');
  const isAsked = () => other.evaluate<boolean>('globalThis.readDraftFile !== undefined');
  await until(isAsked, 'the look for the kept file');
  await choose(other, 'cats.csv', 'Tom');
  // The file that the browser has kept arrives after the one that the person chose.
  await other.evaluate('globalThis.readDraftFile()');
  for (let look = 0; look < 10; look += 1) await twoFrames(other);
  await other.getByText('Tom', { exact: true }).waitFor();
  assert.equal(await other.getByText('Rex', { exact: true }).count(), 0);

  await page.getByText('Add to stock', { exact: true }).click();
  await hasDrafts(page, 1);
  await page.reload();
  await page.getByText('You prepared dogs.csv for an import.').waitFor();
  assert.equal(await page.getByText('Tom', { exact: true }).count(), 0);
});

/** Requires that the browser asks before it loads the page again, and stays on it. */
async function reloadIsAsked(page: Page): Promise<void> {
  const asked = page.waitForEvent('dialog');
  // `page.reload()` would wait for a page that never loads, until its time limit.
  await page.evaluate('setTimeout(() => location.reload())');
  const question = await asked;
  assert.equal(question.type(), 'beforeunload');
  await question.dismiss();
}

test('a reload asks before it loses a form that is not kept as a draft', async (t) => {
  const shop = await openShop(t, { isSample: false });
  const page = await openPage(t, shop, { path: '/access' });
  const create = page.getByRole('button', { name: 'Create an account' });
  await create.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Web shop');
  await reloadIsAsked(page);
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'Web shop');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  // A question would hold it up.
  await page.reload();
  await create.waitFor();

  await page.evaluate(
    "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); }",
  );
  await page.getByRole('link', { name: 'Stock', exact: true }).click();
  await page.getByRole('button', { name: 'Add a pet' }).first().click();
  await dialog.getByLabel('Name').fill('Rex');
  await dialog.getByText('The browser has no room').waitFor();
  await reloadIsAsked(page);
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'Rex');
});

test('stored values that no form has written change nothing', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff', path: '/pets/1' });
  await page.getByRole('heading', { name: NAME }).waitFor();
  const keyId = (await page.evaluate("JSON.parse(localStorage.getItem('petstore.session')).keyId")) as string;
  const keptAtMs = Date.now();
  const order = (values: object) => JSON.stringify({ keptAtMs, values });
  const words = { reference: 'x', note: '', hold: 'shop' };
  const hostile = [
    '{"keptAtMs":',
    'null',
    '[]',
    '{"keptAtMs":"yesterday","values":{}}',
    order({}),
    order({ ...words, lines: [{ pet: { petId: '../1', name: {}, available: 1 }, units: '1' }] }),
    order({ ...words, lines: [null] }),
    order({ ...words, lines: 'many' }),
    order({ ...words, hold: '__proto__', lines: [] }),
    `{"keptAtMs":${keptAtMs},"values":${'['.repeat(60_000)}`,
    order({ ...words, lines: [], note: 'x'.repeat(2_000_000) }),
    JSON.stringify({ keptAtMs: 1, values: { ...words, lines: [] } }),
  ];
  const places = ['new-order', 'adjust-pet:1', 'edit-pet:1', 'count', 'import'];
  for (const text of hostile) {
    await page.evaluate('([keys, value]) => { for (const key of keys) localStorage.setItem(key, value); }', [
      places.map((place) => `draft:${keyId}:${place}`),
      text,
    ]);
    await page.goto('/orders/new');
    await page.getByRole('combobox', { name: 'Add a pet' }).waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Reference' }).inputValue(), '', text.slice(0, 80));
    assert.equal(await page.getByText(KEPT).count(), 0, text.slice(0, 80));
  }
  for (const path of ['/count', '/imports']) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    assert.equal(await page.getByText(KEPT).count(), 0);
  }
  await page.goto('/pets/1');
  await page.getByRole('heading', { name: NAME }).waitFor();
  await page.keyboard.press('d');
  await page.getByRole('dialog').getByLabel('Name').fill('Lab');
  // The draft replaces its own entry, and what is no draft is gone.
  await hasDrafts(page, 1);
});
