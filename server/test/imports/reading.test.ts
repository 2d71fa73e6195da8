import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeFacts, type Reading } from '@petstore-inventory/shared/pet-file/reading';
import { stockCsv } from '../../../web/src/pages/stock/output/stock-csv.ts';
import type { StockRow } from '../../../web/src/stock/stock-row.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { petRow } from '../support/command-line.ts';
import { ImportShop } from './import-shop.ts';

test('an import reads a file as its request says, and as its numbers prove', async (t) => {
  const shop = await ImportShop.open(t);
  const result = async (content: string | Uint8Array, reading?: Reading) => {
    const { id, state, faults } = await shop.planned(content, 'csv', 'set', reading);
    const rows = await shop.rows(id);
    await shop.store.imports.delete(id, { actor: 'key_staff', requestId: null });
    return [state, faults.map(({ line, code }) => [line, code]), rows.map(({ after }) => after?.quantity)];
  };
  const question = 'id;menge\n1;1.200\n2;3\n';
  assert.deepEqual(await result(question), ['invalid', [[2, 'ambiguous_number']], [3]]);
  assert.deepEqual(await result(question, { decimal: 'comma' }), ['planned', [], [1200, 3]]);
  assert.deepEqual(await result(question, { decimal: 'point' }), ['invalid', [[2, 'invalid_quantity']], [3]]);
  const proof = `${question}3;4,0\n`;
  assert.deepEqual(await result(proof), ['planned', [], [1200, 3, 4]]);
  const prices = 'Liste;;\nid;menge;EK-Preis\n1;1.200;0,99\n';
  assert.deepEqual(await result(prices), ['invalid', [[2, 'unknown_column']], []]);
  assert.deepEqual(await result(prices, { ignored: ['EK-Preis'] }), ['planned', [], [1200]]);
  const dos = Buffer.from('id;menge;name\n1;2;M\x84use\n', 'latin1');
  assert.deepEqual(await result(dos), ['invalid', [[2, 'uncertain_encoding']], []]);
  assert.deepEqual(await result(dos, { encoding: 'windows-1252' }), ['planned', [], [2]]);
});

test('the own file of the stock page is imported unchanged, and no other file loses columns', async (t) => {
  const shop = await ImportShop.open(t);
  const { store } = shop;
  await store.importPets([petRow(1, { name: 'Rex', quantity: 5 })], 'cli');
  const pet = await store.pets.find(1n);
  const row: StockRow = {
    ...{ ...pet, petId: '1', alertLevel: 'low', reserved: 2, searched: '', flashedAtMs: 0 },
    sku: '=S',
    barcodes: ['4006381333931', 'x y'],
  };
  await store.pets.update(1n, { sku: row.sku, barcodes: row.barcodes }, CLI_AUTHOR);
  const file = stockCsv([row]);
  const { id, state, counts, facts } = await shop.planned(file, 'csv');
  assert.deepEqual([state, counts], ['planned', { new: 0, changed: 0, unchanged: 1 }]);
  assert.deepEqual(facts?.leftOut, ['reserved', 'available', 'alert', 'updatedAt']);
  assert.ok(facts);
  assert.equal(
    describeFacts(facts),
    'Left out reserved, available, alert, updatedAt, which an import does not change.',
  );
  await store.imports.delete(id, CLI_AUTHOR);
  const other = await shop.planned('id,menge,available\n1,2,3\n', 'csv');
  assert.deepEqual(
    [other.state, other.faults.map(({ code, values }) => [code, values['columns']])],
    ['invalid', [['unknown_column', '"available"']]],
  );
});
