import type { PetTexts } from '../../domain/management/pet-words.ts';

/** A pet of a file whose name or category changes. */
export interface ChangedTexts extends PetTexts {
  /** A petId in digits, or as a bigint. */
  readonly petId: string | bigint;
  readonly nameBefore: string | null;
  readonly categoryBefore: string | null;
}

const NAME = 'coalesce(incoming.name, pets.name)';
const CATEGORY = 'coalesce(incoming.category, pets.category)';
const ARE_OTHERS = `pets.name IS DISTINCT FROM ${NAME} OR pets.category IS DISTINCT FROM ${CATEGORY}`;

/**
 * How an import keeps the search index, in SQL of both engines. Only code can split a text into words. That takes as long
 * as everything else, so it comes before the lock of the ledger: `texts` has the texts that it found, and under the lock
 * only pets whose texts are other ones by then are split again.
 */
export const IMPORT_WORDS = {
  /** The columns of the temporary tables. @param bytewise What follows a column of texts to sort them by their bytes. */
  tables: (bytewise: string) => ({
    texts: '(pet_id bigint PRIMARY KEY, name text, category text)',
    added_words: `(word text ${bytewise} NOT NULL, pet_id bigint NOT NULL)`,
    removed_words: `(word text ${bytewise} NOT NULL, pet_id bigint NOT NULL)`,
  }),

  noteTexts: `INSERT INTO texts SELECT incoming.pet_id, pets.name, pets.category
FROM incoming LEFT JOIN pets ON pets.pet_id = incoming.pet_id WHERE ${ARE_OTHERS} ORDER BY incoming.pet_id`,

  changedTexts: (
    petId: string,
  ) => `SELECT ${petId} AS "petId", texts.name AS "nameBefore", texts.category AS "categoryBefore",
coalesce(incoming.name, texts.name) AS name, coalesce(incoming.category, texts.category) AS category
FROM texts JOIN incoming ON incoming.pet_id = texts.pet_id ORDER BY texts.pet_id`,

  /** Under the lock: those for which the words are wrong or missing. */
  changedSince: (
    petId: string,
  ) => `SELECT ${petId} AS "petId", pets.name AS "nameBefore", pets.category AS "categoryBefore",
${NAME} AS name, ${CATEGORY} AS category
FROM incoming LEFT JOIN pets ON pets.pet_id = incoming.pet_id LEFT JOIN texts ON texts.pet_id = incoming.pet_id
WHERE CASE WHEN texts.pet_id IS NULL THEN ${ARE_OTHERS}
ELSE texts.name IS DISTINCT FROM pets.name OR texts.category IS DISTINCT FROM pets.category END`,

  addWords: 'INSERT INTO pet_words (word, pet_id) SELECT word, pet_id FROM added_words ORDER BY word, pet_id',
} as const;

/** The texts of a pet before the import. */
export function textsBefore({ nameBefore, categoryBefore }: ChangedTexts): PetTexts {
  return { name: nameBefore, category: categoryBefore };
}
