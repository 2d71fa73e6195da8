import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { until } from '../../../server/test/support/until.ts';
import { selectionOf } from '../../src/bulk/bulk-api.ts';
import type { StockQuery } from '../../src/stock/stock-view.ts';
import { assertAccessible, focused, openPage, twoFrames, visit } from '../support/browser.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { isSkippedDaily } from '../../../server/test/support/long-test.ts';

const QUERY: StockQuery = {
  words: '',
  status: undefined,
  category: undefined,
  alert: undefined,
  isArchived: false,
  sort: 'petId',
  isDescending: false,
};

async function pets(shop: Shop): Promise<readonly { category: string | null; archivedAt: string | null }[]> {
  return (await shop.send('GET', '/pets?archived=include&limit=1000')) as never;
}

async function editAll(page: Page) {
  await page.getByRole('row', { name: 'Labrador Retriever puppy' }).waitFor();
  await page.keyboard.press('Control+a');
  await page.getByText('60 selected').waitFor();
  const size = page.viewportSize();
  assert.ok(size);
  // The other is a window of 1,280 by 800 at 200 %.
  for (const each of [size, { width: 640, height: 400 }]) {
    await page.setViewportSize(each);
    await until(async () => {
      // Again, because the rows of a small window become higher after it is there.
      await page.keyboard.press('End');
      const bar = await page.getByRole('region', { name: '60 selected' }).boundingBox();
      const last = await page.locator('#row-60').boundingBox();
      return bar !== null && last !== null && last.y + last.height <= bar.y;
    }, 'the last row is above the bar of the selection');
  }
  await page.setViewportSize(size);
  await page.keyboard.press('Home');
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  return page.getByRole('dialog', { name: 'Edit 60 pets' });
}

test('Ctrl-A selects the rows of a filter right after it was chosen, and its statuses look alike', async (t) => {
  const page = await openPage(t, await openShop(t), { role: 'staff' });
  await page.getByRole('row', { name: 'Labrador Retriever puppy' }).waitFor();
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  // The menu may still be on its way.
  await until(async () => {
    const colours = await page.evaluate<readonly string[]>(
      `[...document.querySelectorAll('[role="menuitem"] [data-tone]')].map((badge) => getComputedStyle(badge).color)`,
    );
    return colours.length === 6 && new Set(colours).size === 1;
  }, 'the six statuses have one colour');
  await page.getByRole('menuitem', { name: 'Dogs', exact: true }).click();
  await page.getByText('10 of 60').waitFor();
  await page.keyboard.press('Control+a');
  await page.getByText('10 selected').waitFor();
});

test('all selected pets get another category after a preview, and their own back', async (t) => {
  const shop = await openShop(t);
  const before = (await pets(shop)).map(({ category }) => category);
  const page = await openPage(t, shop, { role: 'staff' });
  const dialog = await editAll(page);
  // An empty field removes nothing: that is a choice of its own.
  const preview = dialog.getByRole('button', { name: 'Preview' });
  assert.equal(await preview.isDisabled(), true);
  const remove = dialog.getByLabel('Remove the category of 60 pets');
  await remove.check();
  assert.equal(await preview.isEnabled(), true);
  await remove.uncheck();
  await dialog.getByText('Thresholds', { exact: true }).click();
  assert.equal(await preview.isDisabled(), true);
  await dialog.getByText('Category', { exact: true }).click();
  await dialog.getByLabel('New category').fill('Sale');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByText('60 pets will change. Already so: 0. Cannot be changed: 0.').waitFor();
  await dialog.getByRole('row', { name: 'Labrador Retriever puppy' }).getByText('Sale').waitFor();
  // The button that was pressed is gone each time.
  await focused(dialog.getByRole('status'));
  await dialog.getByRole('button', { name: 'Change the values' }).click();
  await focused(preview);
  await page.keyboard.press('Enter');
  await focused(dialog.getByRole('status'));
  await assertAccessible(page);
  assert.deepEqual(
    (await pets(shop)).map(({ category }) => category),
    before,
    'a preview changes nothing',
  );
  await dialog.getByRole('button', { name: 'Apply to 60 pets' }).click();
  await page.getByText('Changed 60 pets').waitFor();
  assert.ok((await pets(shop)).every(({ category }) => category === 'Sale'));
  await page.locator('#row-1').getByRole('gridcell', { name: 'Sale' }).waitFor();
  await page.keyboard.press('u');
  await page.getByText('Undone').waitFor();
  assert.deepEqual(
    (await pets(shop)).map(({ category }) => category),
    before,
  );
});

