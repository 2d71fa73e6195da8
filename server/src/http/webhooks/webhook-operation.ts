import type { OperationDefinition } from '../request/operation.ts';
import { refusing } from '../request/operator-refusal.ts';
import type { WebhookServices } from './webhook-services.ts';

type WebhookDefinition = OperationDefinition<WebhookServices>;

/** Defines an operation on webhook endpoints. An `OperatorError` of its handler becomes a response with its code. */
export function webhookOperation({
  create,
  ...description
}: Omit<WebhookDefinition, 'scope'>): WebhookDefinition {
  return { ...description, scope: 'webhooks:manage', create: (services) => refusing(create(services)) };
}
