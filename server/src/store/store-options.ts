import type { Environment } from '../domain/api-key.ts';
import type { Ban } from '../domain/bans.ts';
import type { StockRules } from '../domain/ledger-transaction.ts';

/** Told of each commit: how many writes it held, and how long it took until it was durable. */
export type CommitObserver = (writes: number, durationMs: number) => void;

/** What every store of a serving process is told, wherever its data is. */
export interface StoreOptions {
  readonly environment: Environment;
  /** What decides about changes beside the stock itself. */
  readonly rules: StockRules;
  readonly onCommit: CommitObserver;
  /** Told how many chunks of the list were made again. */
  readonly onListRebuild: (chunks: number) => void;
  /** Called for each ban that an operator has lifted, when this process hears of it. */
  readonly onBanLifted?: (ban: Ban) => void;
  /** Told of trouble that no request hears of, such as counts that cannot be written down now. */
  readonly onError: (message: string, cause: unknown) => void;
  /** The time that windows and bans follow in place of the database's clock, and that the store opens at; for tests. */
  readonly clock?: () => number;
  /** Milliseconds of clocks that are never set; for tests. They follow `clock` where it is given alone. */
  readonly elapsed?: readonly (() => number)[];
}
