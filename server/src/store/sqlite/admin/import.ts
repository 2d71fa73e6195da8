import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import { NO_THRESHOLDS } from '@petstore-inventory/shared/thresholds';
import type { ImportResult } from '../../../domain/admin-store.ts';
import type {
  ImportAuthor,
  ImportSource,
  ImportTables,
  ImportTransaction,
  PetClient,
} from '../../imports/import-engine.ts';
import { ImportedWords } from '../../imports/import-words.ts';
import { COPY_PLANNED, incomingColumns, writeIncoming } from '../../imports/pet-import.ts';
import { storedCodes, storedNames, storedSupplier } from '../../imports/plan-sql.ts';
import { MOVEMENT_COLUMNS, movementValues } from '../../ledger/movement-columns.ts';
import { positional } from '../statements.ts';
import { inAsyncWriteTransaction } from '../transaction.ts';

/** Memory for the rows; more go to a temporary file. */
const TEMPORARY_CACHE_KIB = 131_072;
/** With more rows a call takes no less time per row. */
const ROWS_PER_STATEMENT = 32;
const ROWS_PER_BATCH = 1_000;

/**
 * Creates and updates all pets of a file, or none. The write lock is held for 6 to 14 s for a million pets that change,
 * which is less than a running service waits.
 */
export async function importPets(
  client: PetClient,
  database: DatabaseSync,
  source: ImportSource,
  author: ImportAuthor,
  within?: ImportTransaction,
): Promise<ImportResult> {
  const created: string[] = [];
  const tables = importTables(database, created);
  const words = new ImportedWords(client, tables);
  const drop = () => {
    for (const table of created) database.exec(`DROP TABLE IF EXISTS temp.${table}`);
  };
  try {
    const rowCount = await copyRows(client, database, tables, source, words);
    // To wait for the lock stops this thread, and so a transaction of another connection in it, which must end before.
    await setImmediate();
    return await inAsyncWriteTransaction(database, () =>
      writeIncoming(client, tables, words, rowCount, author, within),
    );
  } finally {
    drop();
  }
}

/** Copies the rows and splits their texts. Returns the number of rows. */
async function copyRows(
  client: PetClient,
  database: DatabaseSync,
  tables: ImportTables,
  source: ImportSource,
  words: ImportedWords,
): Promise<number> {
  database.exec(`PRAGMA temp.cache_size = -${TEMPORARY_CACHE_KIB}`);
  // One transaction for all rows. It is a deferred one, so it locks nothing but the temporary tables.
  database.exec('BEGIN');
  try {
    await tables.create('incoming', incomingColumns('INTEGER PRIMARY KEY'));
    const rowCount =
      'importId' in source
        ? await client.run(COPY_PLANNED, [source.importId])
        : copyGivenRows(database, source);
    await words.prepare();
    database.exec('COMMIT');
    return rowCount;
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

function importTables(database: DatabaseSync, created: string[]): ImportTables {
  const recording = new RowInserter(database, 'movements', MOVEMENT_COLUMNS.length);
  return {
    create: async (table, columns) => {
      database.exec(`DROP TABLE IF EXISTS temp.${table}; CREATE TEMP TABLE ${table} ${columns}`);
      created.push(table);
    },
    read: async <Row extends object>(
      sql: string,
      values: readonly SQLInputValue[],
      use: (rows: readonly Row[]) => Promise<void>,
    ) => {
      let rows: Row[] = [];
      for (const row of database.prepare(positional(sql)).iterate(...values)) {
        rows.push(row as Row);
        if (rows.length < ROWS_PER_BATCH) continue;
        await use(rows);
        rows = [];
      }
      if (rows.length > 0) await use(rows);
    },
    addWords: async (table, words, petIds) => {
      const inserter = new RowInserter(database, table, 2);
      for (const [i, word] of words.entries()) inserter.add(word, petIds[i] as string);
      inserter.end();
    },
    recordMovements: async (movements) => {
      for (const movement of movements) recording.add(...movementValues(movement));
      recording.end();
    },
  };
}

function copyGivenRows(database: DatabaseSync, rows: Iterable<PetRow>): number {
  const inserter = new RowInserter(database, 'incoming', 12);
  let rowCount = 0;
  for (const { petId, name, category, quantity, status, thresholds, codes, namedBy, supplier } of rows) {
    const { lowStockAt, restockAt } = thresholds ?? NO_THRESHOLDS;
    const stored = storedCodes(codes);
    inserter.add(
      petId,
      name,
      category,
      quantity,
      status,
      thresholds ? 1 : 0,
      lowStockAt,
      restockAt,
      ...stored,
      storedNames(namedBy),
      storedSupplier(supplier),
    );
    rowCount += 1;
  }
  inserter.end();
  return rowCount;
}

/** Inserts many rows per call, because a call takes longer than the insertion of a row. */
class RowInserter {
  readonly #many: StatementSync;
  readonly #one: StatementSync;
  readonly #columnCount: number;
  #values: SQLInputValue[] = [];

  constructor(database: DatabaseSync, table: string, columnCount: number) {
    const row = `(${Array(columnCount).fill('?').join()})`;
    const insertion = (count: number) => {
      const statement = database.prepare(`INSERT INTO ${table} VALUES ${Array(count).fill(row).join()}`);
      // The rowid that `run` reports may be a petId, which does not fit a number.
      statement.setReadBigInts(true);
      return statement;
    };
    this.#columnCount = columnCount;
    this.#many = insertion(ROWS_PER_STATEMENT);
    this.#one = insertion(1);
  }

  /** Inserts the row now, or with rows after it. */
  add(...row: SQLInputValue[]): void {
    this.#values.push(...row);
    if (this.#values.length < this.#columnCount * ROWS_PER_STATEMENT) return;
    this.#many.run(...this.#values);
    this.#values = [];
  }

  /** Inserts the rest. */
  end(): void {
    const values = this.#values;
    this.#values = [];
    for (let i = 0; i < values.length; i += this.#columnCount) {
      this.#one.run(...values.slice(i, i + this.#columnCount));
    }
  }
}
