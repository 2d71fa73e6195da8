import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ListReader } from '../../src/store/sqlite/list-reader.ts';
import { databaseFile } from '../../src/store/sqlite/open.ts';
import { petRow, petRows } from '../support/pet-rows.ts';
import { assertList, ListStore } from './list-store.ts';

test('a page requested during a reading in steps waits for it, and leaves it at one moment', async (t) => {
  const lists = await ListStore.open(t);
  await lists.write(petRows(1_000));
  const reader = new ListReader(databaseFile(lists.database.url), () => undefined);
  const { head, model } = lists;
  const reading = reader.list(head);
  assert.ok(reading instanceof Promise, 'a whole list is read in steps');
  const [page] = await Promise.all([reader.page(undefined, 2), lists.write([petRow(1_000n, 77)])]);
  assert.deepEqual(
    (JSON.parse(page.json.toString()) as { petId: number }[]).map(({ petId }) => petId),
    petRows(2).map(({ petId }) => Number(petId)),
  );
  assertList(await reading, model);
  assertList(await reader.list(lists.head), lists.model);
  await reader.close();
});
