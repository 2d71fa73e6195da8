import type { SqlClient } from '../sql-client.ts';

/** What the endpoints need of a database. */
export interface WebhookEngine extends Pick<SqlClient, 'all' | 'run' | 'transaction'> {
  readonly dialect: {
    /** What follows a text in ORDER BY to sort it by its bytes. */
    readonly bytewise: string;
    /** Ends a SELECT within a transaction whose rows no other transaction changes until it ends. */
    readonly forUpdate: string;
  };
  /** The time by the clock of the service's instances, in milliseconds. */
  now(): Promise<number>;
  /** Within a transaction, keeps other processes from writing to the ledger until it ends. */
  lockLedger(): Promise<void>;
}
