import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ListReader } from '../../src/store/sqlite/list-reader.ts';
import { databaseFile } from '../../src/store/sqlite/open.ts';
import { petRows } from '../support/pet-rows.ts';
import { assertList, ListStore } from './list-store.ts';
import { isSkippedDaily } from '../support/long-test.ts';

test('a page requested during a long read waits for it, and does not disturb it', async (t) => {
  if (isSkippedDaily(t)) return;
  const lists = await ListStore.open(t);
  await lists.write(petRows(40_000));
  const reader = new ListReader(databaseFile(lists.database.url), () => undefined);
  const reading = reader.list(lists.head);
  assert.ok(reading instanceof Promise, 'the read is long enough to be sliced');
  const page = await reader.page(undefined, 2);
  assert.deepEqual(
    (JSON.parse(page.json.toString()) as { petId: number }[]).map(({ petId }) => petId),
    petRows(2).map(({ petId }) => Number(petId)),
  );
  assertList(await reading, lists.model);
  await reader.close();
});
