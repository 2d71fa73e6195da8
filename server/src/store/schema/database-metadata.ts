import type { Environment } from '../../domain/api-key.ts';
import type { AdminStore } from '../../domain/store.ts';

/** What is settled once, when a database is made. */
export interface DatabaseIdentity {
  /** The environment whose keys it holds. */
  readonly environment: Environment;
  /** What proves that a pepper is the one its keys are hashed under. */
  readonly pepperCheck: string;
}

/** Decides what a database is, given what it says of itself so far and whether it holds keys already. */
export type SettleIdentity = (found: DatabaseIdentity | undefined, hasKeys: boolean) => DatabaseIdentity;

export interface PreparedDatabase extends DatabaseIdentity {
  /** The names of the schema's steps that were done now. */
  readonly migrations: readonly string[];
  /** Whether it has neither an account nor a movement yet. */
  readonly isEmpty: boolean;
}

/** The operator's store with what is needed to make keys for it. */
export interface OpenedAdminStore extends AdminStore, DatabaseIdentity {}
