import { responses } from '../openapi/responses.ts';
import { bareChange } from './endpoint-handler.ts';
import { ENDPOINT_BODY_ERRORS, ENDPOINT_ID, ENDPOINT_PATH, ENDPOINT_RESPONSE } from './webhook-document.ts';
import { webhookOperation } from './webhook-operation.ts';
import { authorOf, type OwnerOf } from './webhook-services.ts';

export const resumeWebhookEndpoint = (ownerOf: OwnerOf) =>
  webhookOperation({
    route: {
      operationId: 'resumeWebhookEndpoint',
      method: 'post',
      path: `${ENDPOINT_PATH}/resume`,
      tags: ['Webhooks'],
      summary: 'Resume a webhook endpoint',
      description:
        'Continues after the last event that was delivered. Resuming an active endpoint changes nothing.',
      'x-stability': 'beta',
      parameters: [ENDPOINT_ID],
      responses: responses({ success: ENDPOINT_RESPONSE, isAction: true, errors: ENDPOINT_BODY_ERRORS }),
    },
    create: (services) =>
      bareChange(services, ownerOf, (id, context, accountId) =>
        services.management.webhooks.resume(id, authorOf(context), accountId),
      ),
  });
