import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { CLI_AUTHOR } from '../../server/src/domain/management/activity.ts';
import { petRow } from '../../server/test/support/command-line.ts';
import { calendarDay } from '../src/components/day-start.ts';
import { parseUnits } from '../src/pages/reorders/parse-units.ts';
import {
  assertAccessible,
  assertAccessibleAtAnyWidth,
  focused,
  openPage,
  twoFrames,
} from './support/browser.ts';
import { serviceDay, setClockBack } from './support/service-day.ts';
import { openShop } from './support/shop.ts';
import { isSkippedDaily } from '../../server/test/support/long-test.ts';
import { until } from '../../server/test/support/until.ts';

/** Five low pets, two of them of the supplier Zoo Wholesale, and one with enough. */
async function openReorderShop(t: TestContext) {
  const shop = await openShop(t, { isSample: false });
  const row = (petId: number, name: string, quantity: number, category: string) =>
    petRow(petId, { name, quantity, category });
  await shop.service.withAdmin(async (admin) => {
    const rows = [
      row(1, 'Biscuit', 0, 'Dogs'),
      row(2, 'Luna', 2, 'Cats'),
      row(3, 'Rex', 4, 'Dogs'),
      row(4, 'Nemo', 3, 'Fish'),
      row(5, 'Dory', 90, 'Fish'),
    ];
    await admin.importPets(rows, CLI_AUTHOR.actor);
    await admin.setDefaultThresholds({ lowStockAt: 5, restockAt: 8 }, CLI_AUTHOR);
    for (const petId of [1n, 3n])
      await admin.reorders.update(petId, { supplier: 'Zoo Wholesale' }, CLI_AUTHOR);
  });
  return shop;
}

const table = (page: Page) => page.getByRole('table', { name: 'What to order' });

const names = async (page: Page) => {
  await table(page).locator('tbody tr').first().waitFor();
  return table(page).locator('tbody a[data-row]').allTextContents();
};

/** The text of the row of a pet. */
const rowOf = (page: Page, name: string) => table(page).getByRole('row').filter({ hasText: name });

