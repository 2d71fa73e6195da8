import type { ReportProgress } from '@petstore-inventory/shared/report-progress';
import pg from 'pg';
import { OperatorError } from '../../../domain/errors.ts';
import type { AuditReport } from '../../../domain/ledger-store.ts';
import { verifyDatabase } from '../../admin/verify.ts';
import type { MovedRow, MovedTable } from '../../schema/tables.ts';
import type { PostgresAdminEngine } from './engine.ts';
import { batchesOf } from '../../batches.ts';

const ROWS_PER_STATEMENT = 5_000;

/** Tables that have rows in every prepared database. */
const ALWAYS_FILLED = ['metadata', 'ledger_start'];
/** Tables whose ids the database generates. */
const NUMBERED = ['bans', 'idempotency_records', 'activity'];

/** A prepared, empty database into which a shop moves, within a transaction of the caller. */
export class MoveTarget {
  readonly #engine: PostgresAdminEngine;
  readonly #client: pg.Client;
  readonly #tables: readonly MovedTable[];

  constructor(engine: PostgresAdminEngine, tables: readonly MovedTable[]) {
    this.#engine = engine;
    this.#tables = tables;
    this.#client = engine.client;
  }

  /** Locks the database until the transaction ends. @throws OperatorError when it has rows already. */
  async occupy(): Promise<void> {
    await this.#engine.lockSchema();
    await this.#engine.lockLedger();
    for (const { name } of this.#tables) {
      if (ALWAYS_FILLED.includes(name)) continue;
      await this.#client.query(`LOCK TABLE ${name} IN SHARE ROW EXCLUSIVE MODE`);
      const { rows } = await this.#client.query(`SELECT 1 FROM ${name} LIMIT 1`);
      if (rows.length > 0) {
        throw new OperatorError(
          `${this.#engine.name} holds ${name} already; name an empty database. Nothing was moved.`,
        );
      }
    }
    for (const name of ALWAYS_FILLED) await this.#client.query(`DELETE FROM ${name}`);
    await this.#client.query('SET CONSTRAINTS ALL DEFERRED');
  }

  /** Inserts all rows of a table. Returns their number. */
  async fill(table: MovedTable, rows: Iterable<MovedRow>): Promise<number> {
    const names = Object.keys(table.columns);
    const arrays = Object.values(table.columns).map((type, i) => `$${i + 1}::${type}[]`);
    const sql = `INSERT INTO ${table.name} (${names.join(', ')}) SELECT * FROM unnest(${arrays.join(', ')})`;
    let count = 0;
    for (const batch of batchesOf(rows, ROWS_PER_STATEMENT)) {
      await this.#insert(
        table,
        sql,
        names.map((_, column) => batch.map((row) => row[column])),
      );
      count += batch.length;
    }
    return count;
  }

  /** The rows of a table now, in the order of the source. */
  async *rows({ name, key, columns }: MovedTable): AsyncGenerator<MovedRow> {
    // With the table's name: the bare column would be the selected text.
    const order = key.map((column) => `${name}.${column}${columns[column] === 'text' ? ' COLLATE "C"' : ''}`);
    const bounds = key.map((column, i) => `$${i + 1}::${columns[column]}`);
    const selected = Object.keys(columns);
    const values = selected.map((column) => `${column}::text`);
    const sql = `SELECT ${values.join(', ')} FROM ${name} WHERE ${bounds[0]} IS NULL OR (${order.join(', ')}) > (${bounds.join(', ')})
ORDER BY ${order.join(', ')} LIMIT ${ROWS_PER_STATEMENT}`;
    let after: (string | null)[] = key.map(() => null);
    for (;;) {
      const query = { text: sql, values: after, rowMode: 'array' as const };
      const { rows }: { rows: MovedRow[] } = await this.#client.query<(string | null)[]>(query);
      yield* rows;
      const last = rows.at(-1);
      if (!last || rows.length < ROWS_PER_STATEMENT) return;
      after = key.map((column) => last[selected.indexOf(column)] as string);
    }
  }

  /** Sets generated ids to continue after the moved ones, and collects statistics for the planner. */
  async settle(): Promise<void> {
    await this.#client.query('SET CONSTRAINTS ALL IMMEDIATE');
    for (const name of NUMBERED) {
      await this.#client.query(
        `SELECT setval(pg_get_serial_sequence('${name}', 'id'), max(id)) FROM ${name} HAVING max(id) IS NOT NULL`,
      );
    }
    await this.#client.query(`ANALYZE ${this.#tables.map(({ name }) => name).join(', ')}`);
  }

  verify(progress?: ReportProgress): Promise<Pick<AuditReport, 'faults'>> {
    return verifyDatabase(this.#engine, [], progress);
  }

  async #insert({ name }: MovedTable, sql: string, columns: unknown[][]): Promise<void> {
    try {
      await this.#client.query(sql, columns);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error;
      throw new OperatorError(
        `PostgreSQL refuses a row of ${name} (${error.message}${error.detail ? `: ${error.detail}` : ''}). Nothing was moved.`,
        { cause: error },
      );
    }
  }
}
