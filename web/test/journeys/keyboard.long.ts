import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { until } from '../../../server/test/support/until.ts';
import { press, recorded } from '../count/count-phone.ts';
import { focused, hasFocus, openPage, type PageOptions, twoFrames } from '../support/browser.ts';
import { openShop, type Shop } from '../support/shop.ts';

/** More than a page has controls before its first row. */
const MAX_STEPS = 80;
/** Milliseconds between two keys. Faster ones are those of a hand scanner. */
const AS_A_PERSON = { delay: 100 };

/** Opens a page whose test fails when a pointer is used. */
async function openWithoutMouse(t: TestContext, shop: Shop, options: PageOptions): Promise<Page> {
  const page = await openPage(t, shop, options);
  await page.evaluate("addEventListener('pointerdown', () => console.error('a pointer was used'), true)");
  return page;
}

/** Moves the focus to a control as a person does. */
async function reach(page: Page, control: Locator): Promise<void> {
  await control.waitFor();
  for (let step = 0; !(await hasFocus(control)); step += 1) {
    assert.ok(step < MAX_STEPS, `${control} is reached with Tab`);
    await page.keyboard.press('Tab');
  }
}

async function activate(page: Page, control: Locator): Promise<void> {
  await reach(page, control);
  await page.keyboard.press('Enter');
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });

const quantityOf = async (shop: Shop, petId: number): Promise<number> =>
  ((await shop.send('GET', `/inventory/${petId}`)) as { quantity: number }).quantity;

test('a quantity is edited in place and set back', async (t) => {
  const shop = await openShop(t);
  const page = await openWithoutMouse(t, shop, { role: null, path: '/stock' });
  await reach(page, page.getByLabel('Management key'));
  await page.keyboard.type(await shop.makeKey('staff'));
  await page.keyboard.press('Enter');
  await page.locator('#row-1').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.type('+3');
  await page.keyboard.press('Enter');
  await page.getByText('Golden Retriever puppy: 3 → 6').waitFor();
  assert.equal(await quantityOf(shop, 2), 6);
  await page.keyboard.press('Control+z');
  await page.getByText('Undone').waitFor();
  assert.equal(await quantityOf(shop, 2), 3);
});

test('many pets are changed after a preview, and set back', async (t) => {
  const shop = await openShop(t);
  const page = await openWithoutMouse(t, shop, { role: 'staff', path: '/stock?category=Dogs' });
  await page.locator('#row-1').waitFor();
  await page.keyboard.press('x');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await page.getByText('3 selected').waitFor();
  await page.keyboard.press('e');
  await focused(page.getByRole('dialog', { name: 'Adjust 3 pets' }).getByRole('textbox').first());
  await page.keyboard.type('-2');
  await activate(page, button(page, 'Leave out and continue'));
  const apply = button(page, 'Apply to 2 pets');
  await until(() => apply.isEnabled(), 'the preview is there');
  await activate(page, apply);
  await page.getByText('Changed 2 pets').waitFor();
  assert.deepEqual([await quantityOf(shop, 1), await quantityOf(shop, 2)], [2, 1]);
  await page.keyboard.press('u');
  await page.getByText('Undone').waitFor();
  assert.deepEqual([await quantityOf(shop, 1), await quantityOf(shop, 2)], [4, 3]);
});

test('an order is placed and delivered', async (t) => {
  const shop = await openShop(t);
  const page = await openWithoutMouse(t, shop, { role: 'staff', path: '/orders' });
  await page.getByRole('row', { name: 'phone-17' }).waitFor();
  await page.keyboard.press('n');
  await reach(page, page.getByRole('combobox', { name: 'Add a pet' }));
  // A slow person sees an option before the last letter, which makes it the active one.
  const option = page.getByRole('option', { name: 'Labrador Retriever puppy' });
  await page.keyboard.type('labrado', AS_A_PERSON);
  await option.waitFor();
  await Promise.all([page.waitForResponse('**/pets?q=labrador&*'), page.keyboard.type('r')]);
  await option.waitFor();
  await page.keyboard.press('Enter');
  await reach(page, page.getByRole('textbox', { name: 'Units of Labrador Retriever puppy' }));
  await page.keyboard.press('Control+a');
  await page.keyboard.type('2');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Order 3 Placed' }).waitFor();
  await page.keyboard.press('a');
  await page.getByRole('dialog', { name: 'Order 3 Approved' }).waitFor();
  await page.keyboard.press('d');
  await button(page, 'Deliver 2 units').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Order 3 Delivered' }).waitFor();
  assert.equal(await quantityOf(shop, 1), 2);
  await page.keyboard.press('Escape');
  await page.waitForURL('**/orders');
});

