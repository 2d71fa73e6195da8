import { responses } from '../openapi/responses.ts';
import { bareChange } from './endpoint-handler.ts';
import { ENDPOINT_BODY_ERRORS, ENDPOINT_ID, ENDPOINT_PATH, ENDPOINT_RESPONSE } from './webhook-document.ts';
import { webhookOperation } from './webhook-operation.ts';
import { authorOf, type OwnerOf } from './webhook-services.ts';

export const pauseWebhookEndpoint = (ownerOf: OwnerOf) =>
  webhookOperation({
    route: {
      operationId: 'pauseWebhookEndpoint',
      method: 'post',
      path: `${ENDPOINT_PATH}/pause`,
      tags: ['Webhooks'],
      summary: 'Pause a webhook endpoint',
      description:
        'Sends nothing until it is resumed. Its place among the events is kept. Pausing it again changes nothing.',
      'x-stability': 'beta',
      parameters: [ENDPOINT_ID],
      responses: responses({ success: ENDPOINT_RESPONSE, isAction: true, errors: ENDPOINT_BODY_ERRORS }),
    },
    create: (services) =>
      bareChange(services, ownerOf, (id, context, accountId) =>
        services.management.webhooks.pause(id, authorOf(context), accountId),
      ),
  });