test('a reorder list for one supplier, from the overview to its arrival', async (t) => {
  const shop = await openReorderShop(t);
  const page = await openPage(t, shop, { path: '/', role: 'staff', prepare: setClockBack });
  // What is out leads to what to order of it.
  const matters = page.getByRole('region', { name: 'Needs attention' });
  await matters.getByRole('link', { name: /out of stock/ }).click();
  await page.waitForURL('**/reorders?alert=out');
  assert.deepEqual(await names(page), ['Biscuit']);
  await page.getByRole('navigation').getByRole('link', { name: 'Reorder list' }).click();
  await rowOf(page, 'Luna').waitFor();
  assert.deepEqual(await names(page), ['Biscuit', 'Luna', 'Rex', 'Nemo']);
  await page.getByText('4 pets, 23 units to order').waitFor();
  await assertAccessibleAtAnyWidth(page);
  await page.setViewportSize({ width: 1_280, height: 800 });
  const columns = () => table(page).getByRole('columnheader').allTextContents();
  assert.deepEqual((await columns()).slice(-3), ['Order', 'Supplier', 'Actions'], 'none is ordered');

  // A supplier is set before anything is ordered.
  await page.getByLabel('Select Nemo').click();
  await page.getByRole('button', { name: 'Set the supplier' }).click();
  const save = page.getByRole('dialog').getByRole('button', { name: 'Save' });
  assert.equal(await save.isDisabled(), true, 'there is no supplier to remove');
  await page.getByRole('dialog').getByLabel('Supplier').fill('Fish Direct');
  // What is ordered meanwhile does not matter to the supplier.
  await shop.send('PATCH', '/reorders/4', { ordered: 5 });
  await shop.send('PATCH', '/reorders/4', { ordered: null });
  await page.getByRole('button', { name: 'Save' }).click();
  await rowOf(page, 'Nemo').getByRole('cell', { name: 'Fish Direct' }).waitFor();
  await page.getByText('The supplier of 1 pet is set').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await rowOf(page, 'Nemo').getByRole('cell', { name: 'Fish Direct' }).waitFor({ state: 'detached' });
  await page.getByLabel('Select Nemo').click();

  await page.getByRole('combobox', { name: 'Supplier' }).click();
  await page.getByRole('option', { name: 'Zoo Wholesale' }).click();
  await rowOf(page, 'Luna').waitFor({ state: 'detached' });
  // A reload keeps the filter.
  await page.reload();
  assert.deepEqual(await names(page), ['Biscuit', 'Rex']);
  const units = page.getByLabel('Units to order of Biscuit');
  assert.equal(await units.inputValue(), '8');
  await units.fill('140');

  await page.evaluate('window.print = () => { document.body.dataset.asked = "yes"; }');
  await page.getByRole('button', { name: 'Print' }).click();
  await page.locator('body[data-asked]').waitFor();
  await page.emulateMedia({ media: 'print' });
  await page.getByRole('heading', { name: 'Zoo Wholesale' }).waitFor();
  const paper = page.getByRole('table', { name: 'Zoo Wholesale' }).locator('tbody tr');
  assert.deepEqual(
    await Promise.all((await paper.all()).map((row) => row.getByRole('cell').allTextContents())),
    [
      ['Biscuit', '', '0', '140'],
      ['Rex', '', '4', '4'],
    ],
  );
  assert.equal(await table(page).isVisible(), false);
  await page.evaluate('window.dispatchEvent(new Event("afterprint"))');
  await page.emulateMedia({ media: null });

  // Both are ordered for one day.
  await page.getByLabel('Select all').check();
  await page.getByRole('button', { name: 'Mark 2 as ordered' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('144 units of 2 pets').waitFor();
  assert.equal(await dialog.getByLabel('Supplier').inputValue(), 'Zoo Wholesale');
  await dialog.getByLabel('Expected on').fill('2030-12-03');
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Mark as ordered' }).click();
  await page.getByText('144 units of 2 pets marked as ordered').waitFor();
  // The button that opened the dialog is gone.
  await focused(page.locator('#content'));
  await rowOf(page, 'Biscuit').getByText('140 ordered, expected 3 Dec 2030').last().waitFor();
  await page.getByText('2 pets, 0 units to order').waitFor();
  assert.deepEqual((await columns()).slice(-3), ['Supplier', 'Ordered', 'Actions'], 'none is to order');

  const started = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Download as CSV' }).click();
  const file = await started;
  assert.equal(file.suggestedFilename(), `reorders-${await serviceDay(shop)}.csv`);
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
  assert.deepEqual(
    lines.slice(1).map((line) => line.split(',')[1]),
    ['Biscuit', 'Rex'],
  );

  // A delivery of all that is missing.
  await page.getByRole('link', { name: 'Biscuit' }).click();
  await page.getByText('140 ordered, expected 3 Dec 2030 · Zoo Wholesale').waitFor();
  await shop.send('POST', '/inventory/1/adjustments', { delta: 40, reason: 'received' });
  await page.getByText('100 to come, expected 3 Dec 2030 · 40 of 140 arrived').waitFor();
  await page.keyboard.press('e');
  await page.getByRole('button', { name: 'All 100 ordered units arrived' }).click();
  await page.getByRole('dialog').getByText('40 → 140').waitFor();
  await page
    .locator('input[value="Received"]')
    .and(page.getByRole('combobox', { name: 'Reason' }))
    .waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Adjust stock' }).click();
  await page.getByText('100 to come,').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Reorder list' }).click();
  await rowOf(page, 'Rex').waitFor();
  assert.deepEqual(await names(page), ['Luna', 'Rex', 'Nemo']);

  // The other one in the list, of which another person received a unit before this one sends.
  const receive = page.getByRole('button', { name: 'Receive Rex' });
  await receive.click();
  const arrived = dialog.getByLabel('Units that arrived');
  assert.equal(await arrived.inputValue(), '4');
  await assertAccessible(page);
  await shop.send('POST', '/inventory/3/adjustments', { delta: 1, reason: 'received' });
  await page.keyboard.press('Enter');
  await dialog.getByText('Now: 3 to come, expected 3 Dec 2030. Send again').waitFor();
  await arrived.fill('3');
  await page.keyboard.press('Enter');
  await page.getByText('Rex: 3 units received').waitFor();
  await rowOf(page, 'Rex').waitFor({ state: 'detached' });
  assert.equal(((await shop.send('GET', '/inventory/3')) as { quantity: unknown }).quantity, 8);
  await page.getByRole('status').getByRole('button', { name: /^Undo/ }).click();
  await receive.waitFor();
  assert.equal(((await shop.send('GET', '/inventory/3')) as { quantity: unknown }).quantity, 5);
});

test('units that another person receives at the same moment are not received twice, and a sale does not matter', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openReorderShop(t);
  await shop.send('PATCH', '/reorders/3', { ordered: 4 });
  const page = await openPage(t, shop, { path: '/reorders', role: 'staff' });
  // What happens after the page has looked at the order, and before it sends.
  const meanwhile = [
    { delta: -1, reason: 'sold' },
    { delta: 4, reason: 'received' },
  ];
  await page.route(/reorders\?petId=3$/, async (route) => {
    const response = await route.fetch();
    const change = meanwhile.shift();
    if (change) await shop.send('POST', '/inventory/3/adjustments', change);
    await route.fulfill({ response });
  });
  await page.getByRole('button', { name: 'Receive Rex' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Units that arrived').fill('2');
  await page.keyboard.press('Enter');
  await dialog.getByText('Now: nothing on its way. Send again').waitFor();
  assert.deepEqual(meanwhile, []);
  const read = async () => ((await shop.send('GET', '/inventory/3')) as { quantity: unknown }).quantity;
  assert.equal(await read(), 7);
  await page.keyboard.press('Enter');
  await page.getByText('Rex: 2 units received').waitFor();
  assert.equal(await read(), 9);

  // The units of another order are others, also if they are as many.
  await shop.send('PATCH', '/reorders/3', { ordered: 4 });
  await page.reload();
  await page.getByRole('button', { name: 'Receive Rex' }).click();
  await shop.send('POST', '/inventory/3/adjustments', { delta: 4, reason: 'received' });
  await shop.send('PATCH', '/reorders/3', { ordered: 4 });
  await dialog.getByRole('button', { name: 'Receive' }).click();
  await dialog.getByText('Now: 4 ordered. Send again').waitFor();
  assert.equal(await read(), 13);
});

/** The dialog that receives three pets with 4 ordered units each. */
async function openDelivery(t: TestContext) {
  const shop = await openReorderShop(t);
  for (const petId of [1, 2, 3]) await shop.send('PATCH', `/reorders/${petId}`, { ordered: 4 });
  const page = await openPage(t, shop, { path: '/reorders', role: 'staff' });
  const read = async () => {
    const items = (await shop.send('GET', '/pets?petId=1,2,3')) as { quantity: number }[];
    return items.map(({ quantity }) => quantity);
  };
  await page.getByLabel('Select all').check();
  // What is to be ordered, and what is on its way, have a button each.
  await page.getByRole('button', { name: 'Mark 1 as ordered' }).waitFor();
  await page.getByRole('button', { name: 'Set the supplier of 4 pets' }).waitFor();
  await page.getByRole('button', { name: 'Receive 3 pets' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('All 12 ordered units of 3 pets arrived.').waitFor();
  return { shop, page, dialog, read };
}

test('a delivery of several pets is received in one step, without what another person has received', async (t) => {
  if (isSkippedDaily(t)) return;
  const { shop, page, dialog, read } = await openDelivery(t);
  await assertAccessible(page);
  await focused(dialog.getByRole('button', { name: 'Receive', exact: true }));
  await shop.send('POST', '/inventory/3/adjustments', { delta: 4, reason: 'received' });
  await page.keyboard.press('Enter');
  await dialog.getByText(/^The order of Rex has changed.* Now: nothing on its way\. Send again/).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('All units of 2 pets received').waitFor();
  assert.deepEqual(await read(), [4, 6, 8]);
  await page.getByText('1 selected').waitFor();
  await page.getByRole('status').getByRole('button', { name: /^Undo/ }).click();
  await page.getByRole('button', { name: 'Receive Luna' }).waitFor();
  assert.deepEqual(await read(), [0, 2, 8]);
});

test('a refused pet holds up no other of its delivery, and what was received before a cancel can be undone', async (t) => {
  const { shop, page, dialog, read } = await openDelivery(t);
  // Biscuit is the first of the list.
  await shop.send('POST', '/inventory/1/adjustments', { delta: 4, reason: 'received' });
  await dialog.getByRole('button', { name: 'Receive', exact: true }).click();
  await dialog.getByText(/^The order of Biscuit has changed/).waitFor();
  assert.deepEqual(await read(), [4, 6, 8]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('All units of 2 pets received').waitFor();
  await page.getByRole('status').getByRole('button', { name: /^Undo/ }).click();
  await page.getByRole('button', { name: 'Receive Luna' }).waitFor();
  assert.deepEqual(await read(), [4, 2, 4]);
});

test('many pets are marked by a change of the service, without those that another person has ordered', async (t) => {
  const shop = await openReorderShop(t);
  const page = await openPage(t, shop, { path: '/reorders', role: 'staff' });
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(new URL(request.url()).pathname.replace(/^.*?bulk/, 'bulk'));
  });
  await page.getByLabel('Units to order of Rex').fill('70');
  await page.getByLabel('Select all').check();
  const mark = page.getByRole('button', { name: 'Mark 4 as ordered' });
  await mark.waitFor();
  // It stays in view where the list is long, and is not under the bar at the top.
  await page.setViewportSize({ width: 1_280, height: 260 });
  await page.evaluate(
    "{ const main = document.querySelector('main'); main.scrollTo(0, main.scrollHeight); }",
  );
  await twoFrames(page);
  assert.ok(Number((await mark.boundingBox())?.y) >= 56, 'the action is in view');
  await page.setViewportSize({ width: 1_280, height: 800 });
  await mark.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('89 units of 4 pets').waitFor();
  await dialog.getByLabel('Expected on').fill('2030-12-03');
  await shop.send('PATCH', '/reorders/1', { ordered: 7 });
  await dialog.getByRole('button', { name: 'Mark as ordered' }).click();
  await dialog.getByText('3 pets will change. Already so: 0. Cannot be changed: 1.').waitFor();
  await dialog.getByRole('row', { name: /Biscuit Units of it are on their way already/ }).waitFor();
  await dialog.getByRole('row', { name: /Rex 70/ }).waitFor();
  await assertAccessible(page);
  const units = async () => {
    const rows = (await shop.send('GET', '/reorders?petId=1,2,3,4')) as {
      ordered: unknown;
      supplier: unknown;
    }[];
    return rows.map(({ ordered, supplier }) => [ordered, supplier]);
  };
  const [zoo, none] = ['Zoo Wholesale', null];
  assert.deepEqual(await units(), [
    [7, zoo],
    [null, none],
    [null, zoo],
    [null, none],
  ]);
  await dialog.getByRole('button', { name: 'Apply to 3 pets' }).click();
  await page.getByText('3 pets marked as ordered').waitFor();
  await rowOf(page, 'Rex').getByText('70 ordered, expected 3 Dec 2030').last().waitFor();
  assert.deepEqual(await units(), [
    [7, zoo],
    [6, none],
    [70, zoo],
    [5, none],
  ]);
  await page.getByRole('status').getByRole('button', { name: /^Undo/ }).click();
  await page.getByText('Undone').waitFor();
  assert.deepEqual(await units(), [
    [7, zoo],
    [null, none],
    [null, zoo],
    [null, none],
  ]);
  const [created, applied, undone] = sent;
  assert.equal(created, 'bulk-changes');
  assert.match(applied ?? '', /^bulk-changes\/blk_\w+\/apply$/);
  assert.equal(undone, applied?.replace(/apply$/, 'undo'));
  assert.equal(sent.length, 3);

  // Where none is refused, one press is enough, and the page may be closed as soon as it is sent.
  for (const name of ['Luna', 'Nemo']) await page.getByLabel(`Select ${name}`).check();
  await page.getByRole('button', { name: 'Mark 2 as ordered' }).click();
  await dialog.getByLabel('Supplier').fill('Fish Direct');
  const applying = page.waitForResponse(/\/apply$/);
  await dialog.getByRole('button', { name: 'Mark as ordered' }).click();
  await applying;
  await page.close();
  await until(async () => {
    const [, luna, , nemo] = await units();
    return String(luna) === '6,Fish Direct' && String(nemo) === '5,Fish Direct';
  }, 'the service has done it');
});

test('an empty field removes no supplier, which is a choice of its own', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openReorderShop(t);
  const page = await openPage(t, shop, { path: '/reorders', role: 'staff' });
  const supplierOf = async () => ((await shop.send('GET', '/reorders/3')) as { supplier: unknown }).supplier;
  for (const name of ['Rex', 'Nemo']) await page.getByLabel(`Select ${name}`).click();
  await page.getByRole('button', { name: 'Set the supplier of 2 pets' }).click();
  const dialog = page.getByRole('dialog');
  await focused(dialog.getByLabel('Supplier', { exact: true }));
  await page.keyboard.press('Enter');
  assert.equal(await dialog.getByRole('button', { name: 'Save' }).isDisabled(), true);
  assert.equal(await supplierOf(), 'Zoo Wholesale');
  await dialog.getByLabel('Remove the supplier of 2 pets').check();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Remove the supplier' }).click();
  await page.getByText('The supplier of 1 pet is removed').waitFor();
  assert.equal(await supplierOf(), null);

  // A shop without suppliers sees how to set one.
  await shop.send('PATCH', '/reorders/1', { supplier: null });
  await page.reload();
  await page.getByRole('combobox', { name: 'Supplier' }).click();
  await page.getByRole('option', { name: 'Select pets to set their supplier' }).waitFor();
});

test('an order is edited, is overdue, is taken back and undone; a wrong number is refused', async (t) => {
  const shop = await openReorderShop(t);
  // The clock of the tests is ahead of that of the browser, where its yesterday may be today.
  const past = calendarDay(Date.now(), -2);
  await shop.send('PATCH', '/reorders/2', { ordered: 12, expectedOn: past });
  const page = await openPage(t, shop, { path: '/reorders', role: 'staff', colorScheme: 'dark' });
  await rowOf(page, 'Luna')
    .getByText(/^12 ordered, expected .* \(overdue\)$/)
    .last()
    .waitFor();
  await assertAccessible(page);
  const edit = page.getByRole('button', { name: 'Edit the order of Luna' });
  await edit.click();
  const dialog = page.getByRole('dialog');
  assert.equal(await dialog.getByLabel('Expected on').inputValue(), past);
  await dialog.getByLabel('Units').fill('0');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Enter a whole number, 1 or more.').waitFor();
  await dialog.getByLabel('Units').fill('20');
  await dialog.getByLabel('Expected on').fill('');
  await dialog.getByLabel('Supplier').fill('Burrow & Sons');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await rowOf(page, 'Luna').getByText('20 ordered', { exact: true }).last().waitFor();
  await rowOf(page, 'Luna').getByRole('cell', { name: 'Burrow & Sons' }).waitFor();
  await edit.click();
  // Another person corrects the same order before this one saves.
  await shop.send('PATCH', '/reorders/2', { ordered: 30 });
  await dialog.getByLabel('Units').fill('25');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Now: 30 ordered · Burrow & Sons. Send again to replace it.').waitFor();
  assert.equal(((await shop.send('GET', '/reorders/2')) as { ordered: unknown }).ordered, 30);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await rowOf(page, 'Luna').getByText('25 ordered', { exact: true }).last().waitFor();
  await edit.click();
  await dialog.getByRole('button', { name: 'Not ordered after all' }).click();
  await page.getByText('Luna is not ordered any more').waitFor();
  // By the keyboard alone, and undone.
  const mark = page.getByRole('button', { name: 'Mark as ordered: Luna' });
  await mark.focus();
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Units').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('6 units marked as ordered').waitFor();
  await rowOf(page, 'Luna').getByText('6 ordered').last().waitFor();
  await page.getByRole('status').getByRole('button', { name: /^Undo/ }).click();
  await mark.waitFor();
  // Another person orders as many meanwhile.
  await mark.click();
  await dialog.getByLabel('Units').waitFor();
  await shop.send('PATCH', '/reorders/2', { ordered: 6 });
  await dialog.getByRole('button', { name: 'Mark as ordered' }).click();
  await dialog.getByText('Now: 6 ordered').waitFor();
  await dialog.getByRole('button', { name: 'Mark as ordered' }).click();
  await page.getByText('6 units marked as ordered').waitFor();
  await page.getByRole('status').getByRole('button', { name: /^Undo/ }).click();
  await mark.waitFor();
  // An undo leaves what another person has changed since.
  await mark.click();
  await dialog.getByRole('button', { name: 'Mark as ordered' }).click();
  await page.getByText('6 units marked as ordered').waitFor();
  await shop.send('PATCH', '/reorders/2', { ordered: 9 });
  await page.getByRole('status').getByRole('button', { name: /^Undo/ }).click();
  await page.getByRole('alert').getByText('It was changed meanwhile').waitFor();
  await rowOf(page, 'Luna').getByText('9 ordered').last().waitFor();
  // Fewer arrive than were ordered.
  await shop.send('POST', '/inventory/2/adjustments', { delta: 2, reason: 'received' });
  await rowOf(page, 'Luna').getByText('7 to come').last().waitFor();
  await edit.click();
  await dialog.getByRole('button', { name: 'No more will come' }).click();
  await mark.waitFor();
  assert.equal(((await shop.send('GET', '/reorders/2')) as { ordered: unknown }).ordered, null);

  // An unreadable number of the table cannot be ordered with others.
  await page.getByLabel('Units to order of Rex').fill('many');
  await page.getByLabel('Select Rex').check();
  // Otherwise its tick is below it.
  const layer = `getComputedStyle(document.querySelector('td [aria-label="Select Rex"]')).zIndex`;
  assert.equal(await page.evaluate(layer), 'auto');
  await page.getByLabel('Select Nemo').check();
  await page.getByRole('button', { name: 'Mark 2 as ordered' }).click();
  await dialog.getByText('Enter a whole number, 1 or more, for Rex.').waitFor();
  assert.equal(await dialog.getByRole('button', { name: 'Mark as ordered' }).isDisabled(), true);
});

test('a viewer reads the list, also in German; without pets, without matches and without a connection it says so', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openReorderShop(t);
  const page = await openPage(t, shop, { path: '/reorders', role: 'viewer', locale: 'de' });
  await page.getByRole('heading', { name: 'Nachbestellungen' }).waitFor();
  await page.getByRole('link', { name: 'Luna' }).waitFor();
  assert.equal(await page.getByRole('checkbox').count(), 0);
  assert.equal(await page.getByRole('button', { name: /bestellt markieren/ }).count(), 0);
  // A phone has the filters behind a button.
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('combobox', { name: 'Kategorie' }).click();
  await page.getByRole('option', { name: 'Dogs' }).click();
  await page.getByRole('link', { name: 'Luna' }).waitFor({ state: 'detached' });
  assert.match(page.url(), /category=Dogs/);
  await assertAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Kategorie: Dogs/ }).click();
  await page.getByRole('link', { name: 'Luna' }).waitFor();
  await page.setViewportSize({ width: 1_280, height: 800 });
  await page.goto('/reorders?supplier=Niemand');
  await page.getByRole('heading', { name: 'Kein Tier passt zu diesen Filtern.' }).waitFor();
  await page.getByRole('button', { name: 'Filter zurücksetzen' }).click();
  await page.getByRole('link', { name: 'Luna' }).waitFor();
  // The supplier of the address that no pet has, and no supplier at all.
  await page.goto('/reorders?supplier=');
  await page.getByRole('link', { name: 'Luna' }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'Biscuit' }).count(), 0);

  await page.route('**/admin/v1/reorders?*', (route) => route.fulfill({ status: 503, body: '' }));
  await page.reload();
  const again = page.getByRole('button', { name: 'Erneut versuchen' });
  await again.waitFor();
  await assertAccessible(page);
  await page.unroute('**/admin/v1/reorders?*');
  await again.click();
  await page.getByRole('link', { name: 'Luna' }).waitFor();

  for (const petId of [1, 2, 3, 4]) await shop.send('PATCH', `/inventory/${petId}`, { quantity: 50 });
  await page.goto('/reorders');
  await page.getByRole('heading', { name: 'Nichts zu bestellen' }).waitFor();
});