test('all selected pets get a supplier, which the reorder list has without another load', async (t) => {
  const shop = await openShop(t);
  await shop.send('PATCH', '/reorders/1', { supplier: 'Reef' });
  const suppliers = async () => (await shop.send('GET', '/reorders/suppliers')) as readonly string[];
  const page = await openPage(t, shop, { role: 'staff', path: '/reorders' });
  await page.getByRole('combobox', { name: 'Supplier' }).waitFor();
  await visit(page, '/stock');
  const dialog = await editAll(page);
  await dialog.getByText('Supplier', { exact: true }).click();
  const preview = dialog.getByRole('button', { name: 'Preview' });
  assert.equal(await preview.isDisabled(), true);
  await dialog.getByRole('combobox', { name: 'Supplier' }).fill('Zoo Wholesale');
  await preview.click();
  const row = dialog.getByRole('row', { name: 'Labrador Retriever puppy' });
  await row.getByText('Reef').waitFor();
  await row.getByText('Zoo Wholesale').waitFor();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Apply to 60 pets' }).click();
  await page.getByText('Changed 60 pets').waitFor();
  assert.deepEqual(await suppliers(), ['Zoo Wholesale']);
  await visit(page, '/reorders');
  await page.getByRole('cell', { name: 'Zoo Wholesale' }).first().waitFor();
  await page.keyboard.press('u');
  await page.getByText('Undone').waitFor();
  assert.deepEqual(await suppliers(), ['Reef']);
  await page.getByRole('cell', { name: 'Zoo Wholesale' }).first().waitFor({ state: 'detached' });

  // The stock list is filtered by supplier, and by none.
  await visit(page, '/stock');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Reef', exact: true }).click();
  await page.getByText('1 of 60').waitFor();
  await page.waitForURL('**/stock?supplier=Reef');
  await page.getByRole('row', { name: 'Labrador Retriever puppy' }).waitFor();
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('menuitem', { name: 'No supplier' }).click();
  await page.getByText('59 of 60').waitFor();
  await page.reload();
  await page.getByText('59 of 60').waitFor();
  await page.keyboard.press('Control+a');
  await page.getByText('59 selected').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Supplier: No supplier. Remove' }).click();
  await page.getByText('60 of 60').waitFor();
  // Without its pets the list is not an empty one.
  await page.route('**/admin/v1/pets/export?**', (route) => route.fulfill({ status: 500, json: {} }));
  await page.goto('/stock?supplier=Reef');
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  assert.equal(await page.getByText('No pet matches').count(), 0);
  await page.unroute('**/admin/v1/pets/export?**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('1 of 60').waitFor();
});

test('a change of many pets is undone from the log, long after its toast', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  const before = await pets(shop);
  const { id } = (await shop.send('POST', '/bulk-changes', { filter: {}, set: { category: 'Sale' } })) as {
    id: string;
  };
  const isIn = async (state: string) =>
    ((await shop.send('GET', `/bulk-changes/${id}`)) as { state: string }).state === state;
  await until(() => isIn('planned'), 'the change is planned');
  await shop.send('POST', `/bulk-changes/${id}/apply`);
  await until(() => isIn('applied'), 'the change is applied');
  const viewer = await openPage(t, shop, { role: 'viewer', path: '/system/log' });
  await viewer.getByText('finished a change of 60 pets').first().waitFor();
  assert.equal(await viewer.getByRole('button', { name: 'Undo' }).count(), 0);
  // From the history of a pet, what the change did is one click away.
  await visit(viewer, '/pets/1');
  await viewer
    .getByRole('list', { name: 'Changes' })
    .getByRole('link', { name: 'Change of many pets' })
    .click();
  await viewer.getByText('applied a change of 60 pets: Category → Sale').waitFor();
  const page = await openPage(t, shop, { role: 'staff', path: '/' });
  // A page of changes that cannot be undone comes first.
  const next = '</admin/v1/bulk-changes?cursor=next>; rel="next"';
  await page.route('**/admin/v1/bulk-changes?*', (route) =>
    route.request().url().includes('cursor=next')
      ? route.continue({ url: route.request().url().replace('cursor=next', '') })
      : route.fulfill({ json: [], headers: { Link: next } }),
  );
  await visit(page, '/system/log');
  const undo = page
    .getByRole('row', { name: 'finished a change of 60 pets' })
    .getByRole('button', { name: 'Undo' });
  // An undo that fails in its middle.
  const address = `**/admin/v1/bulk-changes/${id}`;
  await page.route(`${address}/undo`, (route) => route.fulfill({ status: 202, json: {} }));
  await page.route(address, async (route) => {
    const change = (await (await route.fetch()).json()) as { counts: object };
    const counts = { ...change.counts, undone: 20, changed: 40 };
    await route.fulfill({ json: { ...change, state: 'failed', failureCode: 'disk_full', counts } });
  });
  await undo.click();
  await page.getByText('Undone: 20 pets. Not undone: 40 pets. The disk of the service is full.').waitFor();
  await page.unroute(`${address}/undo`);
  await page.unroute(address);
  await undo.click();
  await page.getByText('Undone', { exact: true }).waitFor();
  await page.getByText('began to undo a change of 60 pets').waitFor();
  await undo.first().waitFor({ state: 'detached' });
  const after = await pets(shop);
  assert.deepEqual(
    after.map(({ category }) => category),
    before.map(({ category }) => category),
  );
});

