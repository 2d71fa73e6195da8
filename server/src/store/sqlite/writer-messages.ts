import type { Ban } from '../../domain/access/bans.ts';
import type { WindowName } from '../../domain/access/rate-limit.ts';
import type { ReachedQuota } from '../../domain/management/usage-events.ts';
import type { WriteRequest } from '../../domain/write-command.ts';
import type { CredentialUse } from '../access/credential-uses.ts';
import type { StoredOutcome } from '../idempotency/records.ts';

/** The saved count of an account in a window. */
export interface SavedCount {
  readonly accountId: string;
  readonly window: WindowName;
  readonly label: number;
  readonly used: number;
  /** The part of `used` that the history has, or that belongs to another minute; 0 for a day. */
  readonly recorded: number;
}

/** Requests for the history: those of a minute that has ended, or of a part of it before the clock stepped. */
export interface FinishedMinute {
  /** Ascends, so that the database adds none twice. */
  readonly number: number;
  readonly accountId: string;
  /** The number of minutes since 1970. */
  readonly label: number;
  readonly requests: number;
}

/** A quota, and when this process saw that the account has reached it. */
export interface QuotaNotice extends ReachedQuota {
  readonly atMs: number;
}

/** A write that the serving thread sends to the writing thread. */
export type WriterMessage =
  | { readonly kind: 'changeStock'; readonly request: WriteRequest }
  | { readonly kind: 'saveBan'; readonly ban: Ban }
  | { readonly kind: 'purgeUsage'; readonly nowMs: number }
  /** Reads the whole file, which must have the movements up to this one. */
  | { readonly kind: 'checkFile'; readonly newestSequence: number }
  | {
      readonly kind: 'saveCounts';
      readonly counts: readonly SavedCount[];
      readonly minutes: readonly FinishedMinute[];
      readonly quotas: readonly QuotaNotice[];
      readonly keyUses: readonly CredentialUse[];
      readonly sessionUses: readonly CredentialUse[];
    };

/** Result of a durable write; only changes of stock have one. */
export type WriterReply = StoredOutcome | null;

/** Why a whole batch failed: */
export type FailureKind =
  /** nothing was changed, because another process kept the database locked; */
  | 'busy'
  /** nothing was changed, because the file does not contain a sound database; */
  | 'damaged'
  /** nothing was changed, because the disk is full; */
  | 'full'
  /** nothing was changed; */
  | 'not_written'
  /** its COMMIT failed, and after a crash it could be there: the state of the database is not certain; */
  | 'unconfirmed'
  /** nothing was written, because an earlier batch is unconfirmed; */
  | 'uncertain'
  /** it was committed to files that the next start will not find; */
  | 'lost'
  /** it was committed, but an error of the file system left it unknown whether the next start will find the files. */
  | 'unchecked';
