import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import type { Account, Environment, Principal } from '../../../domain/api-key.ts';
import { OperatorError } from '../../../domain/errors.ts';
import type { AuditReport, ChainPoint } from '../../../domain/ledger-store.ts';
import type { Limits, PlanName } from '../../../domain/plans.ts';
import type { BanRow, ImportResult, NewAccount, NewKey, PetRow, PruneResult } from '../../../domain/store.ts';
import { type KeyRow, toPrincipal } from '../../access/key-row.ts';
import { findIdleLedger } from '../../ledger/clock-guard.ts';
import { previewPrune } from '../../prune/prune.ts';
import type { DatabaseIdentity, OpenedAdminStore } from '../../schema/database-metadata.ts';
import { SqliteAuditSource } from '../audit-source.ts';
import { readChainHead } from '../ledger-writer.ts';
import { requireCurrentSchema } from '../migrate.ts';
import { openDatabase } from '../open.ts';
import { WRITE } from '../statements.ts';
import { inWriteTransaction } from '../transaction.ts';
import { writeBackup } from './backup.ts';
import { importPets } from './import.ts';
import { readIdentity } from './metadata.ts';
import { pruneMovements } from './prune.ts';
import { ADMIN } from './statements.ts';
import { verifyDatabase } from './verify.ts';

/** SQLITE_CONSTRAINT_UNIQUE (sqlite.org/rescode.html). */
const UNIQUE_VIOLATED = 2067;

interface AccountRow extends Limits, Omit<Account, 'limits'> {}

/** The operator's view of one SQLite file, on a connection of its own: a service may run on the same file. */
export class SqliteAdminStore implements OpenedAdminStore {
  readonly environment: Environment;
  readonly pepperCheck: string;
  readonly #database: DatabaseSync;

  static open(file: string): SqliteAdminStore {
    const database = openDatabase(file);
    try {
      requireCurrentSchema(database, file);
      const identity = readIdentity(database);
      if (!identity) {
        throw new OperatorError(`${file} is not set up completely; run petstore-server migrate first.`);
      }
      return new SqliteAdminStore(database, identity);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  private constructor(database: DatabaseSync, { environment, pepperCheck }: DatabaseIdentity) {
    this.#database = database;
    this.environment = environment;
    this.pepperCheck = pepperCheck;
  }

  async now(): Promise<number> {
    return Date.now();
  }

  async findWrongClock(): Promise<string | undefined> {
    const { recordedAtMs } = readChainHead(this.#database.prepare(WRITE.ledgerEnd));
    return findIdleLedger(recordedAtMs, Date.now());
  }

  async createAccount({ limits, ...account }: NewAccount): Promise<void> {
    try {
      this.#write(ADMIN.createAccount, { ...account, ...limits });
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== UNIQUE_VIOLATED) throw error;
      throw new OperatorError(
        `There is an account named ${JSON.stringify(account.name)} already; petstore-server accounts set-plan changes its plan.`,
      );
    }
  }

  async listAccounts(): Promise<readonly Account[]> {
    const rows = this.#all(ADMIN.accounts) as unknown as AccountRow[];
    return rows.map(({ perMinute, perDay, ...account }) => ({ ...account, limits: { perMinute, perDay } }));
  }

  async setPlan(accountId: string, plan: PlanName, limits: Limits): Promise<void> {
    if (this.#write(ADMIN.setPlan, { id: accountId, plan, ...limits }) === 0) {
      throw new OperatorError(`There is no account ${accountId}.`);
    }
  }

  async createKey(key: NewKey): Promise<void> {
    inWriteTransaction(this.#database, () => this.#insertKey(key, null));
  }

  async listKeys(): Promise<readonly Principal[]> {
    return (this.#all(ADMIN.keys) as unknown as KeyRow[]).map(toPrincipal);
  }

  async rotateKey(oldKeyId: string, replacement: NewKey, oldExpiresAtMs: number): Promise<void> {
    inWriteTransaction(this.#database, () => {
      const bounds = { id: oldKeyId, expiresAtMs: oldExpiresAtMs, nowMs: replacement.createdAtMs };
      if (this.#run(ADMIN.expireKey, bounds) === 0) {
        throw new OperatorError(`Key ${oldKeyId} does not work any more, so it cannot be rotated.`);
      }
      this.#insertKey(replacement, oldKeyId);
    });
  }

  async revokeKey(keyId: string, atMs: number): Promise<void> {
    this.#write(ADMIN.revokeKey, { id: keyId, atMs });
  }

  async listBans(nowMs: number): Promise<readonly BanRow[]> {
    return this.#all(ADMIN.runningBans, { nowMs }) as unknown as BanRow[];
  }

  async liftBan(keyId: string, atMs: number): Promise<boolean> {
    return inWriteTransaction(this.#database, () => {
      if (this.#all(ADMIN.runningBan, { keyId, atMs }).length === 0) return false;
      this.#run(ADMIN.liftBans, { keyId, atMs });
      return true;
    });
  }

  async importPets(rows: Iterable<PetRow>, actor: string, atMs?: number): Promise<ImportResult> {
    return importPets(this.#database, rows, { actor, clock: () => atMs ?? Date.now() });
  }

  async backup(file: string): Promise<void> {
    writeBackup(this.#database, file);
  }

  verify(expected?: readonly ChainPoint[]): Promise<AuditReport> {
    return verifyDatabase(this.#database, expected);
  }

  pruneMovements(beforeMs: number): Promise<PruneResult> {
    return pruneMovements(this.#database, beforeMs);
  }

  previewPrune(beforeMs: number): Promise<PruneResult> {
    return previewPrune(new SqliteAuditSource(this.#database), beforeMs);
  }

  async close(): Promise<void> {
    if (this.#database.isOpen) this.#database.close();
  }

  #insertKey({ scopes, ...key }: NewKey, rotatedFrom: string | null): void {
    this.#run(ADMIN.createKey, { ...key, scopes: scopes?.join(' ') ?? null, rotatedFrom });
  }

  #all(sql: string, parameters: Record<string, SQLInputValue> = {}): Record<string, SQLOutputValue>[] {
    return this.#database.prepare(sql).all(parameters);
  }

  #write(sql: string, parameters: Record<string, SQLInputValue>): number {
    return inWriteTransaction(this.#database, () => this.#run(sql, parameters));
  }

  /** Returns how many rows were changed. */
  #run(sql: string, parameters: Record<string, SQLInputValue>): number {
    const statement = this.#database.prepare(sql);
    // The connection's last row may be a pet whose id no number can hold, and Node would throw for it.
    statement.setReadBigInts(true);
    return Number(statement.run(parameters).changes);
  }
}
