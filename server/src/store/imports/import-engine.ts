import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import type { ImportResult } from '../../domain/admin-store.ts';
import type { SqlClient } from '../sql-client.ts';

/** The rows of an import: given ones, or those of a planned import. */
export type ImportSource = Iterable<PetRow> | { readonly importId: string };

export interface ImportAuthor {
  readonly actor: string;
  readonly requestId: string | null;
  /** The time to record; `undefined`: that of `now` when the ledger is locked. */
  readonly atMs: number | undefined;
}

/** What belongs into the transaction of an import. A rejection rolls all of it back. */
export interface ImportTransaction {
  /** Called when the ledger is locked. */
  begin(): Promise<void>;
  /** Called when the rows are written. */
  end?(result: ImportResult): Promise<void>;
}

export interface ImportDialect {
  /** The function that returns the elements of a JSON array as rows with a `value`. */
  readonly jsonElements: 'json_each' | 'jsonb_array_elements';
}

/** What imports need of a database. */
export interface ImportEngine extends SqlClient {
  readonly dialect: ImportDialect;
  /** The time by the clock of the service's instances, in milliseconds. */
  now(): Promise<number>;
  /** Within a transaction, keeps other processes from writing to the ledger until it ends. */
  lockLedger(): Promise<void>;
  /**
   * Makes sure of the room that `cleanUp` needs on a full disk. Called before files are stored. A server of its own has its own
   * reserves.
   */
  keepReserve(): void;
  /** What is left of the disk; on a server of its own of its capacity, `undefined` if that is unknown. */
  freeBytes(capacityBytes: number | undefined): Promise<number | undefined>;
  /** As `transaction`, for a change that frees room: it succeeds on a full disk too. */
  cleanUp<T>(command: () => Promise<T>): Promise<T>;
  /** Creates and updates all rows in one transaction, or none. */
  importPets(source: ImportSource, author: ImportAuthor, within?: ImportTransaction): Promise<ImportResult>;
}
