import type { NewestBackup } from '../../domain/newest-backup.ts';
import type { Environment } from '../../domain/access/api-key.ts';
import type { AdminStore } from '../../domain/admin-store.ts';
import type { StockRules } from '../../domain/ledger/ledger-transaction.ts';

/** What is set one time, when a database is made. */
export interface DatabaseIdentity {
  /** The environment whose keys it holds. */
  readonly environment: Environment;
  /** Proves that a pepper is the one of the keys' hashes. */
  readonly pepperCheck: string;
}

/** The names of a mark of a move in the table `metadata`. */
export const MOVE = { id: 'move_id', to: 'moved_to' } as const;

/** The mark of a move, which both databases have. */
export interface MoveMark {
  readonly moveId: string;
  /** Where the shop is now, without a password. Only the database that the shop left has it. */
  readonly movedTo?: string;
}

/** A database as it is found. */
export interface FoundDatabase extends DatabaseIdentity {
  /** Whether it was made for sample data. */
  readonly isSample: boolean;
  /** The last move from or to this database, unless it was undone on this side. */
  readonly move: MoveMark | undefined;
  /** What the service that started last recorded by `recordSettings`; empty before the first start. */
  readonly settings: Readonly<Record<string, string>>;
}

/** What `SettleIdentity` decides. */
export interface SettledIdentity extends DatabaseIdentity {
  /** Marks the database for sample data. The mark is in the database before the data is, and stays for ever. */
  readonly isSample?: boolean;
}

/**
 * The pepper of a database with this `pepperCheck`: only some commands need it.
 * @throws OperatorError when it is missing or another one.
 */
export type PepperSource = (pepperCheck: string) => Uint8Array;

/** Decides the identity of a database from the one found, if any, and whether it has keys. */
export type SettleIdentity = (found: FoundDatabase | undefined, hasKeys: boolean) => SettledIdentity;

export interface PreparedDatabase extends DatabaseIdentity {
  readonly isSample: boolean;
  /** The names of the migrations that were run now. */
  readonly migrations: readonly string[];
  /** Whether it has neither an account nor a movement yet. */
  readonly isEmpty: boolean;
}

/** Facts of a database for the examination of an installation. */
export interface DatabaseFacts {
  /** The engine and its version, such as `SQLite 3.51.3`. */
  readonly version: string;
  /** `undefined`: unknown. */
  readonly freeBytes: number | undefined;
  readonly nowMs: number;
  readonly newestBackup: NewestBackup | undefined;
  /** A sentence why the clock may be wrong, from the newest movement. */
  readonly clockFault: string | undefined;
}

/** The operator's store with what is needed to make keys for it. */
export interface OpenedAdminStore extends AdminStore, FoundDatabase {
  /** Whether its connection has ended, so that each call would fail. */
  readonly isLost: boolean;
  /** Records settings of the service for its commands, in place of earlier ones. */
  recordSettings(settings: Readonly<Record<string, string>>): Promise<void>;
  /** @param capacityBytes What a PostgreSQL database may take; `undefined`: unknown. */
  inspect(capacityBytes: number | undefined): Promise<DatabaseFacts>;
}

/** The rules of a shop, or how to find them in what its database records. */
export type RulesSource = StockRules | ((found: FoundDatabase) => StockRules);
