import { MIN_INT64 } from '@petstore-inventory/shared/pet-id';
import { type CodeKey, codesOf, keyText } from '../../domain/management/pet-codes.ts';
import { petWords } from '../../domain/management/pet-words.ts';
import { type RowReader, rowStatement } from '../sql-client.ts';
import { toBarcodes } from './pet-sql.ts';

const ROWS_PER_PAGE = 2_000;

const TEXTS = rowStatement(
  'verifyTexts',
  `SELECT CAST(pet_id AS text), name, category, sku, barcodes FROM pets WHERE pet_id > CAST($1 AS bigint) ORDER BY pets.pet_id LIMIT ${ROWS_PER_PAGE}`,
);
const LEAST_TEXTS = rowStatement(
  'verifyLeastTexts',
  `SELECT CAST(pet_id AS text), name, category, sku, barcodes FROM pets WHERE pet_id = ${MIN_INT64}`,
);
type TextsRow = readonly [
  petId: string,
  name: string | null,
  category: string | null,
  sku: string | null,
  barcodes: string | null,
];

/** Without a cast, for the reason at `READ_PETS`. */
const WORDS = rowStatement(
  'verifyWords',
  `SELECT CAST(found.pet_id AS text), name, category, found.word FROM (
  SELECT word, pet_id FROM pet_words WHERE (word, pet_id) > ($1, $2) ORDER BY word, pet_id LIMIT ${ROWS_PER_PAGE}
) AS found LEFT JOIN pets ON pets.pet_id = found.pet_id ORDER BY found.word, found.pet_id`,
);
type WordsRow = readonly [petId: string, name: string | null, category: string | null, word: string];

const CODES = rowStatement(
  'verifyCodes',
  `SELECT CAST(found.pet_id AS text), sku, barcodes, found.kind, found.code FROM (
  SELECT kind, code, pet_id FROM pet_codes WHERE (kind, code) > ($1, $2) ORDER BY kind, code LIMIT ${ROWS_PER_PAGE}
) AS found LEFT JOIN pets ON pets.pet_id = found.pet_id ORDER BY found.kind, found.code`,
);
type CodesRow = readonly [
  petId: string,
  sku: string | null,
  barcodes: string | null,
  kind: CodeKey['kind'],
  code: string,
];

/**
 * Compares the indexes of words and of codes with all pets. Returns the numbers of missing words and codes, and at most
 * `most` wrong ones of each. The caller's transaction must see one moment. All tables are read in the order of their keys,
 * because no index leads from a pet to its words: if as many words are right as the pets have, none is missing.
 */
export async function findSearchFaults(reader: RowReader, most: number): Promise<string[]> {
  const words = await findWrong<WordsRow>(
    rowsOf(reader, WORDS, ['', MIN_INT64], ([petId, , , word]) => [word, petId]),
    most,
    ([petId, name, category, word]) =>
      petWords({ name, category }).includes(word)
        ? undefined
        : `Search finds pet ${petId} by ${JSON.stringify(word)}, which is not in its name or category.`,
  );
  const codes = await findWrong<CodesRow>(
    rowsOf(reader, CODES, ['', ''], ([, , , kind, code]) => [kind, code]),
    most,
    ([petId, sku, barcodes, kind, code]) =>
      codesOf({ sku, barcodes: toBarcodes(barcodes) }).some((own) => keyText(own) === keyText({ kind, code }))
        ? undefined
        : `The index of codes gives the ${kind} ${JSON.stringify(code)} to pet ${petId}, which does not have it.`,
  );
  const expected = await countExpected(reader);
  const missing = { words: expected.words - words.rightCount, codes: expected.codes - codes.rightCount };
  return [
    ...(missing.words > 0
      ? [`Search does not find pets by ${missing.words} words of their names and categories.`]
      : []),
    ...words.faults,
    ...(missing.codes > 0 ? [`The index of codes lacks ${missing.codes} codes of pets.`] : []),
    ...codes.faults,
  ];
}

/** @param faultOf The fault of a row; `undefined` if it is right. */
async function findWrong<Row>(
  rows: AsyncGenerator<Row>,
  most: number,
  faultOf: (row: Row) => string | undefined,
): Promise<{ readonly rightCount: number; readonly faults: readonly string[] }> {
  const faults: string[] = [];
  let rightCount = 0;
  for await (const row of rows) {
    const fault = faultOf(row);
    if (fault === undefined) rightCount += 1;
    else if (faults.length < most) faults.push(fault);
  }
  return { rightCount, faults };
}

/** How many words and codes the indexes must have. */
async function countExpected(reader: RowReader): Promise<{ readonly words: number; readonly codes: number }> {
  let [words, codes] = [0, 0];
  const count = ([, name, category, sku, barcodes]: TextsRow) => {
    words += petWords({ name, category }).length;
    if (sku !== null || barcodes !== null) codes += codesOf({ sku, barcodes: toBarcodes(barcodes) }).length;
  };
  for (const row of await reader.read<TextsRow>(LEAST_TEXTS, [])) count(row);
  for await (const row of rowsOf<TextsRow>(reader, TEXTS, [MIN_INT64], ([petId]) => [petId])) count(row);
  return { words, codes };
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
