import { existsSync, statSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { BackupOptions, ImportResult } from '../../../domain/admin-store.ts';
import { OperatorError } from '../../../domain/errors.ts';
import type { StockRules } from '../../../domain/ledger/ledger-transaction.ts';
import { machineTimeMs } from '../../../domain/timestamps.ts';
import type { WriteRequest } from '../../../domain/write-command.ts';
import type { AdminEngine } from '../../admin/admin-engine.ts';
import { cappedFaults, faultStatement } from '../../audit/audit-findings.ts';
import type { StoredOutcome } from '../../idempotency/records.ts';
import type { ImportAuthor, ImportSource, ImportTransaction } from '../../imports/import-engine.ts';
import { SQLITE_ORDERS } from '../../orders/order-sql.ts';
import { MOVE } from '../../schema/database-metadata.ts';
import { Sequentially, type SqlValue } from '../../sql-client.ts';
import { fileDamage, SqliteAuditSource, unreadDisk } from '../audit-source.ts';
import { keepReserve, releaseReserve } from '../file/disk-reserve.ts';
import { freeBytesOf } from '../file/served-files.ts';
import { ServingLock } from '../file/serving-lock.ts';
import { LedgerWriter } from '../ledger-writer.ts';
import { MIGRATIONS } from '../migrations.ts';
import { openDatabase, openUnchanged, refuseEmptied, refuseInterrupted } from '../open.ts';
import { positional } from '../statements.ts';
import { inAsyncWriteTransaction } from '../transaction.ts';
import { writeBackup } from './backup.ts';
import { importPets } from './import.ts';

/** SQLITE_CONSTRAINT_UNIQUE (sqlite.org/rescode.html). */
const UNIQUE_VIOLATED = 2067;

/** The size of a copy without the free pages of the file. */
const COPIED_BYTES =
  'SELECT (page_count - freelist_count) * page_size AS bytes FROM pragma_page_count, pragma_freelist_count, pragma_page_size';

const MOVED_TO = `SELECT value FROM metadata WHERE name = '${MOVE.to}'`;

/** What can be wrong with the file itself. */
const FILE_FAULTS = [
  `SELECT 'The database file is damaged: ' || integrity_check || '.' AS fault
FROM pragma_integrity_check WHERE integrity_check <> 'ok'`,

  `SELECT 'Row ' || coalesce(rowid, '(without id)') || ' of ' || "table" || ' refers to a row of ' || parent
|| ' that is not there.' AS fault FROM pragma_foreign_key_check`,

  `SELECT 'Line ' || id || ' of order ' || order_id || ' is not linked with the line of pet ' || pet_id || ' before it.' AS fault FROM (
  SELECT *, lag(id) OVER lines AS before, row_number() OVER lines AS place FROM order_lines
  WINDOW lines AS (PARTITION BY pet_id ORDER BY id)
) WHERE previous_id IS NOT before OR number <> place ORDER BY id`,

  `SELECT 'Pet ' || pet_id || ' does not name the newest of its ' || coalesce(lines, 0) || ' order lines.' AS fault
FROM inventory LEFT JOIN (SELECT pet_id, max(id) AS newest, count(*) AS lines FROM order_lines GROUP BY pet_id) USING (pet_id)
WHERE last_line_id IS NOT newest OR line_count <> coalesce(lines, 0) ORDER BY pet_id`,
];

/**
 * The last prepared statement, or another one in its place: a report or an import repeats one, and preparing it takes as
 * long as reading a thousand rows.
 */
class LastStatement {
  readonly #prepare: (sql: string) => StatementSync;
  #last: { readonly sql: string; readonly statement: StatementSync } | undefined;

  constructor(prepare: (sql: string) => StatementSync) {
    this.#prepare = prepare;
  }

  of(sql: string): StatementSync {
    if (this.#last?.sql !== sql) this.#last = { sql, statement: this.#prepare(sql) };
    return this.#last.statement;
  }
}

/** A SQLite file for the operator's commands. */
export class SqliteAdminEngine extends SqliteAuditSource implements AdminEngine {
  readonly name: string;
  readonly migrations = MIGRATIONS;
  readonly dialect = {
    bytewise: '',
    forUpdate: '',
    insertUsage: undefined,
    orders: SQLITE_ORDERS,
    version: "SELECT 'SQLite ' || sqlite_version() AS version",
    lastMinute: `SELECT account_id, label, used - recorded AS requests FROM usage WHERE window = 'minute'`,
    jsonElements: 'json_each' as const,
    jsonArray: 'json_array' as const,
    entriesFrom: (first: string, second: string) =>
      `${first} = $1 AND ${second} >= CAST($2 AS bigint) ORDER BY ${second}`,
    notifyEndpoints: undefined,
    rowsPerStatement: 1,
    leasesPerTransaction: 100,
  };
  readonly isLockFair: boolean = false;
  readonly isLost = false;
  readonly #database: DatabaseSync;
  readonly #isPrepared: boolean;
  readonly #transactions = new Sequentially();
  #movedTo: StatementSync | undefined;
  readonly #lastRun = new LastStatement((sql) => this.#prepareRun(sql));
  readonly #lastRead = new LastStatement((sql) => this.#database.prepare(positional(sql)));
  /** Statements with bytes among their values, by their few texts. */
  readonly #withBytes = new Map<string, StatementSync>();

  /** @throws OperatorError when the file cannot be used, or is not there and must not be made. */
  static open(file: string, { create = false } = {}): SqliteAdminEngine {
    return new SqliteAdminEngine(openDatabase(file, { create }), file, !create);
  }

  /** @throws OperatorError when the file cannot be read. */
  static openUnchanged(file: string): SqliteAdminEngine {
    return new SqliteAdminEngine(openUnchanged(file), file);
  }

  /** Opens the file, or an empty database in memory where there is none or an empty one: nothing writes to it. */
  static openIfThere(file: string): SqliteAdminEngine {
    refuseInterrupted(file);
    refuseEmptied(file);
    const database =
      existsSync(file) && statSync(file).size > 0 ? openDatabase(file) : new DatabaseSync(':memory:');
    return new SqliteAdminEngine(database, file, false);
  }

  /** @param isPrepared Whether the file has the schema; a file without it did not move. */
  constructor(database: DatabaseSync, file: string, isPrepared = true) {
    super(database);
    this.#database = database;
    this.#isPrepared = isPrepared;
    this.name = file;
  }

  async now(): Promise<number> {
    return machineTimeMs();
  }

  async all<Row>(sql: string, values: readonly SqlValue[] = []): Promise<readonly Row[]> {
    try {
      return this.#lastRead.of(sql).all(...values) as unknown as Row[];
    } catch (error) {
      throw unreadDisk(error) ?? error;
    }
  }

  async run(sql: string, values: readonly SqlValue[] = []): Promise<number> {
    const hasBytes = values.some((value) => value instanceof Uint8Array);
    const statement = hasBytes ? this.#reused(sql) : this.#lastRun.of(sql);
    return Number(statement.run(...values).changes);
  }

  async exec(sql: string): Promise<void> {
    this.#database.exec(sql);
  }

  transaction<T>(command: () => Promise<T>): Promise<T> {
    return this.#transactions.run(() =>
      inAsyncWriteTransaction(this.#database, () => {
        this.#refuseLeft();
        return command();
      }),
    );
  }

  freeBytes(): Promise<number> {
    return freeBytesOf(this.name);
  }

  keepReserve(): void {
    keepReserve(this.name);
  }

  async cleanUp<T>(command: () => Promise<T>): Promise<T> {
    try {
      return await this.transaction(command);
    } catch (error) {
      if (!releaseReserve(this.name, error)) throw error;
      return this.transaction(command);
    }
  }

  snapshot<T>(command: () => Promise<T>): Promise<T> {
    return this.#transactions.run(async () => {
      this.#database.exec('BEGIN');
      try {
        return await command();
      } finally {
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      }
    });
  }

  async tableNames(): Promise<readonly string[]> {
    return (await this.all<{ name: string }>('SELECT name FROM sqlite_schema')).map(({ name }) => name);
  }

  /** Nothing to do: a write transaction holds the file's one lock. */
  async lockSchema(): Promise<void> {}

  /** Nothing to do: a write transaction holds the file's one lock. */
  async lockLedger(): Promise<void> {}

  /** Nothing to do: a service notices each commit. */
  async notifyMovements(): Promise<void> {}

  async whileUnserved(command: () => Promise<void>, inUse: () => OperatorError): Promise<void> {
    const lock = ServingLock.acquire(this.name, inUse);
    try {
      await command();
    } finally {
      // Before the commit: a process that waits for it can serve as soon as it ends.
      lock.release();
    }
  }

  isDuplicate(error: unknown): boolean {
    return (error as { errcode?: number }).errcode === UNIQUE_VIOLATED;
  }

  async storageFaults(): Promise<readonly string[]> {
    return FILE_FAULTS.flatMap((sql) => this.#findFaults(sql));
  }

  importPets(source: ImportSource, author: ImportAuthor, within?: ImportTransaction): Promise<ImportResult> {
    const begin = async () => {
      this.#refuseLeft();
      await within?.begin();
    };
    return this.#transactions.run(() =>
      importPets(this, this.#database, source, author, { ...within, begin }),
    );
  }

  write(request: WriteRequest, rules: StockRules): Promise<StoredOutcome> {
    return this.transaction(async () => (await this.writeWithin([request], rules))[0] as StoredOutcome);
  }

  async writeWithin(requests: readonly WriteRequest[], rules: StockRules): Promise<readonly StoredOutcome[]> {
    return new LedgerWriter(this.#database, rules).write(requests);
  }

  async backup(file: string, { progress }: BackupOptions = {}): Promise<void> {
    const [size] = await this.all<{ bytes: number }>(COPIED_BYTES);
    await writeBackup({ source: this.name, sourceBytes: size?.bytes ?? 0 }, file, progress);
  }

  async close(): Promise<void> {
    if (this.#database.isOpen) this.#database.close();
  }

  /**
   * Within a transaction. A command that waited for the lock of a move would change a file that its shop left meanwhile,
   * and the change would be lost.
   */
  #refuseLeft(): void {
    if (!this.#isPrepared) return;
    this.#movedTo ??= this.#database.prepare(MOVED_TO);
    const row = this.#movedTo.get();
    if (!row) return;
    throw new OperatorError(
      `The shop of ${this.name} moved to ${row.value}; nothing was changed. Set PETSTORE_DATABASE to that database, and repeat this there.`,
    );
  }

  /**
   * A statement keeps a copy of its last values until it gets others or is collected as garbage. V8 does not count these
   * copies, so a file of an import would be in memory as a whole.
   */
  #reused(sql: string): StatementSync {
    const statement = this.#withBytes.get(sql) ?? this.#prepareRun(sql);
    this.#withBytes.set(sql, statement);
    return statement;
  }

  #prepareRun(sql: string): StatementSync {
    const statement = this.#database.prepare(positional(sql));
    // The connection's last row may be a pet whose id no number can hold, and Node would throw.
    statement.setReadBigInts(true);
    return statement;
  }

  #findFaults(sql: string): string[] {
    try {
      const rows = this.#database.prepare(faultStatement(sql)).all();
      return cappedFaults(rows.map(({ fault }) => String(fault)));
    } catch (error) {
      const damage = fileDamage(error);
      if (damage === undefined) throw unreadDisk(error) ?? error;
      // SQLite gives up on a page without any valid content.
      return [damage];
    }
  }
}
