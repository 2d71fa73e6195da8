import { safe } from '@petstore-inventory/shared/terminal/safe-text';
import { count, thousands } from '@petstore-inventory/shared/terminal/texts';
import { positionText } from '../../domain/webhooks/events.ts';
import type { DeliveryAttempt, WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import type { WithSecret } from '../../domain/webhooks/webhook-store.ts';
import { attemptMembers, endpointMembers } from '../../wire/webhook-json.ts';
import { type Output, paint, shownTable } from '../output.ts';
import { shownTime } from '../parse-time.ts';

/** Longer responses of a receiver are cut in a table. */
const MAX_SHOWN_RESULT = 60;

export function describeEndpoints(endpoints: readonly WebhookEndpoint[]): Output {
  const rows = endpoints.map((endpoint) => [
    endpoint.id,
    endpoint.accountId,
    paint.state(stateOf(endpoint)),
    positionText(endpoint.cursor),
    endpoint.url,
  ]);
  const text =
    rows.length === 0
      ? 'There are no webhook endpoints; petstore-server webhooks create makes one.'
      : shownTable(['ID', 'ACCOUNT', 'STATE', 'LAST EVENT', 'URL'], rows);
  return { value: endpoints.map(endpointMembers), text };
}

export function describeEndpoint(endpoint: WebhookEndpoint): Output {
  return { value: endpointMembers(endpoint), text: linesOf(endpoint).join('\n') };
}

/** An endpoint after a change. */
export function describeChange(endpoint: WebhookEndpoint, sentence: string): Output {
  return { value: endpointMembers(endpoint), text: sentence };
}

export function describeSecret({ endpoint, secret }: WithSecret, sentence: string): Output {
  return {
    value: { endpoint: endpointMembers(endpoint), secret },
    text: `${sentence}\nThe secret is shown only now:\n${secret}`,
  };
}

export function describeAttempts(attempts: readonly DeliveryAttempt[]): Output {
  const rows = attempts.map((attempt) => [
    shownTime(attempt.attemptedAtMs),
    attempt.eventId,
    attempt.eventType,
    thousands(attempt.attempt),
    thousands(attempt.durationMs),
    paint.state(resultOf(attempt)),
  ]);
  const text =
    rows.length === 0
      ? 'Nothing was sent yet.'
      : shownTable(['TIME', 'EVENT', 'TYPE', 'ATTEMPT', 'MS', 'RESULT'], rows);
  return { value: attempts.map(attemptMembers), text };
}

/** The result of an attempt in a few words. */
export function resultOf({ statusCode, error }: Pick<DeliveryAttempt, 'statusCode' | 'error'>): string {
  return error === null ? `delivered (${statusCode})` : safe(error).slice(0, MAX_SHOWN_RESULT);
}

function stateOf({ pausedAtMs, pauseReason, failures }: WebhookEndpoint): string {
  if (pausedAtMs !== null) return `paused (${pauseReason})`;
  return failures > 0 ? `failing (${count(failures, 'attempt')})` : 'active';
}

function linesOf(endpoint: WebhookEndpoint): string[] {
  const { id, accountId, url, description, types, petIds, statuses, failingSinceMs, retryAtMs } = endpoint;
  const rotation = endpoint.previousSecretExpiresAtMs;
  return [
    `${id} of account ${accountId}: ${paint.state(stateOf(endpoint))}`,
    `URL          ${url}`,
    ...(description === null ? [] : [`description  ${safe(description)}`]),
    `types        ${types?.join(', ') ?? 'all'}`,
    `pets         ${petIds?.join(', ') ?? 'all'}`,
    `statuses     ${statuses?.join(', ') ?? 'all'}`,
    `last event   ${positionText(endpoint.cursor)}`,
    `made         ${shownTime(endpoint.createdAtMs)}`,
    ...(failingSinceMs === null ? [] : [`failing      since ${shownTime(failingSinceMs)}`]),
    ...(retryAtMs === null ? [] : [`next attempt ${shownTime(retryAtMs)}`]),
    ...(rotation === null ? [] : [`old secret   signs until ${shownTime(rotation)}`]),
  ];
}
