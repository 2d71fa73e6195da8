import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reading } from '@petstore-inventory/shared/pet-file/reading';
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
