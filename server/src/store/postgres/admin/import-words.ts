import type pg from 'pg';
import { wordChanges } from '../../../domain/management/pet-words.ts';
import { type ChangedTexts, IMPORT_WORDS, textsBefore } from '../../pets/import-words.ts';
import { readCursor } from './read-cursor.ts';

const PET_ID = 'incoming.pet_id::text';

type PostgresTexts = ChangedTexts & { readonly petId: string };

/** Keeps the search index during an import, within its transaction; see `IMPORT_WORDS`. */
export class ImportedWords {
  readonly #client: pg.Client;
  #newest = 0;

  constructor(client: pg.Client) {
    this.#client = client;
  }

  /** Splits the texts of the rows of `incoming`. It needs no lock. */
  async prepare(): Promise<void> {
    for (const table of IMPORT_WORDS.tables) {
      const columns = IMPORT_WORDS.columns('COLLATE "C"');
      await this.#client.query(`CREATE TEMPORARY TABLE ${table} ${columns} ON COMMIT DROP`);
    }
    const { rows } = await this.#client.query<{ sequence: number }>(IMPORT_WORDS.newest);
    this.#newest = rows[0]?.sequence ?? 0;
    await this.#split({ sql: IMPORT_WORDS.changedTexts(PET_ID) });
    // The planner has no statistics of a new table.
    await this.#client.query('ANALYZE removed_words');
  }

  /** Under the lock of the ledger, before the import makes movements. */
  async apply(): Promise<void> {
    const values = [this.#newest];
    for (const table of IMPORT_WORDS.tables) await this.#client.query(IMPORT_WORDS.forget(table), values);
    await this.#split({ sql: IMPORT_WORDS.changedSince(PET_ID), values });
    await this.#client.query(`DELETE FROM pet_words USING removed_words AS removed
WHERE pet_words.word = removed.word AND pet_words.pet_id = removed.pet_id`);
    await this.#client.query(IMPORT_WORDS.addWords);
  }

  #split(texts: { readonly sql: string; readonly values?: readonly unknown[] }): Promise<void> {
    return readCursor<PostgresTexts>(this.#client, texts, (rows) => this.#write(rows));
  }

  async #write(rows: readonly PostgresTexts[]): Promise<void> {
    const [adding, removing] = [new WordRows(), new WordRows()];
    for (const row of rows) {
      const { added, removed } = wordChanges(textsBefore(row), row);
      adding.add(added, row.petId);
      removing.add(removed, row.petId);
    }
    const [addedWords, removedWords] = IMPORT_WORDS.tables;
    await Promise.all([
      adding.insertInto(addedWords, this.#client),
      removing.insertInto(removedWords, this.#client),
    ]);
  }
}

/** Rows as two arrays in PostgreSQL's own syntax: words have letters and digits only, so nothing in it needs an escape. */
class WordRows {
  readonly #words: string[] = [];
  readonly #petIds: string[] = [];

  add(words: readonly string[], petId: string): void {
    for (const word of words) {
      this.#words.push(word);
      this.#petIds.push(petId);
    }
  }

  async insertInto(table: string, client: pg.Client): Promise<void> {
    if (this.#words.length === 0) return;
    await client.query(`INSERT INTO ${table} SELECT * FROM unnest($1::text[], $2::bigint[])`, [
      `{"${this.#words.join('","')}"}`,
      `{${this.#petIds.join()}}`,
    ]);
  }
}
