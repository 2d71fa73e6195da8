import type { Ban } from '../../domain/bans.ts';
import type { WindowName } from '../../domain/rate-limit.ts';
import type { WriteRequest } from '../../domain/write-command.ts';
import type { KeyUse } from '../access/key-usage.ts';
import type { WriteOutcome } from '../idempotency/records.ts';
import type { PackedReply } from './packed-messages.ts';

/** How much of a window an account has used, as it is written down. */
export interface SavedCount {
  readonly accountId: string;
  readonly window: WindowName;
  readonly label: number;
  readonly used: number;
}

/** What the serving thread asks of the writing thread. */
export type WriterMessage =
  | { readonly kind: 'changeStock'; readonly request: WriteRequest }
  | { readonly kind: 'saveBan'; readonly ban: Ban }
  | {
      readonly kind: 'saveCounts';
      readonly counts: readonly SavedCount[];
      readonly keyUses: readonly KeyUse[];
    };

/** What came of a write once it is on disk; only changes of stock have anything to tell. */
export type WriterReply = WriteOutcome | null;

/** Why a batch failed, all of it: */
export type FailureKind =
  /** nothing was changed, because another process kept the database locked; */
  | 'busy'
  /** nothing was changed, because the file does not contain a sound database; */
  | 'damaged'
  /** nothing was changed; */
  | 'not_written'
  /** its COMMIT failed, and a crash could still bring it back: the state of the database is not certain; */
  | 'unconfirmed'
  /** nothing was tried, because an earlier batch is unconfirmed; */
  | 'uncertain'
  /** it was committed to files that the next start does not find. */
  | 'lost';

/** The writing thread's answer to one batch: all on disk, or none. */
export type BatchAnswer =
  | { readonly results: readonly PackedReply[] }
  | { readonly failure: string; readonly kind: FailureKind };
