import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/** With more rows a call takes no less time per row. */
const ROWS_PER_STATEMENT = 32;

/** Inserts many rows per call, because a call takes longer than the insertion of a row. */
export class RowInserter {
  readonly #many: StatementSync;
  readonly #one: StatementSync;
  readonly #columnCount: number;
  #values: SQLInputValue[] = [];

  constructor(database: DatabaseSync, table: string, columnCount: number) {
    const row = `(${Array(columnCount).fill('?').join()})`;
    const insertion = (count: number) => {
      const sql = `INSERT INTO ${table} VALUES ${Array(count).fill(row).join()}`;
      return prepareWide(database, sql);
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

/** Integers as bigints: a petId does not fit a number, nor does the rowid that `run` reports. */
export function prepareWide(database: DatabaseSync, sql: string): StatementSync {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  return statement;
}
