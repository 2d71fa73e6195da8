import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { requireIdentity, writeMove } from '../../admin/identity.ts';
import { requireSchema } from '../../admin/migrate.ts';
import { hexOf } from '../../hex.ts';
import type { FoundDatabase, MoveMark } from '../../schema/database-metadata.ts';
import { type MovedRow, type MovedTable, movedTables, type TableColumn, USAGE } from '../../schema/tables.ts';
import { ServingLock } from '../file/serving-lock.ts';
import { openDatabase } from '../open.ts';
import { SqliteAdminEngine } from './engine.ts';

const COLUMNS = `SELECT tables.name AS "table", columns.name, columns.type, pk AS place
FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns WHERE tables.type = 'table' ORDER BY tables.rowid, cid`;

/** The rows of `usage` as PostgreSQL has them. */
const USAGE_ROWS = `(SELECT id AS account_id, coalesce(minute.label, -1) AS minute_label, coalesce(minute.used, 0) AS minute_used,
coalesce(minute.recorded, 0) AS minute_recorded,
coalesce(day.label, -1) AS day_label, coalesce(day.used, 0) AS day_used FROM accounts
LEFT JOIN usage AS minute ON minute.account_id = id AND minute.window = 'minute'
LEFT JOIN usage AS day ON day.account_id = id AND day.window = 'day')`;

/** Work that was accepted and is not done, in tables that do not move. */
const UNFINISHED = `SELECT id, 'import' AS kind FROM imports WHERE state = 'applying'
UNION ALL SELECT id, 'bulk change' FROM bulk_changes WHERE state IN ('applying', 'undoing') ORDER BY id LIMIT 1`;

/** A database to move: no service uses it, and no process can write to it, until it is marked or closed. */
export class MoveSource {
  readonly identity: FoundDatabase;
  readonly tables: readonly MovedTable[];
  readonly #database: DatabaseSync;
  readonly #engine: SqliteAdminEngine;
  readonly #lock: ServingLock;

  /** @throws OperatorError when a service uses it, or it is not a database of this release. */
  static async open(file: string): Promise<MoveSource> {
    const database = openDatabase(file);
    let lock: ServingLock | undefined;
    try {
      const engine = new SqliteAdminEngine(database, file);
      await requireSchema(engine);
      lock = ServingLock.acquire(file);
      const identity = await requireIdentity(engine, file);
      database.exec('BEGIN IMMEDIATE');
      return new MoveSource(database, engine, lock, identity);
    } catch (error) {
      lock?.release();
      database.close();
      throw error;
    }
  }

  private constructor(
    database: DatabaseSync,
    engine: SqliteAdminEngine,
    lock: ServingLock,
    identity: FoundDatabase,
  ) {
    this.#database = database;
    this.#engine = engine;
    this.#lock = lock;
    this.identity = identity;
    this.tables = movedTables(database.prepare(COLUMNS).all() as unknown as TableColumn[]);
  }

  /** The import or the change of many pets whose work would be lost by a move. */
  findUnfinished(): { readonly id: string; readonly kind: string } | undefined {
    return this.#database.prepare(UNFINISHED).get() as { id: string; kind: string } | undefined;
  }

  /** The rows of a table in the order of its key, texts in the order of their bytes. */
  *rows(table: MovedTable): Generator<MovedRow> {
    const { key, columns } = table;
    const sql = `SELECT ${Object.keys(columns).join(', ')} FROM ${sourceOf(table)} ORDER BY ${key.join(', ')}`;
    const statement = this.#database.prepare(sql);
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    for (const row of statement.iterate() as Iterable<unknown> as Iterable<SQLOutputValue[]>) {
      yield row.map(asText);
    }
  }

  /** The number of rows of each table. */
  counts(): Record<string, number> {
    return Object.fromEntries(
      this.tables.map((table) => {
        const row = this.#database.prepare(`SELECT count(*) AS count FROM ${sourceOf(table)}`).get();
        return [table.name, Number(row?.count)];
      }),
    );
  }

  /** Durably marks the database as one that a shop left, or with `undefined` as one that has its shop. */
  async mark(move: MoveMark | undefined): Promise<void> {
    await writeMove(this.#engine, move);
    this.#database.exec('COMMIT');
  }

  close(): void {
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
    this.#database.close();
    // Last: closing any descriptor of a file releases all POSIX locks of this process on it.
    this.#lock.release();
  }
}

function sourceOf({ name }: MovedTable): string {
  return name === USAGE.name ? USAGE_ROWS : name;
}

function asText(value: SQLOutputValue): string | null {
  if (value === null || typeof value === 'string') return value;
  return value instanceof Uint8Array ? `\\x${hexOf(value)}` : String(value);
}
