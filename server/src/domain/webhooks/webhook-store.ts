import type { Movement } from '../ledger/ledger.ts';
import type { ActionAuthor } from '../management/activity.ts';
import type { EventPosition, EventReference, RecordedEvent } from './events.ts';
import type {
  DeliveryAttempt,
  EndpointSettings,
  UnloggedAttempt,
  WebhookEndpoint,
} from './webhook-endpoint.ts';

/** New values of an endpoint; an unset member keeps its value. */
export type WebhookEndpointChanges = Partial<EndpointSettings>;

/** An unset member is `null`. */
export interface NewWebhookEndpoint extends WebhookEndpointChanges {
  readonly accountId: string;
  readonly url: string;
}

/** An endpoint with its signing secret, which is shown at its creation and after a rotation only. */
export interface WithSecret {
  readonly endpoint: WebhookEndpoint;
  /** `whsec_` and base64 (Standard Webhooks). */
  readonly secret: string;
}

/** The endpoints to list; all of them by default. */
export interface EndpointQuery {
  /** Only endpoints of this account. */
  readonly accountId?: string | undefined;
  /** The id before the first one. */
  readonly after?: string | undefined;
  /** At most so many. */
  readonly limit?: number;
}

/**
 * The webhook endpoints for the interface, the management API and the command line. An `accountId` restricts an action to
 * the endpoints of an account; without it, every endpoint is found.
 * @throws OperatorError with the code `not_found` for an unknown endpoint.
 */
export interface WebhookStore {
  /** Events from now on are delivered. @throws OperatorError `conflict` when the account has its maximum of endpoints. */
  create(endpoint: NewWebhookEndpoint, limit: number, author: ActionAuthor): Promise<WithSecret>;
  /** Ascending by id. */
  list(query?: EndpointQuery): Promise<readonly WebhookEndpoint[]>;
  find(id: string, accountId?: string): Promise<WebhookEndpoint>;
  update(
    id: string,
    changes: WebhookEndpointChanges,
    author: ActionAuthor,
    accountId?: string,
  ): Promise<WebhookEndpoint>;
  delete(id: string, author: ActionAuthor, accountId?: string): Promise<void>;
  /**
   * Signs with a new secret and, until the overlap has passed, with the old one too.
   * @throws OperatorError `conflict` during the overlap of a rotation before, unless there is no overlap now.
   */
  rotateSecret(id: string, overlapMs: number, author: ActionAuthor, accountId?: string): Promise<WithSecret>;
  pause(id: string, author: ActionAuthor, accountId?: string): Promise<WebhookEndpoint>;
  /** Continues after the last delivered event. */
  resume(id: string, author: ActionAuthor, accountId?: string): Promise<WebhookEndpoint>;
  /** Delivers all events after this one again. @throws OperatorError `history_pruned` or `validation_failed`. */
  replay(
    id: string,
    after: EventReference,
    author: ActionAuthor,
    accountId?: string,
  ): Promise<WebhookEndpoint>;
  /** Refuses what `replay` refuses, and changes nothing. */
  checkReplay(id: string, after: EventReference, accountId?: string): Promise<WebhookEndpoint>;
  /** An endpoint with the secrets that sign now, the newest first. */
  findWithSecrets(id: string, accountId?: string): Promise<SigningEndpoint>;
  /** What is at the place of an event: its movement or its row; neither where it is pruned, or before all events. */
  findEvent(at: EventPosition): Promise<StoredEvent>;
  /** Adds the attempt of a test, or of an event that was sent again by itself, to the log. */
  logAttempt(
    id: string,
    verb: 'test' | 'resend',
    attempt: UnloggedAttempt,
    author: ActionAuthor,
    accountId?: string,
  ): Promise<DeliveryAttempt>;
  /** The last attempts, the newest first. */
  attempts(id: string, accountId?: string): Promise<readonly DeliveryAttempt[]>;
}

