import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../server/test/support/until.ts';
import { KEPT_AT } from '../../src/api/kept-at.ts';
import { assertAccessible, focused, openPage } from '../support/browser.ts';
import { serviceDay, setClockBack } from '../support/service-day.ts';
import { openShop } from '../support/shop.ts';
import { isSkippedDaily } from '../../../server/test/support/long-test.ts';

const quantityOf = (page: Page, name: string) =>
  page.getByRole('row', { name }).getByRole('button', { name: 'Quantity of' });

test('a person signs in with a key, and returns to the page that was asked for', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: null, path: '/stock?status=sold' });
  const field = page.getByLabel('Management key');
  await field.waitFor();
  const sent =
    'performance.getEntriesByType("resource").filter(({ name }) => name.includes("/admin/v1/")).length';
  assert.equal(await page.evaluate(sent), 0, 'no request can be refused');
  await field.fill('psa_live_wrong');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('This key does not work').waitFor();
  await assertAccessible(page);
  await field.fill(await shop.makeKey('viewer'));
  await page.keyboard.press('Enter');
  await page.waitForURL('**/stock?status=sold');
  await page.getByRole('row', { name: 'Miniature Dachshund' }).waitFor();
  assert.equal(await page.evaluate('JSON.stringify({ ...localStorage }).includes("psa_")'), false);
  assert.equal(await quantityOf(page, 'Miniature Dachshund').isDisabled(), true);
});

test('stock is corrected by keyboard, and the change is undone', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff' });
  await page.getByRole('row', { name: 'Labrador Retriever puppy' }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.type('+3');
  await page.getByText('3 → 6').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('Golden Retriever puppy: 3 → 6').waitFor();
  await page.keyboard.type('7');
  await page.keyboard.press('Enter');
  await page.getByText('French Bulldog puppy: 1 → 7').waitFor();
  await page.keyboard.press('Control+z');
  await page.getByText('Undone').waitFor();
  const [second, third] = (await shop.send('GET', '/inventory?petId=2,3')) as { quantity: number }[];
  assert.deepEqual([second?.quantity, third?.quantity], [6, 1]);
  await until(
    async () => (await quantityOf(page, 'French Bulldog puppy').textContent()) === '1',
    'the page shows the quantity before',
  );
  // The link of the page has the focus, and keys of the table work.
  await page.getByRole('navigation').getByRole('link', { name: 'Stock', exact: true }).click();
  await page.keyboard.press('Control+a');
  await page.getByText('60 selected').waitFor();
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog', { name: 'Add a pet' });
  const next = dialog.getByRole('button', { name: /, the next free one$/ });
  const petId = /\d+/.exec((await next.textContent()) ?? '')?.[0] ?? '';
  const ids = (await shop.send('GET', '/pets?archived=include&limit=1000')) as { petId: string }[];
  assert.equal(petId, String(Math.max(...ids.map((pet) => Number(pet.petId))) + 1));
  await next.click();
  await dialog.getByLabel('Name').fill('Rex');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Rex' }).waitFor();
  assert.equal(new URL(page.url()).pathname, `/pets/${petId}`);
});

test('a change by another person shows, and a conflict names who was faster', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff' });
  await quantityOf(page, 'Labrador Retriever puppy').waitFor();
  await shop.send('PATCH', '/inventory/1', { quantity: 40 });
  await page.locator('#row-1 [data-flash]', { hasText: '40' }).waitFor();
  await page.keyboard.type('15');
  await shop.send('PATCH', '/inventory/1', { quantity: 9 });
  await page.getByText('Was 40').waitFor();
  await page.keyboard.press('Enter');
  const note = page.getByRole('alert').filter({ hasText: '40 → 9: administrator' });
  await note.waitFor();
  await assertAccessible(page);
  await note.getByRole('button', { name: 'Set 15' }).click();
  await page.getByText('Labrador Retriever puppy: 9 → 15').waitFor();
  const [pet] = (await shop.send('GET', '/inventory?petId=1')) as { quantity: number }[];
  assert.equal(pet?.quantity, 15);

  // Somebody renames and sells the pet while the next number is on its way.
  await page.route(
    '**/admin/v1/inventory/1',
    async (route) => {
      await shop.send('PATCH', '/pets/1', { name: 'Labrador puppy' });
      await shop.send('PATCH', '/inventory/1', { quantity: 8 });
      await route.continue();
    },
    { times: 1 },
  );
  const refused = page.waitForResponse((response) => response.status() === 412);
  await page.locator('#row-1 [data-cell="quantity"]').click();
  await page.keyboard.type('20');
  await page.keyboard.press('Enter');
  assert.equal((await refused).request().method(), 'PATCH');
  await page.getByRole('alert').filter({ hasText: '15 → 8: administrator' }).waitFor();
  // No movement has the name.
  await quantityOf(page, 'Labrador puppy').waitFor();
  await page.getByRole('button', { name: 'Keep 8' }).click();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  assert.equal(await quantityOf(page, 'Labrador puppy').textContent(), '8');
});

