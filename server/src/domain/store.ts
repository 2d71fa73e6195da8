import type { Environment } from './access/api-key.ts';
import type { Ban } from './access/bans.ts';
import type { Principal, SessionOwner } from './access/principal.ts';
import type { WindowUsage } from './access/rate-limit.ts';
import type { ApiError, NotReady } from './errors.ts';
import type { Pet } from './inventory.ts';
import type { LedgerHead } from './ledger/ledger.ts';
import type { StockStore } from './ledger-store.ts';
import type { CatalogPage } from './management/catalog.ts';
import type { CodeKey } from './management/pet-codes.ts';
import type { ManagedPet } from './management/pets.ts';
import type { MaybePromise } from './maybe-promise.ts';
import type { NewestBackup } from './newest-backup.ts';

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
  /** The JSON of the list as one gzip stream (RFC 1952), made from prepared pieces. */
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

/** A page of the list. `nextAfter` is the petId after which the next page begins, if there is one. */
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

/** Reads pets with their names and codes. */
export interface CatalogStore {
  /** The pets that are not archived, among the `limit` pets that come after `after`. */
  catalogPage(after: bigint | undefined, limit: number): MaybePromise<CatalogPage>;
  /** The pet of an id or a code, also an archived one. */
  findManagedPet(by: bigint | CodeKey): MaybePromise<ManagedPet | undefined>;
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
  /** The windows of minute and day, and any ban, without taking a request from them. */
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

/**
 * All that a serving process needs of a database. A third engine implements this interface for the service, and
 * `AdminEngine` for the operator's commands, and passes the same contract tests. Where the database fails, callers
 * get `ApiError('service_unavailable')`.
 */
export interface Store extends InventoryStore, CatalogStore, StockStore, LimitStore, KeyStore {
  /** The environment whose keys this database holds. */
  readonly environment: Environment;
  /**
   * The time in Unix milliseconds that decides about everything this database stores. All instances of a shared database
   * have the same, up to the duration of a query, and it is never ahead of that of the database.
   */
  now(): number;
  /** Resolves when requests can be served now. Rejects when not, with `NotReady` where the reason is known. */
  checkHealth(): Promise<void>;
  /** Bytes that webhook endpoints which are not paused take in the sending thread; `undefined` without such an endpoint. */
  webhookMemory(): MaybePromise<number | undefined>;
  /** Whether any import or bulk change waits for a runner, or must be deleted. */
  hasImportWork(): MaybePromise<boolean>;
  /** A sentence for the log when the clock is so wrong that changes are refused. */
  clockFault(): string | undefined;
  /** Looks at the files of the database. Why they must not be used, with any connection: a restart may find others. */
  fileFault(): NotReady | undefined;
  /** `undefined` before the first one. */
  newestBackup(): MaybePromise<NewestBackup | undefined>;
  /** The size of the database on disk. */
  databaseBytes(): MaybePromise<number>;
  /**
   * Free disk space for users other than root. On PostgreSQL, whose server reports no disk: the free part of the
   * configured capacity; `undefined` without one.
   */
  freeBytes(): MaybePromise<number | undefined>;
  /** Whether a change was refused lately because the disk of the database is full. */
  isDiskFull(): boolean;
  /** Writes what is only in memory, waits for every write in progress, and closes. */
  close(): Promise<void>;
}
