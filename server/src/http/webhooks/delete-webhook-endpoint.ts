import { responses } from '../openapi/responses.ts';
import { requireNoQuery } from '../request/query-parameters.ts';
import { endpointIdParameter } from './endpoint-handler.ts';
import { DELETED_ENDPOINT, ENDPOINT_ERRORS, ENDPOINT_ID, ENDPOINT_PATH } from './webhook-document.ts';
import { webhookOperation } from './webhook-operation.ts';
import { authorOf, changed, type OwnerOf } from './webhook-services.ts';

export const deleteWebhookEndpoint = (ownerOf: OwnerOf) =>
  webhookOperation({
    route: {
      operationId: 'deleteWebhookEndpoint',
      method: 'delete',
      path: ENDPOINT_PATH,
      tags: ['Webhooks'],
      summary: 'Delete a webhook endpoint',
      description: 'Ends its deliveries, and deletes its secret and its log.',
      'x-stability': 'beta',
      parameters: [ENDPOINT_ID],
      responses: responses({
        status: 204,
        success: DELETED_ENDPOINT,
        isAction: true,
        errors: ENDPOINT_ERRORS,
      }),
    },
    create: (services) => async (context, parameter) => {
      requireNoQuery(context);
      const id = endpointIdParameter(parameter('endpointId'));
      const { webhooks } = services.management;
      await changed(services, webhooks.delete(id, authorOf(context), ownerOf(context)));
      return context.respond(204, null, {});
    },
  });
