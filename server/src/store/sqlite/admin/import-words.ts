import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { wordChanges } from '../../../domain/management/pet-words.ts';
import { type ChangedTexts, IMPORT_WORDS, textsBefore } from '../../pets/import-words.ts';

const TABLES = Object.entries(IMPORT_WORDS.tables(''));

/** Keeps the search index during an import; see `IMPORT_WORDS`. */
export class ImportedWords {
  readonly #database: DatabaseSync;

  /** Makes the temporary tables. */
  constructor(database: DatabaseSync) {
    this.#database = database;
    this.drop();
    for (const [name, columns] of TABLES) database.exec(`CREATE TEMP TABLE ${name} ${columns}`);
  }

  /** Splits the texts of the rows of `incoming`. It needs no lock. */
  prepare(): void {
    this.#database.exec(IMPORT_WORDS.noteTexts);
    this.#split(IMPORT_WORDS.changedTexts('incoming.pet_id'));
  }

  /** Under the write lock, before the pets change. */
  apply(): void {
    const later = this.#wide(IMPORT_WORDS.changedSince('incoming.pet_id')).all() as unknown as ChangedTexts[];
    for (const table of ['added_words', 'removed_words']) {
      if (later.length === 0) break;
      const petIds = `[${later.map(({ petId }) => petId).join()}]`;
      this.#wide(`DELETE FROM ${table} WHERE pet_id IN (SELECT value FROM json_each(?))`).run(petIds);
    }
    this.#add(later);
    this.#database.exec(
      'DELETE FROM pet_words WHERE (word, pet_id) IN (SELECT word, pet_id FROM removed_words)',
    );
    this.#database.exec(IMPORT_WORDS.addWords);
  }

  drop(): void {
    for (const [name] of TABLES) this.#database.exec(`DROP TABLE IF EXISTS temp.${name}`);
  }

  #split(sql: string): void {
    this.#add(this.#wide(sql).iterate() as Iterable<unknown> as Iterable<ChangedTexts>);
  }

  #add(texts: Iterable<ChangedTexts>): void {
    const [adding, removing] = ['added_words', 'removed_words'].map((table) =>
      this.#wide(`INSERT INTO ${table} VALUES (?, ?)`),
    ) as [StatementSync, StatementSync];
    for (const row of texts) {
      const { added, removed } = wordChanges(textsBefore(row), row);
      for (const word of added) adding.run(word, row.petId);
      for (const word of removed) removing.run(word, row.petId);
    }
  }

  /** Integers as bigints: a petId does not fit a number, nor does the rowid that `run` reports. */
  #wide(sql: string): StatementSync {
    const statement = this.#database.prepare(sql);
    statement.setReadBigInts(true);
    return statement;
  }
}
