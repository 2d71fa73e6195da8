import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import type { ReportProgress } from '@petstore-inventory/shared/report-progress';
import type { Thresholds } from '@petstore-inventory/shared/thresholds';
import type { PlanName, Role } from '@petstore-inventory/shared/words';
import type { Account, Environment, KeyKind, Scope } from './access/api-key.ts';
import type { Ban } from './access/bans.ts';
import type { Limits } from './access/plans.ts';
import type { Principal } from './access/principal.ts';
import type { ImportJobs } from './import-jobs.ts';
import type { LedgerHead } from './ledger/ledger.ts';
import type { Prune } from './ledger/prunes.ts';
import type { AuditReport, ChainPoint } from './ledger-store.ts';
import type { ActionAuthor, ActivityLog } from './management/activity.ts';
import type { BulkChangeStore, BulkJobs } from './management/bulk-changes.ts';
import type { ImportMappingStore } from './management/import-mappings.ts';
import type { ImportStore } from './management/imports.ts';
import type { OverviewStore } from './management/overview.ts';
import type { PetStore } from './management/pet-store.ts';
import type { SavedViewStore } from './management/saved-views.ts';
import type { SessionStore } from './management/sessions.ts';
import type { ReorderStore } from './management/reorders.ts';
import type { ReportStore } from './management/reports/reports.ts';
import type { StocktakeStore } from './management/stocktakes.ts';
import type { UsageHistory } from './management/usage.ts';
import type { NewestBackup } from './newest-backup.ts';
import type { OrderStore } from './orders/order-store.ts';
import type { WebhookStore } from './webhooks/webhook-store.ts';
import type { WriteCommand, WriteResult } from './write-command.ts';

export interface NewKey {
  readonly id: string;
  /** `null`: a management key, which has a role. */
  readonly accountId: string | null;
  readonly role: Role | null;
  readonly name: string;
  readonly hash: Uint8Array;
  readonly hint: string;
  /** `null`: every scope there is, or those of the role. */
  readonly scopes: readonly Scope[] | null;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
}

export interface NewAccount {
  readonly id: string;
  readonly name: string;
  readonly plan: PlanName;
  readonly limits: Limits;
  readonly createdAtMs: number;
}

/** The new values of an account; what is left out stays. */
export interface AccountChange {
  readonly name?: string;
  readonly plan?: PlanName;
  /** Requests per minute and per day of the enterprise plan. */
  readonly perMinute?: number;
  readonly perDay?: number;
}

/** A page of the accounts, in the order of their names. */
export interface AccountQuery {
  /** A part of the name or the id, in capital or small letters. */
  readonly words?: string;
  /** The name of the account after which the page begins, as it was then: a rename must not move the page. */
  readonly after?: string;
  readonly limit?: number;
}

/** The place of a key in its list. */
export interface KeyPlace {
  /** Empty for a management key. */
  readonly accountName: string;
  readonly createdAtMs: number;
  readonly id: string;
}

/** A page of the keys of one kind, in the order of their accounts' names, then of their creation. */
export interface KeyQuery {
  /** Keys of clients by default. */
  readonly kind?: KeyKind;
  readonly accountId?: string;
  /** A part of the name, the id, the hint or the name of the account, in capital or small letters. */
  readonly words?: string;
  /** The place after which the page begins, as it was then: a rename of an account must not move the page. */
  readonly after?: KeyPlace;
  readonly limit?: number;
}

/** A page of the bans. */
export interface BanQuery {
  /** The id of the key after which the page begins. */
  readonly after?: string;
  readonly limit?: number;
}

export interface BanRow extends Ban {
  readonly id: number;
  readonly keyHint: string;
  readonly accountName: string;
  readonly liftedAtMs: number | null;
}

export interface ImportResult {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
}

export interface PruneResult {
  /** How many movements this run deleted. */
  readonly movements: number;
  /** The retention start: movements up to this one may be deleted. */
  readonly start: LedgerHead;
  /** The record of this prune, if the ledger begins later than before. */
  readonly prune: Prune | undefined;
}

/** What a prune would do. */
export interface PrunePreview extends PruneResult {
  /** Webhook endpoints that have not received all movements that it would delete. */
  readonly endpointsBehind: number;
}

export interface AccountStore {
  /** @throws OperatorError `conflict` when another account has the name. */
  create(account: NewAccount, author: ActionAuthor): Promise<void>;
  list(query?: AccountQuery): Promise<readonly Account[]>;
  find(accountId: string): Promise<Account | undefined>;
  /**
   * Returns the account as it is after the change. Limits without a plan are for the plan that the account has then.
   * @throws OperatorError `not_found`, `validation_failed` when limits and plan do not fit, or `conflict` when another
   * account has the name.
   */
  update(accountId: string, change: AccountChange, author: ActionAuthor): Promise<Account>;
}

/** Keys of clients and of the management. */
export interface ApiKeyStore {
  create(key: NewKey, author: ActionAuthor): Promise<void>;
  list(query?: KeyQuery): Promise<readonly Principal[]>;
  /** Finds a key of either kind by its id. */
  find(keyId: string): Promise<Principal | undefined>;
  /**
   * Adds the new key and lets the old one expire at `oldExpiresAtMs`, in one transaction.
   * @throws OperatorError `conflict` when the old one works no more, or was replaced already.
   */
  rotate(oldKeyId: string, replacement: NewKey, oldExpiresAtMs: number, author: ActionAuthor): Promise<void>;
  /** A revoked key stays as it is. */
  revoke(keyId: string, atMs: number, author: ActionAuthor): Promise<void>;
}

