import pg from 'pg';
import type { BackupOptions, ImportResult } from '../../../domain/admin-store.ts';
import { OperatorError } from '../../../domain/errors.ts';
import type { StockRules } from '../../../domain/ledger/ledger-transaction.ts';
import type { WriteRequest } from '../../../domain/write-command.ts';
import type { AdminEngine } from '../../admin/admin-engine.ts';
import { cappedFaults, faultStatement } from '../../audit/audit-findings.ts';
import type { StoredOutcome } from '../../idempotency/records.ts';
import type { ImportAuthor, ImportSource, ImportTransaction } from '../../imports/import-engine.ts';
import { executeBatch } from '../../ledger/apply-batch.ts';
import { POSTGRES_ORDERS } from '../../orders/order-sql.ts';
import { type RowReader, type RowStatement, Sequentially, type SqlValue } from '../../sql-client.ts';
import { shownAddress } from '../../../domain/database-address.ts';
import { damageOf } from '../audit-source.ts';
import { readClock } from '../database-clock.ts';
import { batchKeysOf, readBatch } from '../load-batch.ts';
import { recordBatch } from '../record-batch.ts';
import { LOCK, NOTIFY, NOTIFY_ENDPOINTS, READ } from '../statements.ts';
import { connectAdmin, inTransaction } from './client.ts';
import { writeDump } from './dump.ts';
import { collectStatistics, importPets } from './import.ts';
import { MIGRATIONS } from './migrations.ts';
import { refuseInstances, renameSession } from './running-instances.ts';
import { refuseSharedSessions, refuseUnsafeServer } from './server-settings.ts';

/** Sessions that read the identity queue behind one that waits for its lock. */
const IDENTITY_LOCK_TIMEOUT_MS = 3_000;
/** A transaction without a statement for so long is of a stopped process; `KEEP_ALIVE` gives a host the same time. An import of 100,000 pets had no 0.1 s without a statement, at a load average of 15 on 2 cores. */
const STOPPED_MS = 60_000;
/** SQLSTATE unique_violation. */
const UNIQUE_VIOLATED = '23505';
/** SQLSTATE insufficient_privilege and invalid_schema_name: there is no schema in which the user may make tables. */
const NOT_ALLOWED = ['42501', '3F000'];

/**
 * Finds stock without a pet. SQLite refuses that by a foreign key; PostgreSQL has no such constraint here. With `NOT IN` PostgreSQL
 * reads all pets again for each pet, as soon as they do not fit its `work_mem`.
 */
export const UNKNOWN_PET = `SELECT 'Pet ' || pet_id || ' has stock, but is not among the pets.' AS fault
FROM inventory WHERE NOT EXISTS (SELECT FROM pets WHERE pets.pet_id = inventory.pet_id) ORDER BY pet_id`;

/** A PostgreSQL database for the operator's commands, on a connection of its own. */
export class PostgresAdminEngine implements AdminEngine {
  readonly name: string;
  readonly migrations = MIGRATIONS;
  readonly dialect = {
    bytewise: 'COLLATE "C"',
    forUpdate: 'FOR UPDATE',
    insertUsage: 'INSERT INTO usage (account_id) VALUES ($1)',
    orders: POSTGRES_ORDERS,
    version: "SELECT 'PostgreSQL ' || current_setting('server_version') AS version",
    lastMinute: `SELECT account_id, minute_label AS label, minute_used - minute_recorded AS requests FROM usage`,
    jsonElements: 'jsonb_array_elements' as const,
    jsonArray: 'json_build_array' as const,
    entriesFrom: (first: string, second: string) =>
      `(${first}, ${second}) >= ($1, CAST($2 AS bigint)) AND ${first} <= $1 ORDER BY ${first}, ${second}`,
    notifyEndpoints: NOTIFY_ENDPOINTS,
    rowsPerStatement: 100,
    leasesPerTransaction: 10_000,
  };
  readonly isLockFair = true;
  readonly client: pg.Client;
  readonly damageOf = damageOf;
  readonly #transactions = new Sequentially();
  readonly #url: string;
  #instanceName = '';
  #isLost = false;

  /** @throws OperatorError when the server cannot be reached. */
  static async connect(url: string, responseTimeoutMs?: number): Promise<PostgresAdminEngine> {
    const { client, server } = await connectAdmin(url, responseTimeoutMs);
    return new PostgresAdminEngine(client, server);
  }

  /**
   * Connects to prepare the database. The session has another name than those of instances.
   * @param acceptedUnsafe Settings of the server whose unsafe value the operator accepts.
   * @throws OperatorError when the server is unsafe otherwise, or cannot be reached.
   */
  static async connectToPrepare(
    url: string,
    acceptedUnsafe: readonly string[],
  ): Promise<PostgresAdminEngine> {
    const engine = await PostgresAdminEngine.connect(url);
    try {
      await refuseSharedSessions(engine.client, url, engine.name);
      await refuseUnsafeServer(engine.client, engine.name, acceptedUnsafe);
      engine.#instanceName = await renameSession(engine.client);
      return engine;
    } catch (error) {
      await engine.close();
      throw error;
    }
  }

