import { type PetTexts, wordChanges } from '../../domain/management/pet-words.ts';
import type { LockingClient, Parameter } from '../sql-client.ts';
import type { ImportTables } from './import-engine.ts';

/** An empty name or category, which no file has, removes it. */
export const NAME = "nullif(coalesce(incoming.name, pets.name), '')";
export const CATEGORY = "nullif(coalesce(incoming.category, pets.category), '')";
export const HAS_OTHER_TEXTS = `(pets.name IS DISTINCT FROM ${NAME} OR pets.category IS DISTINCT FROM ${CATEGORY})`;

/** A pet of a file with its texts before and after the import. */
interface ChangedTexts extends PetTexts {
  readonly petId: string;
  readonly nameBefore: string | null;
  readonly categoryBefore: string | null;
}

/** The texts of pets that the file changes. */
const changedTexts = (rows: string): string => `SELECT CAST(incoming.pet_id AS text) AS "petId",
pets.name AS "nameBefore", pets.category AS "categoryBefore", ${NAME} AS name, ${CATEGORY} AS category
FROM ${rows} LEFT JOIN pets ON pets.pet_id = incoming.pet_id WHERE ${HAS_OTHER_TEXTS}`;

const CHANGED_SINCE = 'SELECT pet_id FROM movements WHERE sequence > $1';

/**
 * Keeps the search index during an import. Only code can split a text into words. That takes long, so it comes before the
 * lock of the ledger. Every change of a text is a movement: under the lock only pets with a movement after the newest
 * before the split are split again.
 */
export class ImportedWords {
  /** The temporary tables. */
  static readonly tables = ['added_words', 'removed_words'] as const;
  readonly #client: LockingClient;
  readonly #tables: ImportTables;
  #newest = 0;

  constructor(client: LockingClient, tables: ImportTables) {
    this.#client = client;
    this.#tables = tables;
  }

  /** Splits the texts of the rows of `incoming`. It needs no lock. */
  async prepare(): Promise<void> {
    for (const table of ImportedWords.tables) {
      const columns = `(word text ${this.#client.dialect.bytewise} NOT NULL, pet_id bigint NOT NULL)`;
      await this.#tables.create(table, columns);
    }
    const newest = 'SELECT coalesce(max(sequence), 0) AS sequence FROM movements';
    this.#newest = (await this.#client.all<{ sequence: number }>(newest))[0]?.sequence ?? 0;
    await this.#split(changedTexts('incoming'), []);
  }

  /** Under the lock of the ledger, before the import makes movements. */
  async apply(): Promise<void> {
    const values = [this.#newest];
    for (const table of ImportedWords.tables) {
      await this.#client.run(`DELETE FROM ${table} WHERE pet_id IN (${CHANGED_SINCE})`, values);
    }
    const rows = `(SELECT * FROM incoming WHERE pet_id IN (${CHANGED_SINCE})) AS incoming`;
    await this.#split(changedTexts(rows), values);
    await this.#client.run(
      'DELETE FROM pet_words WHERE (word, pet_id) IN (SELECT word, pet_id FROM removed_words)',
    );
    await this.#client.run(
      'INSERT INTO pet_words (word, pet_id) SELECT word, pet_id FROM added_words ORDER BY word, pet_id',
    );
  }

  #split(texts: string, values: readonly Parameter[]): Promise<void> {
    return this.#tables.read<ChangedTexts>(texts, values, async (rows) => {
      const adding: [words: string[], petIds: string[]] = [[], []];
      const removing: [words: string[], petIds: string[]] = [[], []];
      for (const row of rows) {
        const { added, removed } = wordChanges({ name: row.nameBefore, category: row.categoryBefore }, row);
        for (const [[words, petIds], some] of [
          [adding, added],
          [removing, removed],
        ] as const) {
          words.push(...some);
          for (let i = 0; i < some.length; i += 1) petIds.push(row.petId);
        }
      }
      const [addedWords, removedWords] = ImportedWords.tables;
      await Promise.all([
        this.#tables.addWords(addedWords, ...adding),
        this.#tables.addWords(removedWords, ...removing),
      ]);
    });
  }
}
