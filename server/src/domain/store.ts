import type { Account, Environment, Principal, Scope } from './api-key.ts';
import type { Ban } from './bans.ts';
import type { ApiError } from './errors.ts';
import type { Pet, PetStatus } from './inventory.ts';
import type { LedgerHead } from './ledger.ts';
import type { AuditReport, ChainPoint, StockStore } from './ledger-store.ts';
import type { MaybePromise } from './maybe-promise.ts';
import type { Limits, PlanName } from './plans.ts';
import type { Prune } from './prunes.ts';
import type { WindowUsage } from './rate-limit.ts';

/**
 * The whole list of the inventory as it stood at one sequence of the ledger, ready to be sent: a JSON array,
 * ascending by petId. Its content never changes once handed out.
 */
export interface InventoryList {
  /** Names the bytes of `json` and no others; changes with every movement. */
  readonly tag: string;
  /** Names the bytes of `gzip`: `gzipTagPrefix` of `tag`, and what tells them from others of the same list. */
  readonly gzipTag: string;
  readonly itemCount: number;
  readonly byteLength: number;
  json(): ListContent;
  /** The same as one gzip stream (RFC 1952), made from prepared pieces. */
  gzip(): ListContent;
  /** What the list keeps in memory. Lists of other moments share the parts that are the same. */
  parts(): Iterable<Uint8Array>;
}

/** How the tags of all gzip forms of a list begin. Each reads the same, whichever pieces it was made of. */
export function gzipTagPrefix(tag: string): string {
  return `${tag}-gzip-`;
}

/**
 * A small list in one piece, as ASCII text or as bytes, whichever is cheaper to send; a large one in pieces, to
 * be made one by one as the client takes them.
 */
export type ListContent = string | Uint8Array | Iterable<Uint8Array>;

/** A part of the list. `nextAfter` is the petId after which the next page begins, if there is one. */
export interface InventoryPage {
  readonly tag: string;
  readonly json: Uint8Array | string;
  readonly nextAfter: bigint | undefined;
}

/**
 * Lists: what the specified one, and the look-up of a pet, ask of a database. `head` is where the
 * ledger stood at a moment after the caller's request had arrived, if that is known; it spares a question.
 */
export interface InventoryStore {
  /** Names the list as it stands now, without making it. */
  inventoryTag(head?: LedgerHead): MaybePromise<string>;
  /** The list with every change in it that was acknowledged before this call, whoever acknowledged it. */
  listInventory(head?: LedgerHead): MaybePromise<InventoryList>;
  /** Up to `limit` items whose petId comes after `after`. */
  listInventoryPage(after: bigint | undefined, limit: number): MaybePromise<InventoryPage>;
  findPet(petId: bigint): MaybePromise<Pet | undefined>;
}

/** Why a request was not admitted, and from when on it may be. */
export interface Refusal {
  readonly code: 'rate_limit_exceeded' | 'daily_quota_exceeded' | 'api_key_banned';
  readonly retryAtMs: number;
  /** The ban that this very request caused. */
  readonly imposed?: Ban;
}

/** The decision about one request, with both windows as they stand after it. */
export interface Admission {
  readonly windows: readonly WindowUsage[];
  readonly refusal: Refusal | undefined;
  /** Set when it could not be decided now; the windows are then those last known. */
  readonly failure?: ApiError;
  /** When it was judged, by the clock that the windows follow. */
  readonly atMs: number;
  /** Where the ledger stood then, if the question told that too. */
  readonly head?: LedgerHead;
}

export interface LimitStatus {
  readonly windows: readonly WindowUsage[];
  readonly ban: Ban | undefined;
  /** When this was so, by the clock that the windows follow. */
  readonly atMs: number;
}

/** Limits: counts of accounts and bans of keys. */
export interface LimitStore {
  /**
   * Judges one request of a key: banned, over a window, or admitted, in which case it takes one from both
   * windows. A refusal takes nothing, and may be the strike that bans the key.
   */
  admit(principal: Principal, nowMs: number): MaybePromise<Admission>;
  /** The same windows and any ban, without taking anything. */
  limitStatus(principal: Principal, nowMs: number): MaybePromise<LimitStatus>;
}

