import type { Role } from '../../../domain/access/roles.ts';
import type { OperationDefinition } from '../../request/operation.ts';
import { deleteWebhookEndpoint } from '../../webhooks/delete-webhook-endpoint.ts';
import { getWebhookEndpoint } from '../../webhooks/get-webhook-endpoint.ts';
import { listWebhookDeliveries } from '../../webhooks/list-webhook-deliveries.ts';
import { pauseWebhookEndpoint } from '../../webhooks/pause-webhook-endpoint.ts';
import { replayWebhookEvents } from '../../webhooks/replay-webhook-events.ts';
import { resumeWebhookEndpoint } from '../../webhooks/resume-webhook-endpoint.ts';
import { rotateWebhookSecret } from '../../webhooks/rotate-webhook-secret.ts';
import { testWebhookEndpoint } from '../../webhooks/test-webhook-endpoint.ts';
import { updateWebhookEndpoint } from '../../webhooks/update-webhook-endpoint.ts';
import type { WebhookServices } from '../../webhooks/webhook-services.ts';
import { ADMIN_ERRORS, type AdminDefinition } from '../admin-operation.ts';
import { createWebhookEndpointFor } from './create-webhook-endpoint-for.ts';
import { listAllWebhookEndpoints } from './list-all-webhook-endpoints.ts';

const everyAccount = () => undefined;

/** The operations on webhook endpoints of any account, with the handlers of clients. */
export function adminWebhookOperations(maxEndpoints: number): readonly AdminDefinition[] {
  const forRole = (role: Role, operation: OperationDefinition<WebhookServices>): AdminDefinition => {
    const { route } = operation;
    const responses = { ...route.responses, ...ADMIN_ERRORS };
    return { ...operation, route: { ...route, responses }, scope: null, role };
  };
  return [
    listAllWebhookEndpoints,
    createWebhookEndpointFor(maxEndpoints),
    forRole('viewer', getWebhookEndpoint(everyAccount)),
    forRole('administrator', updateWebhookEndpoint(everyAccount)),
    forRole('administrator', deleteWebhookEndpoint(everyAccount)),
    forRole('administrator', rotateWebhookSecret(everyAccount)),
    forRole('administrator', pauseWebhookEndpoint(everyAccount)),
    forRole('administrator', resumeWebhookEndpoint(everyAccount)),
    forRole('administrator', testWebhookEndpoint(everyAccount)),
    forRole('administrator', replayWebhookEvents(everyAccount)),
    forRole('viewer', listWebhookDeliveries(everyAccount)),
  ];
}
