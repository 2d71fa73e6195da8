import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLI_AUTHOR } from '../../server/src/domain/management/activity.ts';
import { startApp } from '../../server/test/support/harness.ts';
import { petRow } from '../../server/test/support/pet-rows.ts';
import type { Code } from '../src/index.ts';
import { clientOf, fetchOf } from './support/client-of.ts';

const LARGE = 9007199254740993n;

test('the catalog finds pets by their codes, lists all, and asks about what it has', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n, 5), petRow(LARGE, 6), petRow(LARGE + 1n, 7)] });
  await app.admin.pets.update(LARGE, { sku: 'A&b', barcodes: ['036000291452'] }, CLI_AUTHOR);
  const statuses: number[] = [];
  const send = fetchOf(app);
  const fetch: typeof globalThis.fetch = async (...args) => {
    const response = await send(...args);
    if (String(args[0]).includes('/catalog')) statuses.push(response.status);
    return response;
  };
  const { catalog } = clientOf(app, { fetch });
  const found = await catalog.find({ barcode: '0036000291452' });
  assert.deepEqual([found?.petId, found?.sku, found?.available], [LARGE, 'A&b', 6]);
  assert.deepEqual(await catalog.find({ barcode: '0036000291452' }), found);
  assert.deepEqual(statuses, [200, 304], 'an unchanged pet is not sent again');
  await app.admin.pets.update(LARGE, { barcodes: [] }, CLI_AUTHOR);
  assert.equal(await catalog.find({ barcode: '0036000291452' }), undefined);
  assert.equal((await catalog.find({ sku: 'A&b' }))?.petId, LARGE);
  assert.equal(await catalog.find({ sku: 'none' }), undefined);
  await assert.rejects(catalog.find({ barcode: '036000291453' }), { code: 'invalid_parameter' });
  for (const code of [{}, { sku: undefined }, { sku: null, barcode: null }, { barcode: '' }]) {
    await assert.rejects(catalog.find(code as Code), { code: 'invalid_argument' }, 'no code is no pet');
  }
  const all: bigint[] = [];
  for await (const { petId } of catalog.list({ limit: 1 })) all.push(petId);
  assert.deepEqual(all, [1n, LARGE, LARGE + 1n]);
  assert.deepEqual(await catalog.list({ alertLevel: ['low', 'out'] }), []);
});
