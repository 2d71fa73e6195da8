import pg from 'pg';
import type { Account, Environment, Principal } from '../../../domain/api-key.ts';
import { OperatorError } from '../../../domain/errors.ts';
import type { AuditReport, ChainPoint } from '../../../domain/ledger-store.ts';
import type { Limits, PlanName } from '../../../domain/plans.ts';
import type { BanRow, ImportResult, NewAccount, NewKey, PetRow, PruneResult } from '../../../domain/store.ts';
import { type KeyRow, toPrincipal } from '../../access/key-row.ts';
import { findIdleLedger } from '../../ledger/clock-guard.ts';
import { previewPrune } from '../../prune/prune.ts';
import type { DatabaseIdentity, OpenedAdminStore } from '../../schema/database-metadata.ts';
import { shownAddress } from '../address.ts';
import { clientAuditSource } from '../audit-source.ts';
import { readClock } from '../database-clock.ts';
import { readChainHead } from '../load-batch.ts';
import { atOneMoment, connectAdmin, inTransaction } from './client.ts';
import { importPets } from './import.ts';
import { readIdentity } from './metadata.ts';
import { requireCurrentSchema } from './migrate.ts';
import { pruneMovements } from './prune.ts';
import { ADMIN } from './statements.ts';
import { verifyDatabase } from './verify.ts';

/** SQLSTATE unique_violation. */
const UNIQUE_VIOLATED = '23505';

interface AccountRow extends Limits, Omit<Account, 'limits'> {}

/** The operator's view of one PostgreSQL database, on a connection of its own. */
export class PostgresAdminStore implements OpenedAdminStore {
  readonly environment: Environment;
  readonly pepperCheck: string;
  readonly #client: pg.Client;
  readonly #url: string;

  static async open(url: string): Promise<PostgresAdminStore> {
    const client = await connectAdmin(url);
    try {
      const database = shownAddress(url);
      await requireCurrentSchema(client, database);
      const identity = await readIdentity(client);
      if (!identity) {
        throw new OperatorError(`${database} is not set up completely; run petstore-server migrate first.`);
      }
      return new PostgresAdminStore(client, url, identity);
    } catch (error) {
      await client.end();
      throw error;
    }
  }

  private constructor(client: pg.Client, url: string, { environment, pepperCheck }: DatabaseIdentity) {
    this.#client = client;
    this.#url = url;
    this.environment = environment;
    this.pepperCheck = pepperCheck;
  }

  now(): Promise<number> {
    return readClock(this.#client);
  }

  async findWrongClock(): Promise<string | undefined> {
    const { recordedAtMs } = await readChainHead(this.#client);
    return findIdleLedger(recordedAtMs, await this.now());
  }

  async createAccount({ id, name, plan, limits, createdAtMs }: NewAccount): Promise<void> {
    try {
      await this.#run(ADMIN.createAccount, [id, name, plan, limits.perMinute, limits.perDay, createdAtMs]);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== UNIQUE_VIOLATED) throw error;
      throw new OperatorError(
        `There is an account named ${JSON.stringify(name)} already; petstore-server accounts set-plan changes its plan.`,
      );
    }
  }

  async listAccounts(): Promise<readonly Account[]> {
    const rows = await this.#all<AccountRow>(ADMIN.accounts);
    return rows.map(({ perMinute, perDay, ...account }) => ({ ...account, limits: { perMinute, perDay } }));
  }

  async setPlan(accountId: string, plan: PlanName, { perMinute, perDay }: Limits): Promise<void> {
    if ((await this.#run(ADMIN.setPlan, [accountId, plan, perMinute, perDay])) === 0) {
      throw new OperatorError(`There is no account ${accountId}.`);
    }
  }

  async createKey(key: NewKey): Promise<void> {
    await this.#insertKey(key, null);
  }

  async listKeys(): Promise<readonly Principal[]> {
    return (await this.#all<KeyRow>(ADMIN.keys)).map(toPrincipal);
  }

  async rotateKey(oldKeyId: string, replacement: NewKey, oldExpiresAtMs: number): Promise<void> {
    await inTransaction(this.#client, async () => {
      const bounds = [oldKeyId, oldExpiresAtMs, replacement.createdAtMs];
      if ((await this.#run(ADMIN.expireKey, bounds)) === 0) {
        throw new OperatorError(`Key ${oldKeyId} does not work any more, so it cannot be rotated.`);
      }
      await this.#insertKey(replacement, oldKeyId);
    });
  }

  async revokeKey(keyId: string, atMs: number): Promise<void> {
    await this.#run(ADMIN.revokeKey, [keyId, atMs]);
  }

  async listBans(nowMs: number): Promise<readonly BanRow[]> {
    return this.#all<BanRow>(ADMIN.runningBans, [nowMs]);
  }

  async liftBan(keyId: string, atMs: number): Promise<boolean> {
    return inTransaction(this.#client, async () => {
      if ((await this.#all(ADMIN.runningBan, [keyId, atMs])).length === 0) return false;
      await this.#run(ADMIN.liftBans, [keyId, atMs]);
      return true;
    });
  }

  importPets(rows: Iterable<PetRow>, actor: string, atMs?: number): Promise<ImportResult> {
    return importPets(this.#client, rows, { actor, atMs });
  }

  async backup(file: string): Promise<void> {
    throw new OperatorError(
      `PostgreSQL's own tool backs up this database, while the service runs: pg_dump --format=custom --file=${file} ${shownAddress(this.#url)}`,
    );
  }

  verify(expected?: readonly ChainPoint[]): Promise<AuditReport> {
    return atOneMoment(this.#client, () => verifyDatabase(this.#client, expected));
  }

  pruneMovements(beforeMs: number): Promise<PruneResult> {
    return pruneMovements(this.#client, beforeMs);
  }

  previewPrune(beforeMs: number): Promise<PruneResult> {
    return previewPrune(clientAuditSource(this.#client), beforeMs);
  }

  async close(): Promise<void> {
    await this.#client.end();
  }

  async #insertKey(key: NewKey, rotatedFrom: string | null): Promise<void> {
    const { id, accountId, name, hash, hint, scopes, createdAtMs, expiresAtMs } = key;
    const scopeNames = scopes?.join(' ') ?? null;
    const values = [id, accountId, name, hash, hint, scopeNames, createdAtMs, expiresAtMs, rotatedFrom];
    await this.#run(ADMIN.createKey, values);
  }

  async #all<Row>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.#client.query<Row & pg.QueryResultRow>(sql, values)).rows;
  }

  /** Returns how many rows were changed. */
  async #run(sql: string, values: unknown[]): Promise<number> {
    return (await this.#client.query(sql, values)).rowCount ?? 0;
  }
}
