import { responses } from '../openapi/responses.ts';
import type { OperationDefinition } from '../request/operation.ts';
import { requireNoQuery } from '../request/query-parameters.ts';
import { endpointIdParameter, respond } from './endpoint-handler.ts';
import { ENDPOINT_ERRORS, ENDPOINT_ID, ENDPOINT_PATH, ENDPOINT_RESPONSE } from './webhook-document.ts';
import { endpointJson } from './webhook-json.ts';
import { managed, type OwnerOf, type WebhookServices } from './webhook-services.ts';

export const getWebhookEndpoint = (ownerOf: OwnerOf): OperationDefinition<WebhookServices> => ({
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
  scope: 'webhooks:manage',
  create:
    ({ management }) =>
    async (context, parameter) => {
      requireNoQuery(context);
      const id = endpointIdParameter(parameter('endpointId'));
      return respond(
        context,
        200,
        endpointJson(await managed(management.webhooks.find(id, ownerOf(context)))),
      );
    },
});