  constructor(client: pg.Client, url: string) {
    this.client = client;
    this.#url = url;
    this.name = shownAddress(url);
    const lose = () => {
      this.#isLost = true;
    };
    client.on('error', lose).on('end', lose);
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  now(): Promise<number> {
    return readClock(this.client);
  }

  async all<Row>(sql: string, values: readonly SqlValue[] = []): Promise<readonly Row[]> {
    return (await this.client.query<Row & pg.QueryResultRow>(sql, [...values])).rows;
  }

  read: RowReader['read'] = async <Row extends readonly unknown[]>(
    statement: RowStatement,
    values: readonly (string | number)[],
  ) => (await this.client.query({ ...statement, values: [...values] })).rows as unknown as Row[];

  async run(sql: string, values: readonly SqlValue[] = []): Promise<number> {
    return (await this.client.query(sql, [...values])).rowCount ?? 0;
  }

  async exec(sql: string): Promise<void> {
    await this.client.query(sql).catch((error: unknown) => {
      if (!(error instanceof pg.DatabaseError) || !NOT_ALLOWED.includes(error.code ?? '')) throw error;
      throw new OperatorError(
        `${this.name}: its user may not make tables there (${error.message}); make the user its owner, as CREATE DATABASE … OWNER does.`,
        { cause: error },
      );
    });
  }

  transaction<T>(command: () => Promise<T>): Promise<T> {
    return this.#transactions.run(() => inTransaction(this.client, command));
  }

  /** Nothing to do: deletions need no room that the server's own WAL does not have. */
  keepReserve(): void {}

  async freeBytes(capacityBytes: number | undefined): Promise<number | undefined> {
    if (capacityBytes === undefined) return undefined;
    const [size] = await this.all<{ bytes: number }>(READ.size.text);
    return capacityBytes - (size?.bytes ?? 0);
  }

  cleanUp<T>(command: () => Promise<T>): Promise<T> {
    return this.transaction(command);
  }

  snapshot<T>(command: () => Promise<T>): Promise<T> {
    const begin = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
    return this.#transactions.run(() => inTransaction(this.client, command, begin));
  }

  async tableNames(): Promise<readonly string[]> {
    const rows = await this.all<{ name: string }>(`SELECT relname AS name FROM pg_class
WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relkind IN ('r', 'p')`);
    return rows.map(({ name }) => name);
  }

  async lockSchema(): Promise<void> {
    await this.client.query(LOCK.schema);
  }

  /** Until its transaction ends. One that sends nothing for a minute, such as of a stopped process, is undone by the server. */
  async lockLedger(): Promise<void> {
    await this.client.query(`SET LOCAL idle_in_transaction_session_timeout = ${STOPPED_MS}; ${LOCK.ledger}`);
  }

  /**
   * Within a transaction: each process that connects waits for the identity until the transaction ends.
   * @throws OperatorError `service_unavailable` when another session, such as a backup, reads it for seconds.
   */
  async lockIdentity(): Promise<void> {
    await this.client.query(`SET LOCAL lock_timeout = ${IDENTITY_LOCK_TIMEOUT_MS}`);
    await this.client.query('LOCK TABLE metadata IN ACCESS EXCLUSIVE MODE');
    // What the transaction does next waits for locks as long as before.
    await this.client.query('SET LOCAL lock_timeout = 0');
  }

  async notifyMovements(): Promise<void> {
    await this.client.query(NOTIFY);
  }

  async whileUnserved(command: () => Promise<void>, inUse: () => OperatorError): Promise<void> {
    await refuseInstances(this.client, this.#instanceName, inUse);
    await command();
  }

  isDuplicate(error: unknown): boolean {
    return error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATED;
  }

  /** PostgreSQL itself checks its pages (data checksums, amcheck). */
  async storageFaults(): Promise<readonly string[]> {
    const rows = await this.all<{ fault: string }>(faultStatement(UNKNOWN_PET));
    return cappedFaults(rows.map(({ fault }) => fault));
  }

  async importPets(
    source: ImportSource,
    author: ImportAuthor,
    within?: ImportTransaction,
  ): Promise<ImportResult> {
    const result = await this.transaction(() => importPets(this, source, author, within));
    await this.#transactions.run(() => collectStatistics(this.client, result));
    return result;
  }

  write(request: WriteRequest, rules: StockRules): Promise<StoredOutcome> {
    return this.transaction(async () => {
      await this.lockLedger();
      return (await this.writeWithin([request], rules))[0] as StoredOutcome;
    });
  }

  async writeWithin(requests: readonly WriteRequest[], rules: StockRules): Promise<readonly StoredOutcome[]> {
    const { snapshot } = await readBatch(this.client, batchKeysOf(requests));
    const outcome = executeBatch(requests, snapshot, rules);
    await Promise.all(recordBatch(this.client, outcome));
    return outcome.results;
  }

  backup(file: string, { tools = '' }: BackupOptions = {}): Promise<void> {
    return writeDump(this.client, this.#url, file, tools);
  }

  close(): Promise<void> {
    return this.client.end();
  }
}
