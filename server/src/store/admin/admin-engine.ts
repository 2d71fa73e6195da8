import type { BackupOptions } from '../../domain/admin-store.ts';
import type { OperatorError } from '../../domain/errors.ts';
import type { StockRules } from '../../domain/ledger/ledger-transaction.ts';
import type { WriteRequest } from '../../domain/write-command.ts';
import type { AuditSource } from '../audit/audit-rows.ts';
import type { StoredOutcome } from '../idempotency/records.ts';
import type { ImportEngine, PetClient } from '../imports/import-engine.ts';
import type { OrderStatements } from '../orders/order-sql.ts';
import type { Migration } from '../schema/migrations.ts';
import type { SqlDialect } from '../sql-client.ts';

/**
 * What the operator's commands need of a database. A third engine implements this interface and `Store`, is opened in
 * `open.ts`, `open-engine.ts` and `open-admin.ts`, and passes the contract tests. Everything else of the commands is shared.
 */
export interface AdminEngine extends ImportEngine, PetClient, AuditSource {
  /** The database's address or file for messages, without a password. */
  readonly name: string;
  readonly migrations: readonly Migration[];
  readonly dialect: AdminDialect;
  /** Whether the connection has ended, so that each statement would fail. */
  readonly isLost: boolean;
  /** The names of everything that is in the schema. */
  tableNames(): Promise<readonly string[]>;
  /** Runs statements without parameters. @throws OperatorError where the user may not make tables. */
  exec(sql: string): Promise<void>;
  /** Within a transaction, keeps other processes from changing the schema until it ends. */
  lockSchema(): Promise<void>;
  /** Within a transaction, runs a command while no service uses the database. @throws `inUse` when one does. */
  whileUnserved(command: () => Promise<void>, inUse: () => OperatorError): Promise<void>;
  /** Whether an error says that a unique value exists already. */
  isDuplicate(error: unknown): boolean;
  /** What is wrong with the storage below the ledger, one sentence per fault. */
  storageFaults(): Promise<readonly string[]>;
  /** Executes a write by the rules of the shop, in a transaction of its own. */
  write(request: WriteRequest, rules: StockRules): Promise<StoredOutcome>;
  /** Executes writes within a transaction of the caller that has the lock of the ledger. */
  writeWithin(requests: readonly WriteRequest[], rules: StockRules): Promise<readonly StoredOutcome[]>;
  /** As `AdminStore.backup`. */
  backup(file: string, options?: BackupOptions): Promise<void>;
  close(): Promise<void>;
}

interface AdminDialect extends SqlDialect {
  /** Prepares the rate-limit counters of the account `$1`; nothing where a row is made with the first request. */
  readonly insertUsage: string | undefined;
  readonly orders: OrderStatements;
  /** The engine and its version. */
  readonly version: string;
  /** The last minute of the account `$1`, as `UsageReader` reads it. */
  readonly lastMinute: string;
}
