import type { ActivityAction } from '@petstore-inventory/shared/words';

/** Who acts: a management key, an API key for its own webhook endpoints, or the operator at the command line. */
export interface ActionAuthor {
  /** The id of the key, or `cli`. */
  readonly actor: string;
  readonly requestId: string | null;
}

export const CLI_AUTHOR: ActionAuthor = { actor: 'cli', requestId: null };

/** A line of the activity log, before it is recorded. */
export interface Action {
  /** A group and a verb. */
  readonly action: ActivityAction;
  /** The id of what was changed; `null`: the shop. */
  readonly target: string | null;
  /** The new values with the names that they have over HTTP, without secrets. A number that is not exact is a bigint. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** A line of the activity log. */
export interface ActivityEntry extends Action, ActionAuthor {
  readonly id: number;
  /** The name of the key, or the same as `actor`. */
  readonly actorName: string;
  readonly recordedAtMs: number;
}

export interface ActivityQuery {
  readonly actor?: string;
  readonly action?: string;
  readonly target?: string;
  readonly sinceMs?: number;
  readonly untilMs?: number;
  /** Only entries that come after the one with this id. */
  readonly before?: number;
  readonly limit: number;
}

export interface ActivityLog {
  /** The newest entries first; of one millisecond, those with the greatest id. */
  list(query: ActivityQuery): Promise<readonly ActivityEntry[]>;
}
