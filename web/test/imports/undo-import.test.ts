import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, openPage } from '../support/browser.ts';
import { openShop } from '../support/shop.ts';

test('an applied import is undone: its undo is planned, shown and applied, and the added pets are archived', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff', path: '/imports' });
  await page.setInputFiles('input[type="file"]', {
    name: 'wrong.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('petId,name,quantity\n1,Wrong,25\n2,Renamed,3\n99001,Added,5\n99002,Deleted,0\n'),
  });
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByRole('button', { name: 'Apply 4 changes' }).click();
  await page.getByText('staff wrote 4 rows').waitFor();
  // Somebody has set another name, and so many units as before.
  await shop.send('PATCH', '/pets/2', { name: 'Corrected' });
  // Another pet has the petId of one that was deleted.
  await shop.send('DELETE', '/pets/99002');
  await shop.send('POST', '/pets', { petId: 99_002, name: 'Another', quantity: 0 });
  const file = new URL(page.url()).pathname;
  // One unit is sold.
  await shop.send('PATCH', '/inventory/1', { quantity: 24 });

  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  await page.route('**/undo', (route) => route.abort(), { times: 1 });
  await undo.click();
  await page.getByRole('alert').getByText('The service cannot be reached.').waitFor();
  await undo.click();
  await page.getByRole('heading', { name: 'Undo of wrong.csv' }).waitFor();
  const plan = new URL(page.url()).pathname;
  assert.notEqual(plan, file);
  await page.getByText('Nothing has changed yet').waitFor();
  const row = page.getByRole('row', { name: 'Labrador Retriever puppy' });
  assert.match((await row.textContent()) ?? '', /Wrong Labrador Retriever puppy.*24 3[-−]21/);
  await assertAccessible(page);
  await page.getByRole('row', { name: 'Corrected' }).getByText('Unchanged').waitFor();
  // Another press finds the plan that waits.
  await page.getByRole('link', { name: 'The import that it undoes' }).click();
  await page.waitForURL(`**${file}`);
  await undo.click();
  await page.waitForURL(`**${plan}`);
  await page.getByRole('button', { name: 'Apply 2 changes' }).click();
  await page.getByText('staff wrote 2 rows').waitFor();
  assert.deepEqual(await shop.send('GET', '/inventory?petId=1,99001'), [
    { petId: 1, quantity: 3, status: 'available' },
    { petId: 99_001, quantity: 0, status: 'available' },
  ]);

  const archive = page.getByRole('button', { name: 'Archive the added pets' });
  await archive.click();
  const dialog = page.getByRole('dialog');
  const archivePet = dialog.getByRole('button', { name: 'Archive 1 pet' });
  await archivePet.waitFor();
  await assertAccessible(page);
  await archivePet.click();
  await dialog.waitFor({ state: 'detached' });
  const [added] = (await shop.send('GET', '/pets?petId=99001')) as { archivedAt: string | null }[];
  assert.notEqual(added?.archivedAt, null);
  const [other] = (await shop.send('GET', '/pets?petId=99002')) as { archivedAt: string | null }[];
  assert.equal(other?.archivedAt, null);

  await archive.click();
  await dialog.getByText('No pet is left to archive').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });

  await page.getByRole('link', { name: 'The import that it undoes' }).click();
  await page.getByRole('link', { name: 'It is undone.' }).waitFor();
  await undo.waitFor({ state: 'detached' });
  await assertAccessible(page);
  await page.getByRole('link', { name: 'It is undone.' }).click();
  await page.waitForURL(`**${plan}`);
  await page.getByRole('link', { name: 'Import and export' }).first().click();
  await page.getByRole('cell', { name: 'Undo of wrong.csv', exact: true }).waitFor();
  await page.getByRole('row', { name: /^wrong\.csv Undone / }).waitFor();

  // The undo is undone from the list, and the import holds again.
  await page.getByRole('button', { name: 'Undo: Undo of wrong.csv' }).click();
  await page.getByRole('heading', { name: 'Redo of wrong.csv' }).waitFor();
  await page.getByRole('button', { name: 'Apply 2 changes' }).click();
  await page.getByText('staff wrote 2 rows').waitFor();
  const again = new URL(page.url()).pathname;
  await page.getByRole('link', { name: 'Import and export' }).first().click();
  await page.getByRole('row', { name: /^wrong\.csv Applied / }).waitFor();
  await page.getByRole('row', { name: /^Undo of wrong\.csv Undone / }).waitFor();
  await page.getByRole('row', { name: /^Redo of wrong\.csv Applied / }).waitFor();
  await page.getByRole('link', { name: 'wrong.csv', exact: true }).click();
  await page.getByRole('link', { name: 'Its undo was undone: it holds again.' }).click();
  await page.waitForURL(`**${again}`);

  // That is undone in part: units of one pet are sold.
  await shop.send('PATCH', '/inventory/99001', { quantity: 2 });
  await undo.click();
  await page.getByRole('button', { name: 'Apply 1 change, leave 1 row out' }).click();
  await page.getByText('staff wrote 1 row').waitFor();
  const inPart = new URL(page.url()).pathname;
  await page.getByRole('link', { name: 'Import and export' }).first().click();
  await page.getByRole('row', { name: /^wrong\.csv Partly undone / }).waitFor();
  await page.getByRole('row', { name: /^Redo of wrong\.csv Partly undone / }).waitFor();
  await page.getByRole('link', { name: 'wrong.csv', exact: true }).click();
  await page.getByRole('link', { name: 'It is partly undone: rows were left out.' }).click();
  await page.waitForURL(`**${inPart}`);
});

test('an undo that finds nothing to do says so, has no empty list of rows, and cannot be applied', async (t) => {
  const shop = await openShop(t, { isSample: false });
  const page = await openPage(t, shop, { role: 'staff', path: '/imports' });
  await page.setInputFiles('input[type="file"]', {
    name: 'gone.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('petId,name,quantity\n99001,Added,5\n'),
  });
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByRole('button', { name: 'Apply 1 change' }).click();
  const rows = page.getByRole('group', { name: 'Rows to show' });
  await rows.waitFor();
  await page.getByText('staff wrote 1 row').waitFor();
  await shop.send('DELETE', '/pets/99001');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByText('Nothing of that import is left to undo.').waitFor();
  assert.equal(await rows.count(), 0);
  assert.equal(await page.getByText('No rows of this kind').count(), 0);
  assert.equal(await page.getByRole('button', { name: 'Apply 0 changes' }).isDisabled(), true);
  // A colleague opens its address after it was deleted.
  await shop.send('DELETE', new URL(page.url()).pathname);
  await page.reload();
  await page.getByRole('heading', { name: 'This import is not there any more', level: 1 }).waitFor();
  assert.equal(await page.title(), 'This import is not there any more · Pet Store');
  await page.locator('#content').getByRole('link', { name: 'Import and export' }).click();
  await page.getByRole('heading', { name: 'Recent imports' }).waitFor();
});
