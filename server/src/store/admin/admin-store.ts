import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import type { ReportProgress } from '@petstore-inventory/shared/report-progress';
import type { Thresholds } from '@petstore-inventory/shared/thresholds';
import type { Environment } from '../../domain/access/api-key.ts';
import type { BackupOptions, ImportResult, PrunePreview, PruneResult } from '../../domain/admin-store.ts';
import type { StockRules } from '../../domain/ledger/ledger-transaction.ts';
import type { AuditReport, ChainPoint } from '../../domain/ledger-store.ts';
import type { Action, ActionAuthor } from '../../domain/management/activity.ts';
import type { NewestBackup } from '../../domain/newest-backup.ts';
import type { OrderStore } from '../../domain/orders/order-store.ts';
import { activityOf } from '../../domain/write-activity.ts';
import type { WriteCommand, WriteResult } from '../../domain/write-command.ts';
import { decodeOutcome } from '../idempotency/records.ts';
import { SqlImportJobs } from '../imports/import-jobs.ts';
import { SqlImportMappingStore } from '../imports/import-mapping-store.ts';
import { SqlImportStore } from '../imports/import-store.ts';
import { addQuantities } from '../imports/pet-import.ts';
import { recordAction } from '../ledger/activity.ts';
import { findIdleLedger, findWrongStart } from '../ledger/clock-guard.ts';
import { readChainHead } from '../ledger/ledger-bounds.ts';
import { readShopThresholds } from '../ledger/shop-thresholds.ts';
import { OrderReader } from '../orders/order-reader.ts';
import type { OrderStatementName } from '../orders/order-sql.ts';
import { previewPrune } from '../prune/prune.ts';
import type {
  DatabaseFacts,
  FoundDatabase,
  MoveMark,
  OpenedAdminStore,
  PepperSource,
  RulesSource,
} from '../schema/database-metadata.ts';
import { SqlReorderStore } from '../reorders/reorder-store.ts';
import { READ_NEWEST_BACKUP, writeNewestBackup } from '../schema/newest-backup.ts';
import type { Parameter } from '../sql-client.ts';
import { refuseRunning } from '../stocktakes/stocktake-prune.ts';
import { UsageReader } from '../usage/usage-history.ts';
import { SecretBox } from '../webhooks/secret-box.ts';
import { SqlWebhookStore } from '../webhooks/webhook-store.ts';
import { SqlAccountStore } from './account-store.ts';
import { SqlActivityLog } from './activity-log.ts';
import type { AdminEngine } from './admin-engine.ts';
import { SqlBulkChangeStore } from './bulk-changes/bulk-change-store.ts';
import { SqlBulkJobs } from './bulk-changes/bulk-jobs.ts';
import { requireIdentity, writeSettings } from './identity.ts';
import { SqlApiKeyStore } from './api-key-store.ts';
import { SqlBanStore } from './ban-store.ts';
import { requireSchema } from './migrate.ts';
import { SqlOverviewStore } from './overview-store.ts';
import { SqlPetStore } from './pet-store.ts';
import { countEndpointsBehind, pruneMovements } from './prune.ts';
import { SqlReportStore } from './report-store.ts';
import { SqlSavedViewStore } from './saved-view-store.ts';
import { SqlSessionStore } from './session-store.ts';
import { setShopThresholds } from './shop-thresholds.ts';
import { SqlStocktakeStore } from './stocktake-store.ts';
import { auditLedger } from '../audit/audit.ts';
import { verifyDatabase } from './verify.ts';

interface AdminStoreOptions {
  readonly rules: RulesSource;
  readonly pepper: PepperSource;
  readonly acceptsOlder: boolean;
}

/** The operator's view of a database, on a connection of its own: a service may use the same database. */
export class SqlAdminStore implements OpenedAdminStore {
  readonly environment: Environment;
  readonly pepperCheck: string;
  readonly isSample: boolean;
  readonly move: MoveMark | undefined;
  readonly settings: Readonly<Record<string, string>>;
  readonly accounts: SqlAccountStore;
  readonly keys: SqlApiKeyStore;
  readonly bans: SqlBanStore;
  readonly orders: OrderStore;
  readonly activity: SqlActivityLog;
  readonly webhooks: SqlWebhookStore;
  readonly usage: UsageReader;
  readonly pets: SqlPetStore;
  readonly stocktakes: SqlStocktakeStore;
  readonly reports: SqlReportStore;
  readonly reorders: SqlReorderStore;
  readonly imports: SqlImportStore;
  readonly importMappings: SqlImportMappingStore;
  readonly savedViews: SqlSavedViewStore;
  readonly importJobs: SqlImportJobs;
  readonly bulkChanges: SqlBulkChangeStore;
  readonly bulkJobs: SqlBulkJobs;
  readonly sessions: SqlSessionStore;
  readonly overview: SqlOverviewStore;
  readonly #engine: AdminEngine;
  readonly #rules: StockRules;

  /** @throws OperatorError when the schema is another one; the engine is closed then. */
  static async open(
    engine: AdminEngine,
    { rules, pepper, acceptsOlder }: AdminStoreOptions,
  ): Promise<SqlAdminStore> {
    try {
      await requireSchema(engine, acceptsOlder);
      const found = await requireIdentity(engine, engine.name);
      return new SqlAdminStore(engine, typeof rules === 'function' ? rules(found) : rules, found, pepper);
    } catch (error) {
      await engine.close();
      throw error;
    }
  }

