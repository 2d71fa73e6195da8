import type { Environment } from '../domain/access/api-key.ts';
import type { Ban } from '../domain/access/bans.ts';
import type { StockRules } from '../domain/ledger/ledger-transaction.ts';
import type { WriteRequest } from '../domain/write-command.ts';

/** Called after each commit with its number of writes, its duration in milliseconds, and its requests. */
export type CommitObserver = (
  writes: number,
  durationMs: number,
  requests: () => Iterable<WriteRequest>,
) => void;

/** The options of every store of a serving process. */
export interface StoreOptions {
  readonly environment: Environment;
  /** Rules for changes, besides the stock itself. */
  readonly rules: StockRules;
  /** Settings of a PostgreSQL server whose unsafe value the operator accepts. */
  readonly acceptedUnsafe?: readonly string[];
  readonly onCommit: CommitObserver;
  /** Called with the number of chunks of the list that were rebuilt. */
  readonly onListRebuild: (chunks: number) => void;
  /** Called for each ban that an operator lifted, when this process reads it. */
  readonly onBanLifted?: (ban: Ban) => void;
  /** Called when a PostgreSQL database is on another server than before, such as after a failover. */
  readonly onOtherServer?: () => void;
  /** Called soon after any process has changed a webhook endpoint of a PostgreSQL database. */
  readonly onEndpoints?: () => void;
  /** Called with errors that no request reports, such as counts that cannot be written. */
  readonly onError: (message: string, cause: unknown) => void;
  /** Disk space that a PostgreSQL database may take; `undefined`: unknown. */
  readonly capacityBytes?: number | undefined;
  /** The time of the store, in place of that of PostgreSQL or of this machine; for tests. */
  readonly clock?: () => number;
  /** Milliseconds of clocks that are never set; for tests. They follow `clock` where it is given alone. */
  readonly elapsed?: readonly (() => number)[];
}
