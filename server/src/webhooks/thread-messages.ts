import type { SenderNumbers } from './sender-stats.ts';

/** Parameters of the sending thread. */
export interface SenderData {
  /** The address of the database. */
  readonly url: string;
  /** The secret under which the signing secrets are sealed. */
  readonly pepper: Uint8Array;
  /** Names this process among the senders. */
  readonly owner: string;
  /** Addresses and CIDR blocks besides the public addresses. */
  readonly networks: readonly string[];
  /** The release of the service. */
  readonly version: string;
}

/** To the sending thread: look for changed endpoints, or end. */
export type SenderCommand = 'wake' | 'close';

/** From the sending thread. */
export type SenderNews =
  | { readonly kind: 'numbers'; readonly numbers: SenderNumbers }
  | { readonly kind: 'paused'; readonly id: string; readonly reason: 'failing' | 'gone' }
  | { readonly kind: 'unopened'; readonly id: string }
  | { readonly kind: 'failed'; readonly id: string; readonly error: string };
