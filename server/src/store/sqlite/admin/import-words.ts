import type { DatabaseSync } from 'node:sqlite';
import { wordChanges } from '../../../domain/management/pet-words.ts';
import { type ChangedTexts, IMPORT_WORDS, textsBefore } from '../../pets/import-words.ts';
import { prepareWide, RowInserter } from './row-inserter.ts';

const PET_ID = 'incoming.pet_id';

/** Keeps the search index during an import; see `IMPORT_WORDS`. */
export class ImportedWords {
  readonly #database: DatabaseSync;
  #newest = 0n;

  /** Makes the temporary tables. */
  constructor(database: DatabaseSync) {
    this.#database = database;
    this.drop();
    for (const table of IMPORT_WORDS.tables) {
      database.exec(`CREATE TEMP TABLE ${table} ${IMPORT_WORDS.columns('')}`);
    }
  }

  /** Splits the texts of the rows of `incoming`, in a transaction. It needs no lock. */
  prepare(): void {
    const [newest] = prepareWide(this.#database, IMPORT_WORDS.newest).all() as [{ sequence: bigint }];
    this.#newest = newest.sequence;
    this.#split(prepareWide(this.#database, IMPORT_WORDS.changedTexts(PET_ID)).iterate());
  }

  /** Under the write lock, before the import makes movements. */
  apply(): void {
    for (const table of IMPORT_WORDS.tables)
      prepareWide(this.#database, IMPORT_WORDS.forget(table)).run({ $1: this.#newest });
    this.#split(prepareWide(this.#database, IMPORT_WORDS.changedSince(PET_ID)).all({ $1: this.#newest }));
    this.#database.exec(
      'DELETE FROM pet_words WHERE (word, pet_id) IN (SELECT word, pet_id FROM removed_words)',
    );
    this.#database.exec(IMPORT_WORDS.addWords);
  }

  drop(): void {
    for (const table of IMPORT_WORDS.tables) this.#database.exec(`DROP TABLE IF EXISTS temp.${table}`);
  }

  #split(texts: Iterable<unknown>): void {
    const [addedWords, removedWords] = IMPORT_WORDS.tables;
    const adding = new RowInserter(this.#database, addedWords, 2);
    const removing = new RowInserter(this.#database, removedWords, 2);
    for (const row of texts as Iterable<ChangedTexts & { readonly petId: bigint }>) {
      const { added, removed } = wordChanges(textsBefore(row), row);
      for (const word of added) adding.add(word, row.petId);
      for (const word of removed) removing.add(word, row.petId);
    }
    adding.end();
    removing.end();
  }
}