export interface StoredEvent {
  readonly movement: Movement | undefined;
  readonly recorded: RecordedEvent | undefined;
}

export interface SigningEndpoint {
  readonly endpoint: WebhookEndpoint;
  /** The secrets that sign now, the newest first. */
  readonly secrets: readonly string[];
}

/** Memory of an endpoint in the sending thread: of 10,000, each took 5.2 kB while a change went to all; the rest is garbage. */
export const BYTES_PER_ENDPOINT = 12_000;

/** An endpoint that this process may send to. */
export interface LeasedEndpoint extends SigningEndpoint {
  /** Increases with each lease; a sender with an older token cannot write any more (fencing). */
  readonly token: number;
}

/** The leases of a sender. */
export interface Leases {
  readonly endpoints: readonly LeasedEndpoint[];
  /** Endpoints to which nothing can be sent, because their secrets do not open or their rows are damaged. */
  readonly unopened: readonly Omit<LeasedEndpoint, 'secrets'>[];
}

/** What a sender reports of an endpoint. */
export interface EndpointProgress {
  readonly id: string;
  readonly token: number;
  readonly cursor: EventPosition;
  readonly failingSinceMs: number | null;
  readonly failures: number;
  readonly retryAtMs: number | null;
  /** Attempts since the last report, the oldest first; at most `MAX_LOGGED_ATTEMPTS`. */
  readonly attempts: readonly UnloggedAttempt[];
}

/** A sender pauses an endpoint to which it cannot deliver. */
export interface EndpointPause {
  readonly id: string;
  readonly token: number;
  readonly reason: 'failing' | 'gone';
  readonly atMs: number;
}

/** The senders' side of the endpoints. */
export interface WebhookSenderStore {
  /**
   * Takes the leases of active endpoints that no living sender has, renews the own ones, and returns all own ones.
   * @param owner Names this sender.
   * @param leaseMs For how long from now on, by the clock of the database, no other sender takes them.
   * @param onlyOwn Whether it only renews.
   */
  lease(owner: string, leaseMs: number, onlyOwn?: boolean): Promise<Leases>;
  /** Gives all leases back. */
  release(owner: string): Promise<void>;
  /**
   * Writes the progress of many endpoints in one transaction. A sender whose token is not the newest changes nothing; its
   * endpoints are returned.
   */
  report(progress: readonly EndpointProgress[]): Promise<readonly string[]>;
  /**
   * Pauses endpoints, and records an event for each. It waits for the ledger's lock, and no report waits for it. Returns the
   * ids of those that were active, and whose token is the newest.
   */
  pause(pauses: readonly EndpointPause[]): Promise<readonly string[]>;
}

/** What the interface and the management API need of the sending of webhooks. */
export interface WebhookSending {
  /** A sentence if a URL cannot be that of an endpoint. What its name resolves to is not checked. */
  urlFault(url: string): string | undefined;
  /** Called after a change of an endpoint, so that it has an effect immediately. */
  wake(): void;
  /**
   * Sends `webhook.test` once, past the queue of the endpoint.
   * @param readNow Reads its URL and the secrets that sign, when it is sent: it may wait for others.
   * @throws OperatorError `conflict` while the account has its maximum of tests in progress.
   */
  sendTest(
    endpoint: Pick<WebhookEndpoint, 'id' | 'accountId'>,
    readNow: () => Promise<SigningEndpoint>,
  ): Promise<UnloggedAttempt>;
  /**
   * Sends one event once more, with the same bytes, past the queue of the endpoint.
   * @param readNow As of `sendTest`.
   * @param stored What is at its place.
   * @throws OperatorError `not_found` where it is not an event of this endpoint, `conflict` while it is being sent, or while
   * the account has its maximum of messages in progress.
   */
  sendEvent(
    endpoint: WebhookEndpoint,
    readNow: () => Promise<SigningEndpoint>,
    event: EventReference,
    stored: StoredEvent,
  ): Promise<UnloggedAttempt>;
}
