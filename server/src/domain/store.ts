import type { Account, Environment, KeyKind, Principal, Scope } from './access/api-key.ts';
import type { Ban } from './access/bans.ts';
import type { Limits, PlanName } from './access/plans.ts';
import type { WindowUsage } from './access/rate-limit.ts';
import type { Role } from './access/roles.ts';
import type { SessionOwner } from './access/sessions.ts';
import type { ApiError } from './errors.ts';
import type { ImportJobs } from './import-jobs.ts';
import type { Pet, PetStatus } from './inventory.ts';
import type { Thresholds } from './ledger/alerts.ts';
import type { LedgerHead } from './ledger/ledger.ts';
import type { Prune } from './ledger/prunes.ts';
import type { AuditReport, ChainPoint, StockStore } from './ledger-store.ts';
import type { ActionAuthor, ActivityLog } from './management/activity.ts';
import type { ImportStore } from './management/imports.ts';
import type { PetStore } from './management/pets.ts';
import type { SessionStore } from './management/sessions.ts';
import type { ShopState } from './management/shop-totals.ts';
import type { UsageHistory } from './management/usage.ts';
import type { MaybePromise } from './maybe-promise.ts';
import type { OrderStore } from './orders/order-store.ts';
import type { ReportProgress } from './report-progress.ts';
import type { WebhookStore } from './webhooks/webhook-store.ts';
import type { WriteCommand, WriteResult } from './write-command.ts';

/**
 * The whole list of the inventory at one sequence of the ledger, ready to send: a JSON array, ascending by petId. Its
 * content never changes.
 */
export interface InventoryList {
  /** Names the bytes of `json` and no others; changes with every movement. */
  readonly tag: string;
  /**
   * Names the bytes of `gzip`: `gzipTagPrefix` of `tag`, and what distinguishes them from other gzip forms of the
   * list.
   */
  readonly gzipTag: string;
  readonly itemCount: number;
  readonly byteLength: number;
  json(): ListContent;
  /** The same as one gzip stream (RFC 1952), made from prepared pieces. */
  gzip(): ListContent;
  /** What the list keeps in memory. Lists of other moments share the parts that are the same. */
  parts(): Iterable<Uint8Array>;
}

/** The beginning of the tags of all gzip forms of a list. All decompress to the same list. */
export function gzipTagPrefix(tag: string): string {
  return `${tag}-gzip-`;
}

/**
 * A small list in one piece, as ASCII text or as bytes, whichever is cheaper to send. A large one in pieces, made one
 * by one as the client takes them.
 */
export type ListContent = string | Uint8Array | Iterable<Uint8Array>;

/** A part of the list. `nextAfter` is the petId after which the next page begins, if there is one. */
export interface InventoryPage {
  readonly tag: string;
  readonly json: Uint8Array | string;
  readonly nextAfter: bigint | undefined;
}

/**
 * Reads lists and single pets. `head` is the newest movement at a moment after the caller's request arrived, if it is
 * known; it saves a query.
 */
export interface InventoryStore {
  /** The tag of the current list, without the list. */
  inventoryTag(head?: LedgerHead): MaybePromise<string>;
  /** The list with every change that any process acknowledged before this call. */
  listInventory(head?: LedgerHead): MaybePromise<InventoryList>;
  /** Up to `limit` items whose petId comes after `after`. */
  listInventoryPage(after: bigint | undefined, limit: number): MaybePromise<InventoryPage>;
  findPet(petId: bigint): MaybePromise<Pet | undefined>;
}

/** Why a request was not admitted, and when to retry. */
export interface Refusal {
  readonly code: 'rate_limit_exceeded' | 'daily_quota_exceeded' | 'api_key_banned';
  readonly retryAtMs: number;
  /** The ban that this request caused. */
  readonly imposed?: Ban;
}