/** Keys as the request's way needs them. */
export interface KeyStore {
  /**
   * A number that changes when any account, key or ban may have changed, in this process or another.
   * What was found under an older number must be asked again.
   */
  accessVersion(): number;
  /** @param isGuess The caller has used up its guesses, so the look-up may wait and share a question with others. */
  findKey(hash: Uint8Array, isGuess?: boolean): MaybePromise<Principal | undefined>;
  /** Notes that a key was used. Written at most once a minute, and never while a request waits. */
  noteKeyUse(keyId: string, nowMs: number): void;
}

export interface NewKey {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly hash: Uint8Array;
  readonly hint: string;
  /** `null`: every scope there is. */
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

export interface BanRow extends Ban {
  readonly id: number;
  readonly keyHint: string;
  readonly accountName: string;
  readonly liftedAtMs: number | null;
}

/**
 * A row of a file of pets, checked. What is `null` the file does not say: a pet that is there keeps what it has,
 * a new one has no name or category, and is available.
 */
export interface PetRow {
  readonly petId: bigint;
  readonly name: string | null;
  readonly category: string | null;
  readonly quantity: number;
  readonly status: PetStatus | null;
}

export interface ImportResult {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
}

export interface PruneResult {
  /** How many movements are gone now that were there before. */
  readonly movements: number;
  /** Where the ledger begins: movements up to there may be gone. */
  readonly start: LedgerHead;
  /** The record of this prune, if the ledger begins later than before. */
  readonly prune: Prune | undefined;
}

/** What the operator's command line asks, while the service runs or not. */
export interface AdminStore {
  /** The environment whose keys this database holds. */
  readonly environment: Environment;
  /** The time by the clock that the instances of the service go by; on a shared database it is not this machine's. */
  now(): Promise<number>;
  /** Why that time may be wrong, in a sentence that compares it with the newest movement's. */
  findWrongClock(): Promise<string | undefined>;
  createAccount(account: NewAccount): Promise<void>;
  listAccounts(): Promise<readonly Account[]>;
  setPlan(accountId: string, plan: PlanName, limits: Limits): Promise<void>;
  createKey(key: NewKey): Promise<void>;
  listKeys(): Promise<readonly Principal[]>;
  /** Adds the new key and lets the old one expire at `oldExpiresAtMs`, in one transaction. */
  rotateKey(oldKeyId: string, replacement: NewKey, oldExpiresAtMs: number): Promise<void>;
  revokeKey(keyId: string, atMs: number): Promise<void>;
  listBans(nowMs: number): Promise<readonly BanRow[]>;
  /** Lifts the running ban of a key; returns whether there was one. Lifting forgives earlier bans too. */
  liftBan(keyId: string, atMs: number): Promise<boolean>;
  /**
   * Creates and updates all rows, each with its movement, or none of them.
   * @param atMs The time to record; that of `now` when the ledger is locked, unless a test sets it.
   */
  importPets(rows: Iterable<PetRow>, actor: string, atMs?: number): Promise<ImportResult>;
  /** Writes a consistent copy to a new file, while others go on writing. */
  backup(file: string): Promise<void>;
  /**
   * Checks the database's own integrity, and recomputes every hash and every balance of the ledger.
   * @param expected Hashes noted before. A fault reports each that the ledger does not contain, and each prune that they do not confirm.
   */
  verify(expected?: readonly ChainPoint[]): Promise<AuditReport>;
  /**
   * Records a prune, then deletes the movements recorded before a moment, but for the newest of each pet and of all. Others write meanwhile. It finishes an interrupted prune first.
   * @throws OperatorError when a movement that it would delete or retain does not match its hash.
   */
  pruneMovements(beforeMs: number): Promise<PruneResult>;
  /** Checks and counts what `pruneMovements` would delete, without a change. `prune` is never set. */
  previewPrune(beforeMs: number): Promise<PruneResult>;
  close(): Promise<void>;
}

/**
 * All that a serving process asks of a database. A third one implements this and `AdminStore`, and passes the
 * same contract suite. Whatever the database's trouble is, callers meet `ApiError('service_unavailable')`.
 */
export interface Store extends InventoryStore, StockStore, LimitStore, KeyStore {
  /** The environment whose keys this database holds. */
  readonly environment: Environment;
  /** Resolves when a request could be served now, rejects with the reason when not. */
  checkHealth(): Promise<void>;
  /** The size of the database on disk. */
  databaseBytes(): MaybePromise<number>;
  /** Writes down what is still only in memory, waits for every change under way, and closes. */
  close(): Promise<void>;
}
