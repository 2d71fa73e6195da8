import { endpointJson } from '../../wire/webhook-json.ts';
import { responses } from '../openapi/responses.ts';
import { requireNoQuery } from '../request/query-parameters.ts';
import { endpointIdParameter, respond } from './endpoint-handler.ts';
import { ENDPOINT_ERRORS, ENDPOINT_ID, ENDPOINT_PATH, ENDPOINT_RESPONSE } from './webhook-document.ts';
import { webhookOperation } from './webhook-operation.ts';
import type { OwnerOf } from './webhook-services.ts';

export const getWebhookEndpoint = (ownerOf: OwnerOf) =>
  webhookOperation({
    route: {
      operationId: 'getWebhookEndpoint',
      method: 'get',
      path: ENDPOINT_PATH,
      tags: ['Webhooks'],
      summary: 'Get a webhook endpoint',
      description: 'Returns an endpoint and the state of its deliveries, without its secret.',
      'x-stability': 'beta',
      parameters: [ENDPOINT_ID],
      responses: responses({ success: ENDPOINT_RESPONSE, errors: ENDPOINT_ERRORS }),
    },
    create:
      ({ management }) =>
      async (context, parameter) => {
        requireNoQuery(context);
        const id = endpointIdParameter(parameter('endpointId'));
        return respond(context, 200, endpointJson(await management.webhooks.find(id, ownerOf(context))));
      },
  });
