import type pg from 'pg';
import { wordChanges } from '../../../domain/management/pet-words.ts';
import { type ChangedTexts, IMPORT_WORDS, textsBefore } from '../../pets/import-words.ts';

const ROWS_PER_STATEMENT = 10_000;
const PET_ID = 'incoming.pet_id::text';

type ChangedTextsRow = ChangedTexts & pg.QueryResultRow;

/** Keeps the search index during an import, within its transaction; see `IMPORT_WORDS`. */
export class ImportedWords {
  readonly #client: pg.Client;

  constructor(client: pg.Client) {
    this.#client = client;
  }

  /** Splits the texts of the rows of `incoming`. It needs no lock. */
  async prepare(): Promise<void> {
    for (const [name, columns] of Object.entries(IMPORT_WORDS.tables('COLLATE "C"'))) {
      await this.#client.query(`CREATE TEMPORARY TABLE ${name} ${columns} ON COMMIT DROP`);
    }
    await this.#client.query(IMPORT_WORDS.noteTexts);
    // The planner has no statistics of a new table.
    await this.#client.query('ANALYZE texts');
    await this.#split(IMPORT_WORDS.changedTexts(PET_ID));
    await this.#client.query('ANALYZE added_words, removed_words');
  }

  /** Under the lock of the ledger, before the pets change. */
  async apply(): Promise<void> {
    await this.#client.query(
      `DECLARE changed_since NO SCROLL CURSOR FOR ${IMPORT_WORDS.changedSince(PET_ID)}`,
    );
    for (;;) {
      const later = await this.#next('changed_since');
      if (later.length === 0) break;
      const petIds = [later.map(({ petId }) => petId)];
      await this.#client.query('DELETE FROM added_words WHERE pet_id = ANY ($1::bigint[])', petIds);
      await this.#client.query('DELETE FROM removed_words WHERE pet_id = ANY ($1::bigint[])', petIds);
      await this.#add(later);
    }
    await this.#client.query(`DELETE FROM pet_words USING removed_words AS removed
WHERE pet_words.word = removed.word AND pet_words.pet_id = removed.pet_id`);
    await this.#client.query(IMPORT_WORDS.addWords);
  }

  async #split(sql: string): Promise<void> {
    await this.#client.query(`DECLARE changed_texts NO SCROLL CURSOR FOR ${sql}`);
    for (;;) {
      const rows = await this.#next('changed_texts');
      if (rows.length === 0) return;
      await this.#add(rows);
    }
  }

  async #next(cursor: string): Promise<readonly ChangedTexts[]> {
    return (await this.#client.query<ChangedTextsRow>(`FETCH ${ROWS_PER_STATEMENT} FROM ${cursor}`)).rows;
  }

  async #add(rows: readonly ChangedTexts[]): Promise<void> {
    const tables = {
      added_words: { words: [] as string[], petIds: [] as unknown[] },
      removed_words: { words: [] as string[], petIds: [] as unknown[] },
    };
    for (const row of rows) {
      const { added, removed } = wordChanges(textsBefore(row), row);
      for (const [table, words] of [
        [tables.added_words, added],
        [tables.removed_words, removed],
      ] as const) {
        table.words.push(...words);
        table.petIds.push(...words.map(() => row.petId));
      }
    }
    for (const [name, { words, petIds }] of Object.entries(tables)) {
      if (words.length === 0) continue;
      const values = [words, petIds];
      await this.#client.query(`INSERT INTO ${name} SELECT * FROM unnest($1::text[], $2::bigint[])`, values);
    }
  }
}
