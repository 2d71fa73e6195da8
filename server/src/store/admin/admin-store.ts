import type { Account, Environment, Principal } from '../../domain/access/api-key.ts';
import type { Limits, PlanName } from '../../domain/access/plans.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { Thresholds } from '../../domain/ledger/alerts.ts';
import type { StockRules } from '../../domain/ledger/ledger-transaction.ts';
import type { AuditReport, ChainPoint } from '../../domain/ledger-store.ts';
import type { OrderStore } from '../../domain/orders/order-store.ts';
import type { BanRow, ImportResult, NewAccount, NewKey, PetRow, PruneResult } from '../../domain/store.ts';
import type { WriteCommand, WriteResult } from '../../domain/write-command.ts';
import { type KeyRow, toPrincipal } from '../access/key-row.ts';
import type { Parameter } from '../history/movement-page.ts';
import { answerOf } from '../idempotency/records.ts';
import { findIdleLedger } from '../ledger/clock-guard.ts';
import { readChainHead } from '../ledger/ledger-bounds.ts';
import { OrderReader } from '../orders/order-reader.ts';
import type { OrderStatementName } from '../orders/order-sql.ts';
import { previewPrune } from '../prune/prune.ts';
import type { DatabaseIdentity, OpenedAdminStore, PepperSource } from '../schema/database-metadata.ts';
import type { SqlValue } from '../sql-client.ts';
import { UsageReader } from '../usage/usage-reader.ts';
import { SecretBox } from '../webhooks/secret-box.ts';
import { SqlWebhookStore } from '../webhooks/webhook-store.ts';
import { SqlActivityLog } from './activity.ts';
import type { AdminEngine } from './admin-engine.ts';
import { requireIdentity } from './identity.ts';
import { requireCurrentSchema } from './migrate.ts';
import { pruneMovements } from './prune.ts';
import { readShopThresholds, setShopThresholds } from './shop-thresholds.ts';
import { ADMIN } from './statements.ts';
import { verifyDatabase } from './verify.ts';

interface AccountRow extends Limits, Omit<Account, 'limits'> {}

/** The operator's view of a database, on a connection of its own: a service may use the same database. */
export class SqlAdminStore implements OpenedAdminStore {
  readonly environment: Environment;
  readonly pepperCheck: string;
  readonly orders: OrderStore;
  readonly activity: SqlActivityLog;
  readonly webhooks: SqlWebhookStore;
  readonly usage: UsageReader;
  readonly #engine: AdminEngine;
  readonly #rules: StockRules;

  /** @throws OperatorError when the schema is not this release's; the engine is closed then. */
  static async open(engine: AdminEngine, rules: StockRules, pepper: PepperSource): Promise<SqlAdminStore> {
    try {
      await requireCurrentSchema(engine);
      return new SqlAdminStore(engine, rules, await requireIdentity(engine, engine.name), pepper);
    } catch (error) {
      await engine.close();
      throw error;
    }
  }

  private constructor(
    engine: AdminEngine,
    rules: StockRules,
    { environment, pepperCheck }: DatabaseIdentity,
    pepper: PepperSource,
  ) {
    this.#engine = engine;
    this.#rules = rules;
    this.orders = new OrderReader(
      <Row>(name: OrderStatementName, values: readonly Parameter[]) =>
        engine.all<Row>(engine.dialect.orders[name], values),
      () => engine.now(),
    );
    this.activity = new SqlActivityLog(engine);
    this.webhooks = new SqlWebhookStore(engine, new SecretBox(() => pepper(pepperCheck)));
    this.usage = new UsageReader(engine, engine.dialect.lastMinute);
    this.environment = environment;
    this.pepperCheck = pepperCheck;
  }

  now(): Promise<number> {
    return this.#engine.now();
  }

  async findWrongClock(): Promise<string | undefined> {
    const { recordedAtMs } = await readChainHead(this.#engine);
    return findIdleLedger(recordedAtMs, await this.now());
  }

  async createAccount({ id, name, plan, limits, createdAtMs }: NewAccount): Promise<void> {
    const { dialect } = this.#engine;
    try {
      await this.#engine.transaction(async () => {
        const values = [id, name, plan, limits.perMinute, limits.perDay, createdAtMs];
        await this.#engine.run(ADMIN.createAccount, values);
        if (dialect.insertUsage) await this.#engine.run(dialect.insertUsage, [id]);
      });
    } catch (error) {
      if (!this.#engine.isDuplicate(error)) throw error;
      throw new OperatorError(
        `There is an account named ${JSON.stringify(name)} already; petstore-server accounts set-plan changes its plan.`,
      );
    }
  }

