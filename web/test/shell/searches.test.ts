import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLI_AUTHOR } from '../../../server/src/domain/management/activity.ts';
import { petRow } from '../../../server/test/support/command-line.ts';
import { until } from '../../../server/test/support/until.ts';
import { withPart } from '../../src/app/shell/palette-order.ts';
import { bestFirst } from '../../src/components/pets/find-pets.ts';
import { assertAccessible, openPage } from '../support/browser.ts';
import { openShop } from '../support/shop.ts';

/** Types into the search field, and goes back before the address has the words. */
const TYPE_AND_GO_BACK = `{
  const field = document.querySelector('input[type="search"]');
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, 'admi');
  field.dispatchEvent(new Event('input', { bubbles: true }));
  history.back();
}`;

test('the address has the search, but no key', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { path: '/access?q=nobody' });
  const field = page.getByRole('searchbox');
  await page.getByText('nobody').first().waitFor();
  assert.equal(await field.inputValue(), 'nobody');
  await field.fill('');
  await page.waitForURL((url) => url.search === '');

  await page.goto('/access/management-keys');
  await field.fill('administrator');
  await page.waitForURL('**/access/management-keys?q=administrator');
  const row = page.getByRole('table').getByRole('link', { name: 'administrator' }).first();
  await row.click();
  await page.getByRole('dialog').waitFor();
  await page.waitForURL('**/access/management-keys/key_*?q=administrator');
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(await field.inputValue(), 'administrator');
  // Back shows the words of each address, and those of a link that had none stay.
  await row.click();
  await page.waitForURL('**/access/management-keys/key_*?q=administrator');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.waitForURL('**/access/management-keys?q=administrator');
  await field.fill('admin');
  await page.waitForURL('**/access/management-keys?q=admin');
  await page.goBack();
  await page.getByRole('dialog').waitFor();
  assert.equal(await page.locator('input[type="search"]').inputValue(), 'administrator');
  await page.goForward();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(await field.inputValue(), 'admin');
  assert.equal(new URL(page.url()).search, '?q=admin');
  // Words that were typed just before Back are not lost.
  await page.evaluate(TYPE_AND_GO_BACK);
  await page.waitForURL('**/access/management-keys/key_*?q=admi');
  assert.equal(await page.locator('input[type="search"]').inputValue(), 'admi');
  await page.goForward();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(await field.inputValue(), 'admin');
  const secret = await shop.makeKey('staff');
  await field.fill(secret);
  await page.waitForURL((url) => url.search === '');
  assert.equal(await field.inputValue(), secret);
});

test('a search that is not in the address yet does not lead back from the next page', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, {
    prepare: async (opened) => {
      await opened.route('**/assets/labels-page-*.js', async (route) => {
        // A timer of the page that begins after that of its address, and is longer, ends after it on any machine.
        await opened.evaluate('new Promise((resolve) => setTimeout(resolve, 200))');
        await route.continue();
      });
    },
  });
  await page.locator('#row-1 input[type="checkbox"]').click();
  await page.getByRole('searchbox').fill('lab');
  await page.getByRole('link', { name: 'Labels' }).click();
  await page.getByRole('heading', { name: 'Shelf labels' }).waitFor();
  assert.equal(new URL(page.url()).pathname, '/labels');
});

