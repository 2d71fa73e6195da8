import type { TestContext } from 'node:test';
import { PostgresStore } from '../../src/store/postgres/store.ts';
import { newAdminStore } from '../support/command-line.ts';
import { petRows } from '../support/pet-rows.ts';
import { startHoldingProxy } from './faults/holding-proxy.ts';
import { NOW_MS } from './support/shared-stores.ts';

/** A store whose answers can be held back, and an operator whose are not. */
export async function startHeldStore(t: TestContext) {
  const { store: admin, database } = await newAdminStore(t);
  await admin.importPets(petRows(5), 'cli', NOW_MS);
  const answers = await startHoldingProxy(t, database.url);
  const store = await PostgresStore.open({
    url: answers.url(database.url),
    environment: 'production',
    rules: { statusPolicy: 'unchanged', maxQuantity: Number.MAX_SAFE_INTEGER, orderHoldMs: null },
    onCommit: () => {},
    onListRebuild: () => {},
    onError: () => {},
  });
  t.after(() => store.close());
  return { admin, database, answers, store };
}
