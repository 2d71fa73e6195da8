import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { MAX_QUANTITY } from '@petstore-inventory/shared/limits';
import type { ManagementStore } from '../../src/domain/admin-store.ts';
import type { PetStore } from '../../src/domain/management/pet-store.ts';
import { petWords } from '../../src/domain/management/pet-words.ts';
import type { PetQuery } from '../../src/domain/management/pets.ts';
import { ManagementThread } from '../../src/management/management-thread.ts';
import type { TestDatabase, Value } from '../support/test-database.ts';

/** Checks that the index has the words of all pets, and no others. */
export async function assertIndexed(database: TestDatabase): Promise<void> {
  const pets = await database.rows('SELECT pet_id, name, category FROM pets');
  const expected = pets.flatMap(([petId, name, category]) =>
    petWords({ name: name as string | null, category: category as string | null }).map((word): Value[] => [
      word,
      petId as Value,
    ]),
  );
  const texts = (rows: readonly Value[][]) => rows.map((row) => row.join(' ')).toSorted();
  assert.deepEqual(texts(await database.rows('SELECT word, pet_id FROM pet_words')), texts(expected));
}

/** The petIds of all pages of a query. */
export async function allPets(
  pets: Pick<PetStore, 'list'>,
  query: Omit<PetQuery, 'limit' | 'after'> & { readonly limit?: number },
): Promise<bigint[]> {
  const { limit = 100 } = query;
  const petIds: bigint[] = [];
  let page = await pets.list({ ...query, limit });
  for (;;) {
    assert.ok(page.pets.length <= limit);
    petIds.push(...page.pets.map(({ petId }) => petId));
    if (!page.next) return petIds;
    const after = page.next;
    page = await pets.list({ ...query, limit, after });
    assert.notDeepEqual(page.next, after, 'each page goes on');
  }
}

/** The commands in another thread, which writes while this one does. */
export function otherThread(t: TestContext, { url }: TestDatabase): ManagementStore {
  const rules = { statusPolicy: 'unchanged', maxQuantity: MAX_QUANTITY, orderHoldMs: null } as const;
  const thread = new ManagementThread({ url, rules, pepper: new Uint8Array(32) });
  t.after(() => thread.close());
  return thread.store;
}
