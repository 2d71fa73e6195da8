import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ListReader } from '../../src/store/sqlite/list-reader.ts';
import { databaseFile } from '../../src/store/sqlite/open.ts';
import { petRows } from '../support/pet-rows.ts';
import { assertList, ListStore } from './list-store.ts';

test('a page asked for while a long reading goes on waits for it, and disturbs it not', async (t) => {
  const lists = await ListStore.open(t);
  await lists.write(petRows(40_000));
  const reader = new ListReader(databaseFile(lists.database.url), () => undefined);
  const reading = reader.list(lists.head);
  assert.ok(reading instanceof Promise, 'the reading is long enough to go on in slices');
  const page = await reader.page(undefined, 2);
  assert.deepEqual(
    (JSON.parse(page.json.toString()) as { petId: number }[]).map(({ petId }) => petId),
    petRows(2).map(({ petId }) => Number(petId)),
  );
  assertList(await reading, lists.model);
  await reader.close();
});
