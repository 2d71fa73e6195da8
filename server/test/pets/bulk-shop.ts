import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { BulkOutcome } from '@petstore-inventory/shared/words';
import { OperatorError } from '../../src/domain/errors.ts';
import type { ActionAuthor } from '../../src/domain/management/activity.ts';
import type {
  BulkChange,
  BulkFilter,
  BulkValues,
  PetSelection,
} from '../../src/domain/management/bulk-changes.ts';
import { newAdminStore, petRow } from '../support/command-line.ts';

export const AUTHOR: ActionAuthor = { actor: 'key_ada', requestId: 'req-1' };
export const OTHER: ActionAuthor = { actor: 'key_bob', requestId: null };
export const ALL: BulkFilter = { archived: 'exclude' };

/** A shop with pets of two categories; odd ones are dogs. */
export async function bulkShop(t: TestContext, count = 8) {
  const { store, database } = await newAdminStore(t);
  const rows = Array.from({ length: count }, (_, i) =>
    petRow(i + 1, { name: `Pet ${i + 1}`, category: i % 2 === 0 ? 'Dogs' : 'Cats', quantity: i % 4 }),
  );
  await store.importPets(rows, 'cli');
  const { pets, bulkChanges, bulkJobs } = store;
  const run = async () => {
    while (await bulkJobs.runNext());
  };
  const plan = async (selection: PetSelection, values: BulkValues, author = AUTHOR): Promise<BulkChange> => {
    const { id } = await bulkChanges.create(selection, values, author);
    await run();
    return bulkChanges.find(id);
  };
  const after = async (verb: 'apply' | 'undo', { id }: BulkChange, author = AUTHOR) => {
    await bulkChanges[verb](id, author);
    await run();
    return bulkChanges.find(id);
  };
  return {
    store,
    database,
    pets,
    bulkChanges,
    bulkJobs,
    run,
    plan,
    after,
    rowsOf: async ({ id }: BulkChange, outcome?: BulkOutcome) =>
      (await bulkChanges.rows(id, { outcome, limit: 1_000 })).map(({ petId, outcome: found, reason }) => [
        Number(petId),
        reason ?? found,
      ]),
    allPets: async () => (await pets.list({ archived: 'include', limit: 1_000 })).pets,
    assertIntact: async () => assert.deepEqual((await store.verify()).faults, []),
  };
}

export function counted({ state, counts }: BulkChange): unknown {
  return [state, Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))];
}

export async function assertRefused(work: Promise<unknown>, code: string, message: RegExp): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof OperatorError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  });
}
