import { timestamp, timestampOrNull } from '../domain/timestamps.ts';
import { positionText } from '../domain/webhooks/events.ts';
import type { DeliveryAttempt, WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts';

/** The members of an endpoint in JSON, with petIds as bigints. */
export function endpointMembers(endpoint: WebhookEndpoint) {
  const { id, accountId, url, description, types, petIds, statuses, version } = endpoint;
  return {
    ...{ id, accountId, url, description, types, petIds, statuses, version },
    createdAt: timestamp(endpoint.createdAtMs),
    updatedAt: timestamp(endpoint.updatedAtMs),
    pausedAt: timestampOrNull(endpoint.pausedAtMs),
    pauseReason: endpoint.pauseReason,
    previousSecretExpiresAt: timestampOrNull(endpoint.previousSecretExpiresAtMs),
    lastEventId: positionText(endpoint.cursor),
    failingSince: timestampOrNull(endpoint.failingSinceMs),
    failures: endpoint.failures,
    retryAt: timestampOrNull(endpoint.retryAtMs),
  };
}

/** The members of an attempt in JSON. */
export function attemptMembers({ attemptedAtMs, ...attempt }: DeliveryAttempt) {
  return { ...attempt, attemptedAt: timestamp(attemptedAtMs) };
}
