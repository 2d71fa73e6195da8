import type { PetTexts } from '../../domain/management/pet-words.ts';

/** A pet of a file with its texts before and after the import. */
export interface ChangedTexts extends PetTexts {
  /** A petId in digits, or as a bigint. */
  readonly petId: string | bigint;
  readonly nameBefore: string | null;
  readonly categoryBefore: string | null;
}

const NAME = 'coalesce(incoming.name, pets.name)';
const CATEGORY = 'coalesce(incoming.category, pets.category)';

/** The texts of pets that the file changes. */
function changedTexts(petId: string, rows: string): string {
  return `SELECT ${petId} AS "petId", pets.name AS "nameBefore", pets.category AS "categoryBefore",
${NAME} AS name, ${CATEGORY} AS category
FROM ${rows} LEFT JOIN pets ON pets.pet_id = incoming.pet_id
WHERE pets.name IS DISTINCT FROM ${NAME} OR pets.category IS DISTINCT FROM ${CATEGORY}`;
}

const CHANGED_SINCE = 'SELECT pet_id FROM movements WHERE sequence > $1';

/**
 * How an import keeps the search index, in SQL of both engines. Only code can split a text into words. That takes long,
 * so it comes before the lock of the ledger. Every change of a text is a movement: under the lock only pets with a
 * movement after `$1`, the newest before the split, are split again.
 */
export const IMPORT_WORDS = {
  /** The temporary tables. */
  tables: ['added_words', 'removed_words'],
  /** Their columns. @param bytewise What follows a column of texts to sort them by their bytes. */
  columns: (bytewise: string) => `(word text ${bytewise} NOT NULL, pet_id bigint NOT NULL)`,

  newest: 'SELECT coalesce(max(sequence), 0) AS sequence FROM movements',

  changedTexts: (petId: string) => changedTexts(petId, 'incoming'),

  forget: (table: string) => `DELETE FROM ${table} WHERE pet_id IN (${CHANGED_SINCE})`,
  changedSince: (petId: string) =>
    changedTexts(petId, `(SELECT * FROM incoming WHERE pet_id IN (${CHANGED_SINCE})) AS incoming`),

  addWords: 'INSERT INTO pet_words (word, pet_id) SELECT word, pet_id FROM added_words ORDER BY word, pet_id',
} as const;

/** The texts of a pet before the import. */
export function textsBefore({ nameBefore, categoryBefore }: ChangedTexts): PetTexts {
  return { name: nameBefore, category: categoryBefore };
}
