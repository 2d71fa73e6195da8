import { DAY_MS } from '@petstore-inventory/shared/durations';
import type { DeliveryErrorCode, PetStatus } from '@petstore-inventory/shared/words';
import type { EventPosition, EventType } from './events.ts';

/** Which events an endpoint receives. An unset member does not restrict it. */
export interface EventFilter {
  /** `null`: all types, also those of later releases. */
  readonly types: readonly EventType[] | null;
  /** Events of these pets only, ascending; `null`: of all pets. An order matches with one of its lines. */
  readonly petIds: readonly bigint[] | null;
  /** Movements that leave one of these statuses only; it does not restrict other events. */
  readonly statuses: readonly PetStatus[] | null;
}

/** What the owner of an endpoint sets. */
export interface EndpointSettings extends EventFilter {
  readonly url: string;
  readonly description: string | null;
}

/**
 * Why an endpoint is paused: by a request; because it has failed for `MAX_FAILING_MS`; because it answered 410 (Gone).
 */
export type PauseReason = 'requested' | 'failing' | 'gone';

/** A subscriber's URL. */
export interface WebhookEndpoint extends EndpointSettings {
  /** An endpoint id, such as `whe_4fQ2n8Zk1bXw0aLr`. */
  readonly id: string;
  readonly accountId: string;
  readonly pausedAtMs: number | null;
  readonly pauseReason: PauseReason | null;
  /** Counts the changes of everything above, and of the secrets. */
  readonly version: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** When the previous secret stops signing, during a rotation. */
  readonly previousSecretExpiresAtMs: number | null;
  /** The last event that was delivered, or that did not match. */
  readonly cursor: EventPosition;
  /** Since when the delivery of the next event fails; `null` while it does not. */
  readonly failingSinceMs: number | null;
  /** Failed attempts of the next event. */
  readonly failures: number;
  readonly retryAtMs: number | null;
}

/** One attempt to deliver one event. */
export interface DeliveryAttempt {
  /** Counts the attempts of the endpoint. */
  readonly number: number;
  readonly eventId: string;
  readonly eventType: EventType | 'webhook.test';
  /** 1 for the first attempt of this event since the last success. */
  readonly attempt: number;
  readonly attemptedAtMs: number;
  readonly durationMs: number;
  /** The status code of the response; `null` without a response. */
  readonly statusCode: number | null;
  /** Why there is no response, or why it does not count, as a sentence; `null` for a success. */
  readonly error: string | null;
  readonly errorCode: DeliveryErrorCode | null;
  /** A code of the system or of TLS, or a name without an address. */
  readonly errorDetail: string | null;
  /** The beginning of the response's body, as text. */
  readonly response: string | null;
}

/** An attempt that is not in the log yet. */
export type UnloggedAttempt = Omit<DeliveryAttempt, 'number'>;

/** The delivery log has this many attempts per endpoint. */
export const MAX_LOGGED_ATTEMPTS = 100;
/** After failing for this long, an endpoint is paused. */
export const MAX_FAILING_MS = 3 * DAY_MS;
/** UTF-16 code units of why an attempt failed, and of the beginning of a response. */
export const MAX_LOGGED_CHARACTERS = 500;
/** UTF-16 code units of the detail of a failed attempt. A name of the internet has at most 253. */
export const MAX_DETAIL_CHARACTERS = 300;

/**
 * A URL for the activity log and for other receivers: the values of its query, which may be tokens, are hidden. Its path is shown.
 */
export function shownUrl(url: string): string {
  const [beforeQuery = '', query] = url.replace(/#.*/s, '').split(/\?(.*)/s);
  if (query === undefined || query === '') return beforeQuery;
  const hidden = query.split('&').map((part) => (part.includes('=') ? part.replace(/=.*/s, '=***') : '***'));
  return `${beforeQuery}?${hidden.join('&')}`;
}

/** An endpoint that was paused, for the other endpoints of its account. */
interface PausedEndpoint {
  readonly id: string;
  readonly url: string;
  readonly reason: string;
  readonly atMs: number;
}

/** The members of the `data` of `webhook_endpoint.paused`. */
export function pausedEventMembers({ id, url, reason, atMs }: PausedEndpoint) {
  return { id, url: shownUrl(url), pauseReason: reason, pausedAt: new Date(atMs).toISOString() };
}

export function pausedEventData(endpoint: PausedEndpoint): string {
  return JSON.stringify(pausedEventMembers(endpoint));
}