test('a pet is counted', async (t) => {
  const shop = await openShop(t);
  const page = await openWithoutMouse(t, shop, { role: 'staff', path: '/count' });
  await page.getByText('Scan an id, or search a pet').waitFor();
  await reach(page, page.getByRole('searchbox', { name: 'Search or scan a pet' }));
  await press(page, ...'neon', 'Enter');
  await page.getByRole('heading', { name: 'Neon tetra' }).waitFor();
  await press(page, '3', '3', '8', 'Enter');
  await page.getByRole('listitem').filter({ hasText: 'Neon tetra' }).getByText('Recorded').waitFor();
  assert.deepEqual(await recorded(shop), [[31, -2, 338]]);
  await activate(page, button(page, 'Finish'));
  await page.getByRole('dialog', { name: 'This count' }).getByText('Everything is recorded').waitFor();
  await activate(page, button(page, 'Finish the count'));
  await page.getByText('Nothing counted yet.').waitFor();
});

test('a change of yesterday is found in the activity and undone', async (t) => {
  const shop = await openShop(t);
  await shop.send('POST', '/inventory/5/adjustments', { delta: 2, reason: 'received', note: 'By van' });
  const before = await quantityOf(shop, 5);
  const page = await openWithoutMouse(t, shop, { role: 'staff', path: '/stock' });
  await page.locator('#row-1').waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await page.getByText('By van').waitFor();
  await activate(page, button(page, /^Undo change/).first());
  await page.getByText('Undone. Beagle puppy').waitFor();
  assert.equal(await quantityOf(shop, 5), before - 2);
});

test('a key is created and revoked', async (t) => {
  const shop = await openShop(t);
  const page = await openWithoutMouse(t, shop, { path: '/access/keys' });
  await page.getByRole('table').waitFor();
  await activate(page, button(page, 'Create a key'));
  const form = page.getByRole('dialog', { name: 'Create a key' });
  const name = form.getByLabel('Name', { exact: true });
  await reach(page, name);
  await page.keyboard.type('till 9');
  await until(async () => (await name.inputValue()) === 'till 9', 'the name is typed');
  // A person sees the effect of a key before the next one: an option that is active, and then the one that is chosen.
  const account = form.getByRole('combobox', { name: 'Account' });
  await reach(page, account);
  await page.getByRole('option').first().waitFor();
  // The list forgets which option is active a moment after it opened.
  await twoFrames(page);
  await page.keyboard.press('ArrowDown');
  await page.locator('[role="option"][data-combobox-selected]').waitFor();
  await page.keyboard.press('Enter');
  await until(async () => (await account.inputValue()) !== '', 'the account is chosen');
  // The control that shows its choice is the label; the one that takes keys is hidden. The list behind has another one.
  const scopes = form.locator('input[value="all"]');
  for (let step = 0; !(await hasFocus(scopes)); step += 1) {
    assert.ok(step < MAX_STEPS, 'the scopes are reached with Tab');
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Space');
  await until(() => scopes.isChecked(), 'the scopes are chosen');
  await activate(page, button(page, 'Create the key'));
  const secret = await page.getByLabel('API key', { exact: true }).inputValue();
  await activate(page, button(page, 'I have stored it'));
  const status = async () => {
    const headers = { Authorization: `Bearer ${secret}` };
    return (await fetch(`${shop.url}/v1/inventory/1`, { headers })).status;
  };
  assert.equal(await status(), 200);

  await activate(page, page.getByRole('link', { name: 'till 9' }));
  await activate(page, button(page, 'Revoke'));
  await focused(page.getByLabel('Type till 9 to confirm'));
  await page.keyboard.type('till 9');
  await page.keyboard.press('Enter');
  await page.getByText('Revoked the key till 9').waitFor();
  await until(async () => (await status()) === 401, 'the key is refused');
});

test('a file is imported', async (t) => {
  const shop = await openShop(t);
  const page = await openWithoutMouse(t, shop, { role: 'staff', path: '/imports' });
  // The browser needs a moment until it reports file choosers.
  const chooser = page.waitForEvent('filechooser');
  await page.getByText('No imports yet').waitFor();
  await page.keyboard.press('n');
  await (
    await chooser
  ).setFiles({
    name: 'count.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('petId,quantity\n1,9'),
  });
  await page.getByRole('heading', { name: 'count.csv' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('Nothing has changed yet').waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('apply 1');
  const palette = page.getByRole('dialog');
  await palette.getByText('Apply 1 change').waitFor();
  // Pets for the letters so far are first until the service answers.
  await until(async () => (await palette.getByRole('button').count()) === 1, 'only the command matches');
  await page.keyboard.press('Enter');
  await page.getByText('staff wrote 1 row').waitFor();
  assert.equal(await quantityOf(shop, 1), 9);
});