test('pets with stock are named before the others are archived, and a closed preview leaves no plan', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff' });
  const dialog = await editAll(page);
  await dialog.getByText('Archive', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByText('It has stock or reservations.').first().waitFor();
  await dialog.getByRole('button', { name: 'Change the values' }).click();
  await dialog.getByText('Thresholds', { exact: true }).click();
  await dialog.getByLabel('Low at').fill('5');
  await dialog.getByLabel('Enough at').fill('5');
  await dialog.getByText('Type a number greater than low.').waitFor();
  assert.equal(await dialog.getByRole('button', { name: 'Preview' }).isDisabled(), true);
  // Pets without thresholds of their own have some, too.
  await dialog.getByLabel('Enough at').fill('8');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByRole('row', { name: 'Labrador Retriever puppy Default of the shop 5 / 8' }).waitFor();
  await dialog.getByRole('button', { name: 'Change the values' }).click();
  await dialog.getByText('Archive', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Preview' }).click();
  const apply = dialog.getByRole('button', { name: /^Apply to / });
  await apply.waitFor();
  const wanted = Number(/\d+/.exec((await apply.textContent()) ?? '')?.[0]);
  await apply.click();
  await page.getByText(/^Changed \d+ pets?$/).waitFor();
  const archived = (await pets(shop)).filter(({ archivedAt }) => archivedAt !== null);
  assert.ok(wanted > 0 && archived.length === wanted, `${archived.length} of ${wanted} are archived`);
  await page
    .getByText(`of ${60 - wanted}`, { exact: false })
    .first()
    .waitFor();

  await page.keyboard.press('Control+a');
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const other = page.getByRole('dialog');
  await other.getByLabel(/^Remove the category of/).check();
  await other.getByRole('button', { name: 'Preview' }).click();
  await other.getByRole('button', { name: /^Apply to / }).waitFor();
  await other.getByRole('button', { name: 'Cancel' }).click();
  await until(async () => {
    const [newest] = (await shop.send('GET', '/bulk-changes?limit=1')) as { state: string }[];
    return newest?.state === 'cancelled';
  }, 'the preview is cancelled');
});

test('selected pets get SKUs and barcodes of the shop, and those that cannot are named', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await openShop(t);
  await shop.send('PATCH', '/pets/2', { sku: 'SKU-3' });
  const page = await openPage(t, shop, { role: 'staff' });
  const dialog = await editAll(page);
  await dialog.getByText('Codes', { exact: true }).click();
  const template = dialog.getByRole('textbox', { name: 'SKU' });
  await template.fill('SKU-');
  await dialog.getByText('Write {petId} where each pet has its petId').waitFor();
  assert.equal(await dialog.getByRole('button', { name: 'Preview' }).isDisabled(), true);
  await template.fill('SKU-{petId}');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByText('59 pets will change. Already so: 0. Cannot be changed: 1.').waitFor();
  await dialog.getByText('Pet 2 has this code.').waitFor();
  await dialog
    .getByRole('row', { name: 'Labrador Retriever puppy' })
    .getByText('SKU-1', { exact: true })
    .waitFor();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Change the values' }).click();
  await dialog.getByRole('combobox', { name: 'Codes' }).click();
  await page.getByRole('option', { name: 'Give pets without a barcode one' }).click();
  await dialog.getByRole('combobox', { name: 'First digits of the EAN-13' }).click();
  await page.getByRole('option', { name: '21' }).click();
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByText('2100000000012').waitFor();
  await dialog.getByRole('button', { name: /^Apply to / }).click();
  await page.getByText(/^Changed \d+ pets?$/).waitFor();
  assert.deepEqual(((await shop.send('GET', '/pets/1')) as { barcodes: unknown }).barcodes, [
    '2100000000012',
  ]);
});