/** The decision about one request, with both windows after it. */
export interface Admission {
  readonly windows: readonly WindowUsage[];
  readonly refusal: Refusal | undefined;
  /** Set when the database could not decide; the windows are then the last ones known. */
  readonly failure?: ApiError;
  /** The time of the decision, by the clock of the windows. */
  readonly atMs: number;
  /** The newest movement at that time, if the query returned it. */
  readonly head?: LedgerHead;
}

export interface LimitStatus {
  readonly windows: readonly WindowUsage[];
  readonly ban: Ban | undefined;
  /** The time of this status, by the clock of the windows. */
  readonly atMs: number;
}

/** Limits: the counters of accounts and the bans of keys. */
export interface LimitStore {
  /**
   * Decides about one request of a key: banned, over a limit, or admitted. An admitted request takes one from both
   * windows. A refused one takes nothing, and may be the strike that bans the key.
   */
  admit(principal: Principal, nowMs: number): MaybePromise<Admission>;
  /** Both windows and any ban, without taking anything. */
  limitStatus(principal: Principal, nowMs: number): MaybePromise<LimitStatus>;
}

/** Finds keys for requests. */
export interface KeyStore {
  /**
   * A number that changes when any account, key or ban may have changed, in this process or another. A key found
   * under another number must be looked up again.
   */
  accessVersion(): number;
  /** @param isGuess The caller has used up its guesses: the look-up may wait and share a query with others. */
  findKey(hash: Uint8Array, isGuess?: boolean): MaybePromise<Principal | undefined>;
  /** Records that a key was used. It is written at most once per minute, and never while a request waits. */
  noteKeyUse(keyId: string, nowMs: number): void;
  /** The session of a secret with its key, valid or not. Changes of the key change the access version; so does the end. */
  findSession(hash: Uint8Array, isGuess?: boolean): MaybePromise<SessionOwner | undefined>;
  /** As `noteKeyUse`. */
  noteSessionUse(sessionId: string, nowMs: number): void;
}

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
  /** Set together with its limits. */
  readonly plan?: PlanName;
  readonly limits?: Limits;
}

/** A part of the accounts, in the order of their names. */
export interface AccountQuery {
  /** The id of the account after which the part begins. */
  readonly after?: string;
  readonly limit?: number;
}

/** A part of the keys of one kind, in the order of their accounts' names, then of their creation. */
export interface KeyQuery {
  /** Keys of clients by default. */
  readonly kind?: KeyKind;
  readonly accountId?: string;
  /** The id of the key after which the part begins. */
  readonly after?: string;
  readonly limit?: number;
}

export interface BanRow extends Ban {
  readonly id: number;
  readonly keyHint: string;
  readonly accountName: string;
  readonly liftedAtMs: number | null;
}

/**
 * A checked row of a file of pets. `null`: the file has no value. An existing pet keeps its own; a new one has no
 * name or category, and is available.
 */
