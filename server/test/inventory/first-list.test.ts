import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/harness.ts';
import { listJson, petRow, petRows } from '../support/pet-rows.ts';
import { update } from '../support/stock-requests.ts';

/** Several chunks of the list. */
const PETS = 2_000;

test('a change that is acknowledged while the first list is read is in the next list', async (t) => {
  const app = await startApp(t, { pets: petRows(PETS) });
  const rebuilt = async () => {
    const { text } = await app.request('GET', '/metrics', { key: null });
    return Number(/^petstore_list_chunks_rebuilt_total (\d+)$/m.exec(text)?.[1]);
  };
  const first = app.store.listInventory();
  await update(app, 7, { quantity: 4_321 });
  const list = await app.request('GET', '/v1/inventory');
  assert.equal(list.text, listJson([...petRows(6), petRow(7n, 4_321), ...petRows(PETS).slice(7)]));
  assert.equal((await first).itemCount, PETS);
  assert.equal(await rebuilt(), 9, 'the change cost one chunk, not another reading of the whole list');
});