test('a new name shows although its first reading fails, and the pet beside it is gone', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'viewer' });
  await page.getByRole('row', { name: 'Labrador Retriever puppy' }).waitFor();
  const error = (code: string, status: number) => ({
    status,
    json: { code, message: '' },
    headers: { 'Petstore-Version': '1' },
  });
  await page.route('**/admin/v1/pets/1', (route) => route.fulfill(error('not_found', 404)));
  let reads = 0;
  await page.route('**/admin/v1/pets/2', (route) => {
    reads += 1;
    return reads === 1 ? route.fulfill(error('service_unavailable', 503)) : route.continue();
  });
  await Promise.all([
    shop.send('PATCH', '/pets/1', { name: 'Gone' }),
    shop.send('PATCH', '/pets/2', { name: 'Rex' }),
  ]);
  await page.getByRole('row', { name: 'Rex' }).waitFor();
  assert.equal(reads, 2);

  // A list of an earlier visit, which the browser gives while the service is slow, has no new pet.
  const rows = await page.evaluate("fetch('/admin/v1/pets/rows').then((response) => response.text())");
  let lists = 0;
  await page.route('**/admin/v1/pets/rows', (route) => {
    lists += 1;
    if (lists > 1) return route.continue();
    return route.fulfill({ body: String(rows), headers: { [KEPT_AT]: new Date().toISOString() } });
  });
  await shop.send('POST', '/pets', { petId: 900, name: 'Newcomer' });
  await page.getByText('61 of 61').waitFor();
  assert.equal(lists, 2);
});

test('many pets are changed after a preview, all or none, and set back', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff', path: '/stock?category=Dogs' });
  await page.getByRole('row', { name: 'Labrador Retriever puppy' }).waitFor();
  await page.locator('#row-1 input[type="checkbox"]').click();
  await page.locator('#row-4').click({ modifiers: ['Shift'], position: { x: 4, y: 4 } });
  await page.getByText('4 selected').waitFor();
  // The box that was clicked has the focus, and the keys of the table go on from its row.
  await page.keyboard.press('Escape');
  await page.locator('#row-1 input[type="checkbox"]').click();
  await page.keyboard.press('Shift+ArrowDown');
  await page.getByText('2 selected').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.getByText('3 selected').waitFor();
  // The range begins at the pet that was chosen, which the other order has moved to the end.
  await page.keyboard.press('Escape');
  await page.locator('#row-1 input[type="checkbox"]').click();
  const id = page.getByRole('columnheader', { name: 'ID' }).getByRole('button');
  await id.click();
  await page.locator('#row-3').click({ modifiers: ['Shift'], position: { x: 4, y: 4 } });
  await page.getByText('3 selected').waitFor();
  await id.click();
  await page.locator('#row-4').click({ modifiers: ['Shift'], position: { x: 4, y: 4 } });
  await page.getByText('4 selected').waitFor();
  await page.getByRole('link', { name: 'French Bulldog puppy' }).click();
  await page.getByRole('heading', { name: 'French Bulldog puppy' }).waitFor();
  await page.goBack();
  await page.getByText('4 selected').waitFor();
  // A selection that another filter leaves out says so, and does not look like all rows.
  await page.getByRole('searchbox').fill('labrador');
  await page.getByText('3 of them not shown').waitFor();
  assert.equal(await page.getByRole('checkbox', { name: 'Select all that match' }).isChecked(), true);
  await page.getByRole('searchbox').fill('beagle');
  await page.getByText('4 of them not shown').waitFor();
  assert.equal(await page.getByRole('checkbox', { name: 'Select all that match' }).isChecked(), false);
  await page.getByRole('searchbox').fill('');
  await page.getByText('not shown').waitFor({ state: 'detached' });
  await page.getByRole('row', { name: 'Labrador Retriever puppy' }).click({ position: { x: 400, y: 4 } });
  await page.keyboard.press('Escape');
  await page.keyboard.press('Home');
  await page.keyboard.press('x');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await page.getByText('3 selected').waitFor();
  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog', { name: 'Adjust 3 pets' });
  await focused(dialog.getByLabel('Change', { exact: true }).last());
  await page.keyboard.type('-2');
  await dialog.getByText('1 pet cannot be changed').waitFor();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Leave out' }).click();
  await dialog.getByRole('button', { name: 'Apply to 2 pets' }).click();
  await page.getByText('Changed 2 pets').waitFor();
  await quantityOf(page, 'Labrador Retriever puppy').getByText('2', { exact: true }).waitFor();
  await page.keyboard.press('u');
  await page.getByText('Undone').waitFor();
  await quantityOf(page, 'Labrador Retriever puppy').getByText('4', { exact: true }).waitFor();
});