export interface PetRow {
  readonly petId: bigint;
  readonly name: string | null;
  readonly category: string | null;
  readonly quantity: number;
  readonly status: PetStatus | null;
  /** `undefined`: the file does not change the thresholds; a new pet has none of its own. */
  readonly thresholds?: Thresholds | undefined;
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

/** The operator's commands, while the service runs or not. */
export interface AdminStore {
  /** The environment whose keys this database holds. */
  readonly environment: Environment;
  /** The time by the clock of the service's instances. On a shared database it is not this machine's clock. */
  now(): Promise<number>;
  /** A sentence why that time may be wrong, from a comparison with the newest movement's time. */
  findWrongClock(): Promise<string | undefined>;
  /** @throws OperatorError `conflict` when another account has the name. */
  createAccount(account: NewAccount, author: ActionAuthor): Promise<void>;
  listAccounts(query?: AccountQuery): Promise<readonly Account[]>;
  findAccount(accountId: string): Promise<Account | undefined>;
  /** @throws OperatorError `not_found`, or `conflict` when another account has the name. */
  updateAccount(accountId: string, change: AccountChange, author: ActionAuthor): Promise<void>;
  createKey(key: NewKey, author: ActionAuthor): Promise<void>;
  listKeys(query?: KeyQuery): Promise<readonly Principal[]>;
  /** Finds a key of either kind by its id. */
  findKey(keyId: string): Promise<Principal | undefined>;
  /**
   * Adds the new key and lets the old one expire at `oldExpiresAtMs`, in one transaction.
   * @throws OperatorError `conflict` when the old one works no more, or was replaced already.
   */
  rotateKey(
    oldKeyId: string,
    replacement: NewKey,
    oldExpiresAtMs: number,
    author: ActionAuthor,
  ): Promise<void>;
  /** A revoked key stays as it is. */
  revokeKey(keyId: string, atMs: number, author: ActionAuthor): Promise<void>;
  /** @param page In the order of the ids of keys; all by default. `after` is the key of the last ban of the page before. */
  listBans(nowMs: number, page?: AccountQuery): Promise<readonly BanRow[]>;
  /** Lifts the running ban of a key; returns whether there was one. Lifting forgives earlier bans too. */
  liftBan(keyId: string, atMs: number, author: ActionAuthor): Promise<boolean>;
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
  readonly imports: ImportStore;
  readonly sessions: SessionStore;
  readonly shop: ShopState;
  /** The work on imports, for the thread that does it. */
  readonly importJobs: ImportJobs;
  /** The thresholds of pets without their own. */
  defaultThresholds(): Promise<Thresholds>;
  /**
   * Changes the thresholds of all pets without their own. Each of these pets whose alert level changes gets a movement.
   * Others can write meanwhile. Interrupted, it is completed by the same call again.
   * @returns The number of these movements.
   */
  setDefaultThresholds(thresholds: Thresholds, author: ActionAuthor): Promise<number>;
  /** Writes a consistent copy to a new file, while others write. */
  backup(file: string, progress?: ReportProgress): Promise<void>;
  /**
   * Checks the database's own integrity, and recomputes every hash and every balance of the ledger.
   * @param expected Hashes noted before. The report has a fault for each one that the ledger does not contain, and
   * for each prune that they do not confirm.
   */
  verify(expected?: readonly ChainPoint[], progress?: ReportProgress): Promise<AuditReport>;
  /**
   * Records a prune, then deletes the movements recorded before a moment, except the newest of each pet and of all.
   * Others can write meanwhile. It finishes an interrupted prune first.
   * @param author The author of the prune and of its line in the activity log.
   * @throws OperatorError when a movement that it would delete or retain does not match its hash.
   */
  pruneMovements(beforeMs: number, author: ActionAuthor): Promise<PruneResult>;
  /** Checks and counts what `pruneMovements` would delete, without a change. `prune` is never set. */
  previewPrune(beforeMs: number): Promise<PruneResult>;
  close(): Promise<void>;
}

/**
 * All that a serving process needs of a database. A third engine implements this interface for the service, and
 * `AdminEngine` for the operator's commands, and passes the same contract tests. Where the database fails, callers
 * get `ApiError('service_unavailable')`.
 */
export interface Store extends InventoryStore, StockStore, LimitStore, KeyStore {
  /** The environment whose keys this database holds. */
  readonly environment: Environment;
  /** Resolves when a request can be served now; rejects with the reason when not. */
  checkHealth(): Promise<void>;
  /** Whether any webhook endpoint is not paused. */
  hasActiveWebhooks(): MaybePromise<boolean>;
  /** Whether any import waits for a runner, or is to be deleted. */
  hasImportWork(nowMs: number): MaybePromise<boolean>;
  /** The size of the database on disk. */
  databaseBytes(): MaybePromise<number>;
  /** What is left of the disk for other users than root; `undefined` when the disk is that of another machine. */
  freeBytes(): MaybePromise<number | undefined>;
  /** Writes what is only in memory, waits for every write in progress, and closes. */
  close(): Promise<void>;
}
