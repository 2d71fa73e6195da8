import assert from 'node:assert/strict';
import { petWords } from '../../src/domain/management/pet-words.ts';
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