test('search answers each key, and an empty result says why', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff', prepare: setClockBack });
  await page.getByRole('row', { name: 'Labrador Retriever puppy' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('gold fish');
  await page.getByText('2 of 60').waitFor();
  await page.waitForURL('**/stock?q=gold+fish');
  await page.getByRole('button', { name: 'Export' }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'CSV, for spreadsheets' }).click(),
  ]);
  assert.equal(file.suggestedFilename(), `stock-${await serviceDay(shop)}.csv`);
  const lines = readFileSync(await file.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  assert.equal(lines.length, 3, 'the rows that are shown');
  assert.match(lines[0] ?? '', /^petId,name,category,quantity,status,/);
  await page.evaluate('window.print = () => { document.body.dataset.asked = "yes"; }');
  await page.getByRole('button', { name: 'Print' }).click();
  await page.locator('body[data-asked]').waitFor();
  await page.emulateMedia({ media: 'print' });
  const paper = page.getByRole('table', { name: 'Pets and their stock' });
  await paper.getByRole('row').nth(2).waitFor();
  assert.equal(await paper.getByRole('row').count(), 3);
  assert.match(await paper.locator('caption').innerText(), /^2 pets on this list, as of .*\d{4}/);
  assert.equal(await page.getByRole('navigation').count(), 0);
  assert.equal(await page.getByRole('grid').count(), 0);
  await page.emulateMedia({ media: 'screen' });
  await page.keyboard.press('/');
  await page.keyboard.press('End');
  await page.keyboard.type('zzz');
  await page.getByText('No pet has “gold fishzzz”').waitFor();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText('60 of 60').waitFor();

  // A pet and Back: the table is where it was, and nothing is read again.
  let reads = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/pets/rows')) reads += 1;
  });
  const grid = page.getByRole('grid');
  const scrollTop = () => grid.evaluate((table: { scrollTop: number }) => table.scrollTop);
  await grid.evaluate((table: { scrollTo(x: number, y: number): void }) => table.scrollTo(0, 900));
  // An edit keeps what is typed while its row is out of view.
  await page.locator('#row-30 [data-cell="quantity"]').click();
  await page.keyboard.type('123');
  const isOut = `!document.querySelector('#row-29')`;
  await grid.evaluate((table: { scrollTo(x: number, y: number): void }) => table.scrollTo(0, 0));
  await until(async () => (await page.evaluate(isOut)) === true, 'the rows beside it are out of view');
  assert.equal(await page.locator('#row-30 input:not([type="checkbox"])').inputValue(), '123');
  await page.keyboard.press('Escape');
  await grid.evaluate((table: { scrollTo(x: number, y: number): void }) => table.scrollTo(0, 900));
  await page.locator('#row-30 a').click();
  await page.waitForURL('**/pets/30');
  // Back before the pet shows would leave the stock page as it is.
  await page.getByRole('list', { name: 'Changes' }).waitFor();
  await page.goBack();
  await page.locator('#row-30').waitFor();
  assert.equal(await scrollTop(), 900);
  // A change that shows was sent after what the page asks for at its beginning.
  await shop.send('PATCH', '/inventory/30', { quantity: 77 });
  await page.locator('#row-30 [data-cell="quantity"]', { hasText: '77' }).waitFor();
  assert.equal(reads, 0);
  // The counter counts: a page that begins reads them.
  await page.reload();
  await grid.getByRole('row').nth(1).waitFor();
  assert.equal(reads, 1);
});

test('the list names its active row only while the row is drawn', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  const page = await openPage(t, shop);
  const grid = page.getByRole('grid');
  const names = (row: string | null) =>
    until(async () => (await grid.getAttribute('aria-activedescendant')) === row, `the grid names ${row}`);
  await names('row-1');
  // As it is for a moment after the window changed.
  const styleOf = (style: string) =>
    page.evaluate(`document.querySelector('[role="grid"]').style.cssText = '${style}'`);
  await styleOf('flex: none; height: 0; border: 0');
  await page.locator('#row-1').waitFor({ state: 'detached' });
  await names(null);
  await styleOf('');
  await names('row-1');
});