  async listAccounts(): Promise<readonly Account[]> {
    const rows = await this.#engine.all<AccountRow>(ADMIN.accounts(this.#engine.dialect));
    return rows.map(({ perMinute, perDay, ...account }) => ({ ...account, limits: { perMinute, perDay } }));
  }

  async setPlan(accountId: string, plan: PlanName, { perMinute, perDay }: Limits): Promise<void> {
    if ((await this.#write(ADMIN.setPlan, [accountId, plan, perMinute, perDay])) > 0) return;
    throw new OperatorError(`There is no account ${accountId}.`);
  }

  async createKey(key: NewKey): Promise<void> {
    await this.#write(ADMIN.createKey, keyValues(key, null));
  }

  async listKeys(): Promise<readonly Principal[]> {
    return (await this.#engine.all<KeyRow>(ADMIN.keys(this.#engine.dialect))).map(toPrincipal);
  }

  async rotateKey(oldKeyId: string, replacement: NewKey, oldExpiresAtMs: number): Promise<void> {
    await this.#engine.transaction(async () => {
      const bounds = [oldKeyId, oldExpiresAtMs, replacement.createdAtMs];
      if ((await this.#engine.run(ADMIN.expireKey, bounds)) === 0) {
        throw new OperatorError(`Key ${oldKeyId} does not work any more, so it cannot be rotated.`);
      }
      await this.#engine.run(ADMIN.createKey, keyValues(replacement, oldKeyId));
    });
  }

  async revokeKey(keyId: string, atMs: number): Promise<void> {
    await this.#write(ADMIN.revokeKey, [keyId, atMs]);
  }

  async listBans(nowMs: number): Promise<readonly BanRow[]> {
    return this.#engine.all<BanRow>(ADMIN.runningBans, [nowMs]);
  }

  async liftBan(keyId: string, atMs: number): Promise<boolean> {
    return this.#engine.transaction(async () => {
      if ((await this.#engine.all(ADMIN.runningBan, [keyId, atMs])).length === 0) return false;
      await this.#engine.run(ADMIN.liftBans, [keyId, atMs]);
      return true;
    });
  }

  importPets(rows: Iterable<PetRow>, actor: string, atMs?: number): Promise<ImportResult> {
    return this.#engine.importPets(rows, { actor, requestId: null, atMs });
  }

  async write(command: WriteCommand): Promise<WriteResult> {
    const author = { actor: 'cli', actorName: 'cli', requestId: null, atMs: await this.now() };
    const answer = answerOf(await this.#engine.write({ author, command }, this.#rules));
    if (answer.kind !== 'written') throw new Error(`A write without a key was answered with ${answer.kind}.`);
    return answer.result;
  }

  async defaultThresholds(): Promise<Thresholds> {
    return readShopThresholds(this.#engine);
  }

  setDefaultThresholds(thresholds: Thresholds): Promise<number> {
    return setShopThresholds(this.#engine, thresholds, (command) => this.write(command));
  }

  backup(file: string): Promise<void> {
    return this.#engine.backup(file);
  }

  verify(expected?: readonly ChainPoint[]): Promise<AuditReport> {
    return this.#engine.snapshot(() => verifyDatabase(this.#engine, expected));
  }

  pruneMovements(beforeMs: number): Promise<PruneResult> {
    return pruneMovements(this.#engine, beforeMs);
  }

  previewPrune(beforeMs: number): Promise<PruneResult> {
    return previewPrune(this.#engine, beforeMs);
  }

  close(): Promise<void> {
    return this.#engine.close();
  }

  /** Returns the number of rows changed. */
  #write(sql: string, values: readonly SqlValue[]): Promise<number> {
    return this.#engine.transaction(() => this.#engine.run(sql, values));
  }
}

function keyValues(key: NewKey, rotatedFrom: string | null): SqlValue[] {
  const { id, accountId, name, hash, hint, scopes, createdAtMs, expiresAtMs } = key;
  return [id, accountId, name, hash, hint, scopes?.join(' ') ?? null, createdAtMs, expiresAtMs, rotatedFrom];
}
