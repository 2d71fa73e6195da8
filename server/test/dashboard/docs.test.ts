import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findInDocs, openDocs, tryOperation } from './support/docs-page.ts';
import { openShop } from './support/shop.ts';

const LARGE = 9_007_199_254_740_993n;

test('the documentation finds guides, errors and operations, and sends a request with a key', async (t) => {
  const shop = await openShop(t, { isSample: false, pets: [{ petId: LARGE, quantity: 4 }] });
  const forPrograms = await fetch(`${shop.url}/llms.txt`);
  assert.deepEqual(
    [forPrograms.status, forPrograms.headers.get('Content-Type')],
    [200, 'text/plain; charset=utf-8'],
  );
  const collection = await fetch(`${shop.url}/petstore.postman_collection.json`);
  assert.equal(collection.headers.get('Content-Type'), 'application/json', 'the quick start links to it');
  const page = await openDocs(t, shop);
  await findInDocs(page, 'adjustInventory');
  await findInDocs(page, 'rate_limit_exceeded');
  await page.keyboard.press('Escape');
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/v1/inventory');
  await tryOperation(page, 'listInventory', shop.service.key);
  const response = await answered;
  assert.equal(new URL(response.url()).search, '', 'no optional parameter is sent');
  assert.equal(response.status(), 200, await response.text());
  await page.getByText(String(LARGE)).first().waitFor();
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  assert.ok(!kept.includes(shop.service.key), 'the key is not stored');
});
