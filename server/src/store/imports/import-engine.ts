import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import type { ImportResult } from '../../domain/admin-store.ts';
import type { Movement } from '../../domain/ledger/ledger.ts';
import type { LockingClient, Parameter } from '../sql-client.ts';

/** The rows of an import: given ones, or those of a planned import. */
export type ImportSource = Iterable<PetRow> | { readonly importId: string };

export interface ImportAuthor {
  readonly actor: string;
  readonly requestId: string | null;
  /** The time to record; `undefined`: that of `now` when the ledger is locked. */
  readonly atMs: number | undefined;
  /** The id of the import or of the change of many pets, which the movements name. */
  readonly referenceId?: string;
}

/** What belongs into the transaction of an import. A rejection rolls all of it back. */
export interface ImportTransaction {
  /** Called when the ledger is locked. */
  begin(): Promise<void>;
  /** Called when the rows are written. */
  end?(result: ImportResult): Promise<void>;
}

/** What imports need of a database. */
export interface ImportEngine extends LockingClient {
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

/** What an import needs of a database within its transaction. */
export interface ImportTables {
  /** Makes an empty temporary table. */
  create(table: string, columns: string): Promise<void>;
  /** Reads the rows of a query, some at a time. */
  read<Row extends object>(
    sql: string,
    values: readonly Parameter[],
    use: (rows: readonly Row[]) => Promise<void>,
  ): Promise<void>;
  addWords(table: string, words: readonly string[], petIds: readonly string[]): Promise<void>;
  recordMovements(movements: readonly Movement[]): Promise<void>;
}

/** A client of a database that holds pets. */
export interface PetClient extends LockingClient {
  /** Within a transaction that records movements, wakes the services that wait for them. */
  notifyMovements(): Promise<void>;
}
