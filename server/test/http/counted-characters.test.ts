import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminShop } from '../support/admin-shop.ts';
import { petRow } from '../support/pet-rows.ts';

/** One character of two UTF-16 code units. */
const CHARACTER = '\u{1f600}';

type Request = readonly [method: string, target: string, body?: object];

/** Requests with a text, and the most characters that the documents give it. */
const FIELDS: readonly [name: string, most: number, request: (text: string, accountId: string) => Request][] =
  [
    ['an account', 100, (name) => ['POST', '/accounts', { name, plan: 'pro' }]],
    ['a key', 100, (name, accountId) => ['POST', '/keys', { accountId, name }]],
    ['a management key', 100, (name) => ['POST', '/admin-keys', { role: 'viewer', name }]],
    ['a stock-take', 100, (name) => ['POST', '/stocktakes', { name }]],
    ['words of a stock-take', 200, (q) => ['POST', '/stocktakes', { name: 'words', scope: { q } }]],
    ['a saved view', 60, (name) => ['PUT', '/saved-views', { views: [viewOf(name)] }]],
    [
      'a mapping',
      60,
      (name) => ['PUT', `/import-mappings/${encodeURIComponent(name)}`, mappingOf(name, 'id', 'a')],
    ],
    ['a heading', 200, (heading) => ['PUT', '/import-mappings/heading', mappingOf('heading', heading, 'a')]],
    ['a sheet', 100, (sheet) => ['PUT', '/import-mappings/sheet', mappingOf('sheet', 'id', sheet)]],
    ['a pet', 200, (name) => ['PATCH', '/pets/1', { name, category: name }]],
    ['an SKU', 64, (sku) => ['PATCH', '/pets/1', { sku }]],
    ['a supplier', 100, (supplier) => ['PATCH', '/reorders/1', { supplier }]],
    ['a note', 1_000, (note) => ['POST', '/inventory/1/adjustments', { delta: 1, reason: 'other', note }]],
    [
      'a webhook endpoint',
      200,
      (description, accountId) => ['POST', '/webhook-endpoints', endpointOf(accountId, description)],
    ],
    ['a search', 200, (q) => ['GET', `/pets?q=${encodeURIComponent(q)}`]],
    [
      'a search of a bulk change',
      200,
      (q) => ['POST', '/bulk-changes', { filter: { q }, set: { category: 'Cats' } }],
    ],
    ['a category', 200, (category) => ['GET', `/pets?category=${encodeURIComponent(category)}`]],
    ['an action', 200, (action) => ['GET', `/activity?action=${encodeURIComponent(action)}`]],
    ['a file', 200, (fileName) => ['POST', `/imports?fileName=${encodeURIComponent(fileName)}`, []]],
  ];

const viewOf = (name: string) => ({ name, list: 'stock', query: '', density: null, isDefault: false });

const mappingOf = (name: string, heading: string, sheet: string) => ({
  name,
  sheet,
  columns: [{ heading, field: 'petId' }],
  decimal: null,
  encoding: null,
});

const endpointOf = (accountId: string, description: string) => ({
  accountId,
  url: 'https://shop.example/hooks',
  description,
});

test('texts are limited by their characters, as the documents and the errors count them', async (t) => {
  const { app, send } = await adminShop(t, 'administrator', { pets: [petRow(1n)], nowMs: 'now' });
  for (const [name, most, request] of FIELDS) {
    const result = async (characters: number) => {
      const text = CHARACTER.repeat(characters);
      const [method, target, body] = request(text, app.principal.account.id);
      const { status, text: error } = await send(method, `/admin/v1${target}`, body);
      return status < 300 ? 'accepted' : error;
    };
    assert.equal(await result(most), 'accepted', name);
    assert.match(await result(most + 1), /"status":400/, name);
  }
});