test('what was typed and chosen stays for the pets that a stopped change has left', async (t) => {
  const shop = await openReorderShop(t);
  const page = await openPage(t, shop, { path: '/reorders', role: 'staff' });
  let stopped: object | undefined;
  await page.route(/bulk-changes\/blk_\w+\/apply$/, async (route) => {
    const response = await route.fetch({
      url: route
        .request()
        .url()
        .replace(/apply$/, 'cancel'),
    });
    const { counts, ...change } = (await response.json()) as { counts: object };
    stopped = { ...change, counts: { ...counts, planned: 3, changed: 1 } };
    await route.fulfill({ status: 202, json: stopped });
  });
  await page.route(/bulk-changes\/blk_\w+$/, (route) =>
    stopped ? route.fulfill({ json: stopped }) : route.continue(),
  );
  await page.getByLabel('Units to order of Rex').fill('70');
  await page.getByLabel('Select all').check();
  await page.getByRole('button', { name: 'Mark 4 as ordered' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as ordered' }).click();
  await page.getByText('1 pet marked as ordered').waitFor();
  await page.getByText('4 selected').waitFor();
  assert.equal(await page.getByLabel('Units to order of Rex').inputValue(), '70');
});

test('the order of one pet keeps what is typed and chosen for the others', async (t) => {
  const shop = await openReorderShop(t);
  const page = await openPage(t, shop, { path: '/reorders', role: 'staff' });
  const units = (name: string) => page.getByLabel(`Units to order of ${name}`);
  await units('Biscuit').fill('140');
  await units('Rex').fill('70');
  await page.getByLabel('Select Biscuit').check();
  await page.getByLabel('Select Rex').check();
  await rowOf(page, 'Biscuit').getByRole('button', { name: 'Mark as ordered' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as ordered' }).click();
  await rowOf(page, 'Biscuit').getByText('140 ordered').last().waitFor();
  // The list may show the order before the response of the request has arrived.
  const isForgotten = async () => !(await page.getByLabel('Select Biscuit').isChecked());
  await until(isForgotten, 'the pet that is ordered is not chosen');
  assert.equal(await units('Rex').inputValue(), '70');
  assert.equal(await page.getByLabel('Select Rex').isChecked(), true);
  // The next order of the pet begins with its suggestion.
  await shop.send('PATCH', '/reorders/1', { ordered: null });
  await shop.send('POST', '/inventory/1/adjustments', { delta: 1, reason: 'received' });
  await units('Biscuit').waitFor();
  assert.equal(await units('Biscuit').inputValue(), '7');
});

/** Answers for the service with two pages of a row each. @param onRead Called with the page, which waits for its result. */
async function routeTwoPages(page: Page, row: object, onRead: (cursor: string) => unknown): Promise<void> {
  await page.route(/\/admin\/v1\/reorders\?/, async (route) => {
    const cursor = new URL(route.request().url()).searchParams.get('cursor') ?? '1';
    await onRead(cursor);
    await route.fulfill({
      json: [{ ...row, petId: Number(cursor), name: `Page ${cursor}` }],
      headers: cursor === '1' ? { Link: '</admin/v1/reorders?cursor=2>; rel="next"' } : {},
    });
  });
}

test('a change of stock does not begin the reading of a long list again before it has ended', async (t) => {
  const shop = await openReorderShop(t);
  const [row] = (await shop.send('GET', '/reorders?petId=1')) as [object];
  const held = Promise.withResolvers<void>();
  const reads: string[] = [];
  const page = await openPage(t, shop, {
    path: '/reorders',
    role: 'staff',
    prepare: (opening) =>
      routeTwoPages(opening, row, async (cursor) => {
        reads.push(cursor);
        if (cursor === '2') await held.promise;
      }),
  });
  await rowOf(page, 'Page 1').waitFor();
  await until(() => reads.length === 2, 'the second page is being read');
  await shop.send('POST', '/inventory/5/adjustments', { delta: 1, reason: 'received' });
  await page.waitForTimeout(7_000);
  assert.deepEqual(reads, ['1', '2'], 'it is not read again while it is read');
  held.resolve();
  await rowOf(page, 'Page 2').waitFor();
  await until(() => reads.length >= 4, 'it follows the change');
  assert.deepEqual(reads, ['1', '2', '1', '2']);
});

/** As a browser does when a tab is shown again: without bubbles the event reaches no listener of the window. */
const showAgain = (page: Page) =>
  page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");

test('what a colleague orders appears in a list of one page, and what is typed stays', async (t) => {
  const shop = await openReorderShop(t);
  const page = await openPage(t, shop, {
    path: '/reorders',
    role: 'staff',
    prepare: (opened) => opened.clock.install(),
  });
  const typed = page.getByLabel('Units to order of Rex');
  await typed.fill('70');
  await shop.send('PATCH', '/reorders/1', { ordered: 7, supplier: 'Bird Life' });
  await page.clock.fastForward(30_000);
  await rowOf(page, 'Biscuit').getByText('7 ordered').last().waitFor();
  await rowOf(page, 'Biscuit').getByRole('cell', { name: 'Bird Life' }).waitFor();
  assert.equal(await typed.inputValue(), '70');
  await focused(typed);
  // Sooner where the tab is shown again; what was read some seconds ago is not read again.
  await page.clock.fastForward(11_000);
  await shop.send('PATCH', '/reorders/1', { ordered: 8 });
  const reads: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/admin/v1/reorders?')) reads.push(request.url());
  });
  await showAgain(page);
  // The reading of the next half minute would come after this one.
  await page.evaluate("fetch('/admin/v1/reorders?cursor=9').then((response) => response.text())");
  assert.match(reads[0] ?? '', /limit=1000/);
  await rowOf(page, 'Biscuit').getByText('8 ordered').last().waitFor();
});

test('a long list is not read again while nothing in the stock changes', async (t) => {
  const shop = await openReorderShop(t);
  const [row] = (await shop.send('GET', '/reorders?petId=1')) as [object];
  const reads: string[] = [];
  const page = await openPage(t, shop, {
    path: '/reorders',
    role: 'staff',
    prepare: async (opening) => {
      await opening.clock.install();
      await routeTwoPages(opening, row, (cursor) => void reads.push(cursor));
    },
  });
  await rowOf(page, 'Page 2').waitFor();
  await page.clock.fastForward(90_000);
  await showAgain(page);
  await page.clock.fastForward(90_000);
  // Requests arrive in their order: one of the list would be before this one.
  await page.evaluate("fetch('/admin/v1/reorders?cursor=9').then((response) => response.text())");
  assert.deepEqual(reads, ['1', '2', '9']);
});

test('a list that does not load whole by itself has so many pets or more', async (t) => {
  const shop = await openReorderShop(t);
  const [row] = (await shop.send('GET', '/reorders?petId=1')) as [object];
  const page = await openPage(t, shop, {
    path: '/reorders',
    role: 'staff',
    prepare: async (opening) => {
      await opening.route(/\/admin\/v1\/reorders\?/, async (route) => {
        const number = Number(new URL(route.request().url()).searchParams.get('cursor') ?? '0');
        const json = Array.from({ length: 1_000 }, (_, i) => ({ ...row, petId: number * 1_000 + i + 1 }));
        const link = `</admin/v1/reorders?cursor=${number + 1}>; rel="next"`;
        return route.fulfill({ json, headers: number < 50 ? { Link: link } : {} });
      });
    },
  });
  await page.getByText('10,000+ pets, 80,000+ units to order').waitFor();
  await page.getByLabel('Select all').check();
  await page.getByText('51,000 pets, 408,000 units to order').waitFor();
  // A change has at most so many pets.
  await page.getByText('50,000 selected').waitFor();
});

test('units to order are whole numbers from 1', () => {
  assert.deepEqual(['140', ' 1.200 ', '0', '', '+5', '-5', '1.5', 'x', '9'.repeat(17)].map(parseUnits), [
    140,
    1_200,
    ...Array.from({ length: 7 }, () => undefined),
  ]);
});
