import { MIN_INT64 } from '../../domain/inventory.ts';
import { PET_COLUMNS } from './pet-rows.ts';

/** Sorts after every word that begins with the text before it: words have letters and digits only. */
export const AFTER_ALL_WORDS = '\u{10FFFF}';

const JOINED = 'JOIN inventory ON inventory.pet_id = pets.pet_id';

/**
 * The words from `$2` `$3` on that come before `$1`, with their pets. Few words are read, however many there are: with a
 * cast of `$3` SQLite would enter its index by the word only, and read all pets of it up to the page.
 */
function wordsFrom(comparison: '>' | '>='): string {
  return `SELECT found.word, ${PET_COLUMNS} FROM (
  SELECT word, pet_id FROM pet_words
  WHERE (word, pet_id) ${comparison} ($2, $3) AND word < $1 ORDER BY word, pet_id LIMIT $4
) AS found JOIN pets ON pets.pet_id = found.pet_id ${JOINED} ORDER BY found.word, found.pet_id`;
}

/** The limit comes before the join: otherwise PostgreSQL joins the tables from their beginning, up to the page. */
function page(condition: string): string {
  return `SELECT ${PET_COLUMNS} FROM (
  SELECT * FROM pets WHERE pet_id >= CAST($1 AS bigint) ${condition} ORDER BY pet_id LIMIT $2
) AS pets ${JOINED} ORDER BY pets.pet_id`;
}

/** Reads pets, in SQL of both engines. */
export const READ_PETS = {
  find: `SELECT ${PET_COLUMNS} FROM pets ${JOINED} WHERE pets.pet_id = CAST($1 AS bigint)`,

  count: 'SELECT count(*) AS count FROM pets',

  page: page(''),
  archivedPage: page('AND archived_at IS NOT NULL'),

  wordsFrom: wordsFrom('>='),
  wordsAfter: wordsFrom('>'),

  /** Written so that PostgreSQL follows the index, instead of collecting all rows before it counts some. */
  countWords: `SELECT count(*) AS count FROM (
  SELECT word FROM pet_words WHERE (word, pet_id) >= ($1, '${MIN_INT64}') AND word < $2 ORDER BY word, pet_id LIMIT $3
) AS counted`,
} as const;