test('Enter in the palette opens no pet of an earlier search', async (t) => {
  const shop = await openShop(t);
  const page = await openPage(t, shop, { path: '/system' });
  const answers: (() => Promise<void>)[] = [];
  await page.route('**/admin/v1/pets?*q=neon*', (route) => void answers.push(() => route.continue()));
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog');
  const field = palette.getByRole('textbox');
  await field.fill('lab');
  const labrador = palette.getByText('Labrador Retriever puppy');
  await labrador.waitFor();
  await field.fill('neon');
  await field.press('Enter');
  await labrador.waitFor({ state: 'detached' });
  await until(() => answers.length > 0, 'the pets are asked for');
  assert.match(page.url(), /\/system/);
  for (const answer of answers) await answer();
  await palette.getByText('Neon tetra').waitFor();
  await field.press('Enter');
  await page.waitForURL('**/pets/31');

  await page.keyboard.press('Control+k');
  await field.fill('guinea');
  await palette.getByText('Guinea pig').first().waitFor();
  await assertAccessible(page);
  await field.fill('phone-17');
  const order = palette.getByRole('button', { name: /Order \d+ Ref\. phone-17/ });
  await order.waitFor();
  await assertAccessible(page);
  // A part of the reference is enough for new orders.
  await field.fill('HONE-1');
  await palette
    .getByRole('button', { name: /Order \d+ Ref\. phone-1\d/ })
    .first()
    .waitFor();
  await field.fill('no order has this');
  await palette.getByText('the newest 100 also by a part of the reference').waitFor();
  await assertAccessible(page);
  await field.fill('phone-17');
  await order.waitFor();
  await field.press('Enter');
  await page.waitForURL('**/orders/*');
});

test('a name that begins with the words is found beside hundreds that have them as a whole word', async (t) => {
  const shop = await openShop(t, { isSample: false });
  const rows = Array.from({ length: 490 }, (_, i) => petRow(i + 1, { name: `Platy, gold ${i}` }));
  await shop.service.withAdmin((admin) =>
    admin.importPets([...rows, petRow(600, { name: 'Goldfish' })], CLI_AUTHOR.actor),
  );
  const page = await openPage(t, shop, { path: '/orders/new' });
  const add = page.getByRole('combobox', { name: 'Add a pet' });
  await add.fill('gold');
  await page.getByRole('option', { name: 'Goldfish' }).waitFor();
  assert.match((await page.getByRole('option').first().textContent()) ?? '', /^Goldfish/);
  await page.goto('/system');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('textbox').fill('gold');
  await page.getByRole('dialog').getByText('Goldfish').waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/pets/600');
});

test('a part of a reference finds orders, those that begin with it first', () => {
  const orders = [null, 'web-4711', '4711', '471', 'WEB-47110', '4711-b'].map((referenceId) => ({
    referenceId,
  }));
  const found = (words: string) => withPart(orders, words).map(({ referenceId }) => referenceId);
  assert.deepEqual(found('4711'), ['4711', '4711-b', 'web-4711', 'WEB-47110']);
  assert.deepEqual(found(' Web-4'), ['web-4711', 'WEB-47110']);
  assert.deepEqual(found('815'), []);
});

test('the palette shows the best match first', () => {
  const pets = ['Platy, gold', 'Fish food, goldfish', 'Marigold', 'Golden hamster', 'Goldfish', 'Gold'].map(
    (name, index) => ({
      petId: String(index + 1),
      name,
      category: null,
      sku: null,
      barcodes: [] as string[],
    }),
  );
  const order = (words: string) => bestFirst(pets, words).map(({ name }) => name);
  assert.deepEqual(order('gold'), [
    'Gold',
    'Golden hamster',
    'Goldfish',
    'Platy, gold',
    'Fish food, goldfish',
    'Marigold',
  ]);
  assert.equal(order('3')[0], 'Marigold', 'an id is exact');
  assert.equal(order('GOLDFISH')[0], 'Goldfish');
  const coded = [
    ...pets,
    { petId: '9', name: 'Rex', category: null, sku: 'Gold', barcodes: ['4006381333931', '36000291452 '] },
    { petId: '10', name: 'Lou', category: null, sku: null, barcodes: ['036000291452'] },
  ];
  const first = (words: string) => bestFirst(coded, words)[0]?.name;
  assert.equal(first('Gold'), 'Rex', 'an SKU is before a name');
  assert.equal(first('gold'), 'Gold', 'an SKU is as it is written');
  for (const form of ['036000291452', '0036000291452', '00036000291452', ']E00036000291452']) {
    assert.equal(first(form), 'Lou', form);
  }
  assert.deepEqual(
    order('gold x').slice(0, 3),
    ['Golden hamster', 'Goldfish', 'Gold'],
    'others keep their order',
  );
});