  private constructor(
    engine: AdminEngine,
    rules: StockRules,
    { environment, pepperCheck, isSample, move, settings }: FoundDatabase,
    pepper: PepperSource,
  ) {
    this.#engine = engine;
    this.#rules = rules;
    this.accounts = new SqlAccountStore(engine);
    this.keys = new SqlApiKeyStore(engine);
    this.bans = new SqlBanStore(engine);
    this.orders = new OrderReader(
      <Row>(name: OrderStatementName, values: readonly Parameter[]) =>
        engine.all<Row>(engine.dialect.orders[name], values),
      () => engine.now(),
    );
    this.activity = new SqlActivityLog(engine);
    this.webhooks = new SqlWebhookStore(engine, new SecretBox(() => pepper(pepperCheck)));
    this.usage = new UsageReader(engine, engine.dialect.lastMinute);
    this.pets = new SqlPetStore(engine, rules);
    this.stocktakes = new SqlStocktakeStore(engine, rules);
    this.reports = new SqlReportStore(engine);
    this.reorders = new SqlReorderStore(engine);
    this.imports = new SqlImportStore(engine);
    this.importMappings = new SqlImportMappingStore(engine);
    this.savedViews = new SqlSavedViewStore(engine);
    this.importJobs = new SqlImportJobs(engine);
    this.bulkChanges = new SqlBulkChangeStore(engine);
    this.bulkJobs = new SqlBulkJobs(engine);
    this.sessions = new SqlSessionStore(engine);
    this.overview = new SqlOverviewStore(engine);
    this.environment = environment;
    this.pepperCheck = pepperCheck;
    this.isSample = isSample;
    this.move = move;
    this.settings = settings;
  }

  recordSettings(settings: Readonly<Record<string, string>>): Promise<void> {
    return writeSettings(this.#engine, settings);
  }

  async inspect(capacityBytes: number | undefined): Promise<DatabaseFacts> {
    const [row] = await this.#engine.all<{ version: string }>(this.#engine.dialect.version);
    const { recordedAtMs } = await readChainHead(this.#engine);
    const freeBytes = await this.#engine.freeBytes(capacityBytes);
    const [newestBackup] = await this.#engine.all<NewestBackup>(READ_NEWEST_BACKUP);
    // The last of all reads, because callers compare it with their own clock.
    const nowMs = await this.now();
    return {
      version: row?.version ?? '',
      freeBytes,
      nowMs,
      newestBackup,
      clockFault: findWrongStart(recordedAtMs, nowMs),
    };
  }

  now(): Promise<number> {
    return this.#engine.now();
  }

  async findWrongClock(): Promise<string | undefined> {
    const { recordedAtMs } = await readChainHead(this.#engine);
    return findIdleLedger(recordedAtMs, await this.now());
  }

  importPets(
    rows: Iterable<PetRow>,
    actor: string,
    atMs?: number,
    sums?: { readonly maxQuantity: number },
  ): Promise<ImportResult> {
    const author = { actor, requestId: null };
    return this.#engine.importPets(
      rows,
      { ...author, atMs },
      {
        begin: async () => sums && addQuantities(this.#engine, sums.maxQuantity),
        end: (result) =>
          recordAction(
            this.#engine,
            author,
            {
              action: 'pets.import',
              target: null,
              details: { ...result, mode: sums ? 'add' : 'set' },
            },
            atMs,
          ),
      },
    );
  }

  write(command: WriteCommand, author: ActionAuthor): Promise<WriteResult> {
    return this.#write(command, author, activityOf(command));
  }

  defaultThresholds(): Promise<Thresholds> {
    return readShopThresholds(this.#engine);
  }

  setDefaultThresholds(thresholds: Thresholds, author: ActionAuthor): Promise<number> {
    return setShopThresholds(this.#engine, { thresholds, author }, (command) => this.#write(command, author));
  }

  backup(file: string, options?: BackupOptions): Promise<void> {
    return this.#engine.backup(file, options);
  }

  recordBackup(backup: NewestBackup): Promise<void> {
    return this.#engine.transaction(() => writeNewestBackup(this.#engine, backup));
  }

  verify(expected?: readonly ChainPoint[], progress?: ReportProgress): Promise<AuditReport> {
    return this.#engine.snapshot(() => verifyDatabase(this.#engine, expected, progress));
  }

  audit(): Promise<AuditReport> {
    return auditLedger(this.#engine);
  }

  pruneMovements(beforeMs: number, author: ActionAuthor): Promise<PruneResult> {
    return pruneMovements(this.#engine, beforeMs, author);
  }

  async previewPrune(beforeMs: number): Promise<PrunePreview> {
    const result = await previewPrune(this.#engine, beforeMs);
    await refuseRunning(this.#engine, result.start.sequence);
    const endpointsBehind =
      result.movements === 0 ? 0 : await countEndpointsBehind(this.#engine, result.start.sequence);
    return { ...result, endpointsBehind };
  }

  get isLost(): boolean {
    return this.#engine.isLost;
  }

  close(): Promise<void> {
    return this.#engine.close();
  }

  async #write(
    command: WriteCommand,
    { actor, requestId }: ActionAuthor,
    activity?: Action,
  ): Promise<WriteResult> {
    const author = { actor, actorName: actor, requestId, atMs: await this.now() };
    const outcome = decodeOutcome(await this.#engine.write({ author, command, activity }, this.#rules));
    if (outcome.kind !== 'written') throw new Error(`A write without a key ended as ${outcome.kind}.`);
    return outcome.result;
  }
}
