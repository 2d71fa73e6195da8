import { MIN_INT64 } from '@petstore-inventory/shared/pet-id';
import { type PetTexts, petWords } from '../../domain/management/pet-words.ts';
import { type RowReader, rowStatement } from '../sql-client.ts';

const ROWS_PER_PAGE = 2_000;

const TEXTS = rowStatement(
  'verifyTexts',
  `SELECT CAST(pet_id AS text), name, category FROM pets WHERE pet_id > CAST($1 AS bigint) ORDER BY pets.pet_id LIMIT ${ROWS_PER_PAGE}`,
);
const LEAST_TEXTS = rowStatement(
  'verifyLeastTexts',
  `SELECT CAST(pet_id AS text), name, category FROM pets WHERE pet_id = ${MIN_INT64}`,
);
type TextsRow = readonly [petId: string, name: string | null, category: string | null];

/** Without a cast, for the reason at `READ_PETS`. */
const WORDS = rowStatement(
  'verifyWords',
  `SELECT CAST(found.pet_id AS text), name, category, found.word FROM (
  SELECT word, pet_id FROM pet_words WHERE (word, pet_id) > ($1, $2) ORDER BY word, pet_id LIMIT ${ROWS_PER_PAGE}
) AS found LEFT JOIN pets ON pets.pet_id = found.pet_id ORDER BY found.word, found.pet_id`,
);
type WordsRow = readonly [...TextsRow, word: string];

/**
 * Compares the search index with the names and categories of all pets. Returns the number of missing words, and at most
 * `most` wrong ones. The caller's transaction must see one moment. Both tables are read in the order of their keys,
 * because no index leads from a pet to its words: if as many words are right as the pets have, none is missing.
 */
export async function findWordFaults(reader: RowReader, most: number): Promise<string[]> {
  const faults: string[] = [];
  let rightCount = 0;
  for await (const [petId, name, category, word] of rowsOf<WordsRow>(
    reader,
    WORDS,
    ['', MIN_INT64],
    wordKey,
  )) {
    if (petWords({ name, category }).includes(word)) rightCount += 1;
    else if (faults.length < most) {
      faults.push(
        `Search finds pet ${petId} by ${JSON.stringify(word)}, which is not in its name or category.`,
      );
    }
  }
  const missing = (await countWords(reader)) - rightCount;
  if (missing > 0)
    faults.unshift(`Search does not find pets by ${missing} words of their names and categories.`);
  return faults;
}

const wordKey = ([petId, , , word]: WordsRow) => [word, petId];

/** How many words the index must have. */
async function countWords(reader: RowReader): Promise<number> {
  const wordsOf = ([, name, category]: TextsRow) => petWords({ name, category } satisfies PetTexts).length;
  let count = 0;
  for (const row of await reader.read<TextsRow>(LEAST_TEXTS, [])) count += wordsOf(row);
  for await (const row of rowsOf<TextsRow>(reader, TEXTS, [MIN_INT64], ([petId]) => [petId]))
    count += wordsOf(row);
  return count;
}

/** All rows after a key, in the order of keys. */
async function* rowsOf<Row extends readonly unknown[]>(
  reader: RowReader,
  statement: typeof WORDS,
  first: readonly (string | bigint)[],
  keyOf: (row: Row) => readonly string[],
): AsyncGenerator<Row> {
  for (let after = first.map(String); ;) {
    const rows = await reader.read<Row>(statement, after);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < ROWS_PER_PAGE) return;
    after = [...keyOf(last)];
  }
}