test('a change that the service still applies is shown after a reload and in another tab, with its result', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { role: 'staff' });
  await page.getByRole('row', { name: 'Labrador Retriever puppy' }).waitFor();
  const send = (path: string, body?: object) =>
    page.evaluate<{ readonly id: string; readonly state: string }>(`fetch('/admin/v1/bulk-changes${path}', {
      method: '${body ? 'POST' : 'GET'}',
      headers: { 'Content-Type': 'application/json' },
      ...(${body !== undefined} && { body: ${JSON.stringify(JSON.stringify(body ?? {}))} }),
    }).then((response) => response.json())`);
  const { id } = await send('', { filter: {}, set: { category: 'Sale' } });
  const isIn = async (state: string) => (await send(`/${id}`)).state === state;
  await until(() => isIn('planned'), 'the change is planned');
  await send(`/${id}/apply`, {});
  await until(() => isIn('applied'), 'the change is applied');
  // As it is in the middle of its work, and then as it ended.
  let [isApplying, updatedAt] = [true, '2020-01-01T00:00:00Z'];
  const listed = async (route: Route) => {
    const [change, ...others] = (await (await route.fetch()).json()) as { counts: object }[];
    const counts = { ...change?.counts, planned: 40, changed: 20 };
    const shown = isApplying ? { ...change, state: 'applying', counts } : change;
    await route.fulfill({ json: [{ ...shown, updatedAt }, ...others] });
  };
  const list = '**/admin/v1/bulk-changes?*';
  const hold = async (each: Page) => void (await each.route(list, listed));
  await hold(page);
  const running = 'The service applies your change: 20 of 60 pets';
  await page.reload();
  await page.getByText(running).waitFor();
  await assertAccessible(page);
  const other = await page.context().newPage();
  await hold(other);
  await other.goto('/reorders');
  await other.getByText(running).waitFor();
  const colleague = await openPage(t, shop, { role: 'staff', prepare: hold });
  await colleague.getByRole('row', { name: 'Labrador Retriever puppy' }).waitFor();
  const stopped = page.waitForRequest(`**/bulk-changes/${id}/cancel`);
  await page.getByRole('button', { name: 'Stop' }).click();
  await stopped;
  isApplying = false;
  const shown = async (each: Page) => {
    // The message goes after a while, unless the pointer is on it.
    await each.getByText('Changed 60 pets').hover();
    await each.getByText(running).waitFor({ state: 'detached' });
  };
  await Promise.all([shown(other), shown(page)]);
  assert.equal(await colleague.getByText('Changed 60 pets').count(), 0, 'it is not that of a colleague');
  await page.keyboard.press('u');
  await page.getByText('Undone', { exact: true }).waitFor();
  // This tab has shown its end already, whatever an older list says.
  isApplying = true;
  const readAgain = page.waitForResponse(list);
  await page.evaluate('document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))');
  await (await readAgain).finished();
  await twoFrames(page);
  assert.equal(await page.getByText(running).count(), 0);
  // It ended while the page was loading.
  [isApplying, updatedAt] = [false, '2100-01-01T00:00:00Z'];
  await page.reload();
  await page.getByText('Undone', { exact: true }).waitFor();
});

test('a selection is a filter only where it has too many ids, and finds the same pets', () => {
  const few = ['1', '2'];
  const many = Array.from({ length: 50_001 }, (_, i) => String(i));
  const find = (petIds: readonly string[], shown: readonly string[], query: StockQuery = QUERY) =>
    selectionOf(new Set(petIds), shown, query);
  assert.deepEqual(find(few, few), { petIds: few });
  assert.deepEqual(find(many, many), { filter: { archived: 'exclude' } });
  const filtered = { ...QUERY, status: 'sold', category: 'Dogs', alert: 'any', isArchived: true } as const;
  assert.deepEqual(find(many, many, filtered), {
    filter: { archived: 'only', status: 'sold', category: 'Dogs', alert: ['low', 'out', 'oversold'] },
  });
  for (const supplier of ['Zoo', '']) {
    assert.deepEqual(find(many, many, { ...QUERY, supplier }), { filter: { archived: 'exclude', supplier } });
  }
  assert.equal(find(many, [...many, 'x']), undefined, 'not all that match are selected');
  assert.equal(find(many, ['x', ...many.slice(1)]), undefined, 'one of those selected does not match');
  assert.equal(find(many, many, { ...QUERY, words: 'dog' }), undefined, 'the service finds words');
});