export interface BanStore {
  /** In the order of the ids of keys; all by default. */
  list(nowMs: number, page?: BanQuery): Promise<readonly BanRow[]>;
  /** Lifts the running ban of a key; returns whether there was one. Lifting forgives earlier bans too. */
  lift(keyId: string, atMs: number, author: ActionAuthor): Promise<boolean>;
}

export interface BackupOptions {
  /** The folder of PostgreSQL's client programs; empty: on PATH. */
  readonly tools?: string;
  readonly progress?: ReportProgress;
}

/** The operator's commands, while the service runs or not. */
export interface AdminStore {
  /** The environment whose keys this database holds. */
  readonly environment: Environment;
  /** The time by the clock of the service's instances. On a shared database it is not this machine's clock. */
  now(): Promise<number>;
  /** A sentence why that time may be wrong, from a comparison with the newest movement's time. */
  findWrongClock(): Promise<string | undefined>;
  readonly accounts: AccountStore;
  readonly keys: ApiKeyStore;
  readonly bans: BanStore;
  /**
   * Creates and updates all rows, each with its movement, or none of them. The activity log gets one line.
   * @param atMs The time to record; that of `now` when the ledger is locked, unless a test sets it.
   * @param sums Quantities are added to those of the pets, up to this one.
   * @throws OperatorError for wrong sums.
   */
  importPets(
    rows: Iterable<PetRow>,
    actor: string,
    atMs?: number,
    sums?: { readonly maxQuantity: number },
  ): Promise<ImportResult>;
  /** Executes one write, such as the step of an order, and records it in the activity log if it is done. */
  write(command: WriteCommand, author: ActionAuthor): Promise<WriteResult>;
  readonly orders: OrderStore;
  readonly activity: ActivityLog;
  readonly webhooks: WebhookStore;
  readonly usage: UsageHistory;
  readonly pets: PetStore;
  readonly stocktakes: StocktakeStore;
  readonly reports: ReportStore;
  readonly reorders: ReorderStore;
  readonly imports: ImportStore;
  readonly importMappings: ImportMappingStore;
  readonly savedViews: SavedViewStore;
  readonly bulkChanges: BulkChangeStore;
  readonly sessions: SessionStore;
  readonly overview: OverviewStore;
  /** The work on imports, for the thread that does it. */
  readonly importJobs: ImportJobs;
  /** The work on bulk changes, for the same thread. */
  readonly bulkJobs: BulkJobs;
  /** The thresholds of pets without their own. */
  defaultThresholds(): Promise<Thresholds>;
  /**
   * Changes the thresholds of all pets without their own. Each of these pets whose alert level changes gets a movement.
   * Others can write meanwhile. Interrupted, it is completed by the same call again.
   * @returns The number of these movements.
   */
  setDefaultThresholds(thresholds: Thresholds, author: ActionAuthor): Promise<number>;
  /** Writes a consistent copy to a new file, while others write. */
  backup(file: string, options?: BackupOptions): Promise<void>;
  /** Records a backup whose restore was verified, in place of the one before. */
  recordBackup(backup: NewestBackup): Promise<void>;
  /**
   * Checks the database's own integrity, and recomputes every hash and every balance of the ledger.
   * @param expected Hashes noted before. The report has a fault for each one that the ledger does not contain, and
   * for each prune that they do not confirm.
   */
  verify(expected?: readonly ChainPoint[], progress?: ReportProgress): Promise<AuditReport>;
  /** Recomputes every hash and every balance of the ledger, without a transaction. */
  audit(): Promise<AuditReport>;
  /**
   * Records a prune, then deletes the movements recorded before a moment, except the newest of each pet and of all.
   * Others can write meanwhile. It finishes an interrupted prune first.
   * @param author The author of the prune and of its line in the activity log.
   * @throws OperatorError when a movement that it would delete or retain does not match its hash, or for a running
   * stock-take whose counts it would delete.
   */
  pruneMovements(beforeMs: number, author: ActionAuthor): Promise<PruneResult>;
  /** Checks and counts what `pruneMovements` would delete, without a change. `prune` is never set. */
  previewPrune(beforeMs: number): Promise<PrunePreview>;
  close(): Promise<void>;
}

/**
 * The operator's commands for a serving process, which runs them in a thread of their own. What needs a file or an
 * iterator of the caller is left to the command line. Where the thread fails, callers get
 * `ApiError('service_unavailable')`.
 */
export interface ManagementStore extends Omit<
  AdminStore,
  'environment' | 'importPets' | 'importJobs' | 'bulkJobs' | 'backup' | 'recordBackup' | 'verify' | 'close'
> {
  /** As `AdminStore.verify`; no message carries a function. */
  verify(expected?: readonly ChainPoint[]): Promise<AuditReport>;
}

/** The commands of a serving process by kind, so that none waits for those of another kind. */
export interface ManagementStores {
  /** For management actions that take milliseconds: one waits for the other. */
  readonly management: ManagementStore;
  /** For those that may take minutes. */
  readonly jobs: ManagementStore;
  /** For the pages of exports. */
  readonly exporting: ManagementStore;
  /** For reports. */
  readonly reporting: ManagementStore;
}
