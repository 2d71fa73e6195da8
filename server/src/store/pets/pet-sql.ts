import { PET_COLUMNS } from './pet-rows.ts';

/** Sorts after every word that begins with the text before it: words have letters and digits only. */
export const AFTER_ALL_WORDS = '\u{10FFFF}';

const JOINED = 'JOIN inventory ON inventory.pet_id = pets.pet_id';

/** The words from `$2` `$3` on that come before `$1`, with their pets. Few words are read, however many there are. */
function wordsFrom(comparison: '>' | '>='): string {
  return `SELECT found.word, ${PET_COLUMNS} FROM (
  SELECT word, pet_id FROM pet_words
  WHERE (word, pet_id) ${comparison} ($2, CAST($3 AS bigint)) AND word < $1 ORDER BY word, pet_id LIMIT $4
) AS found JOIN pets ON pets.pet_id = found.pet_id ${JOINED} ORDER BY found.word, found.pet_id`;
}

/** Reads pets, in SQL of both engines. */
export const READ_PETS = {
  find: `SELECT ${PET_COLUMNS} FROM pets ${JOINED} WHERE pets.pet_id = CAST($1 AS bigint)`,

  count: 'SELECT count(*) AS count FROM pets',

  page: `SELECT ${PET_COLUMNS} FROM pets ${JOINED} WHERE pets.pet_id >= CAST($1 AS bigint) ORDER BY pets.pet_id LIMIT $2`,

  archivedPage: `SELECT ${PET_COLUMNS} FROM pets ${JOINED}
WHERE pets.pet_id >= CAST($1 AS bigint) AND archived_at IS NOT NULL ORDER BY pets.pet_id LIMIT $2`,

  wordsFrom: wordsFrom('>='),
  wordsAfter: wordsFrom('>'),

  countWords:
    'SELECT count(*) AS count FROM (SELECT 1 FROM pet_words WHERE word >= $1 AND word < $2 LIMIT $3) AS counted',
} as const;
