import { endpointJson } from '../../wire/webhook-json.ts';
import { responses } from '../openapi/responses.ts';
import { readJsonBody } from '../request/json-body.ts';
import { requireNoQuery } from '../request/query-parameters.ts';
import { changesOf, ENDPOINT_CHANGES, EndpointChangesSchema } from './endpoint-body.ts';
import { endpointIdParameter, respond } from './endpoint-handler.ts';
import { ENDPOINT_ID, ENDPOINT_PATH, ENDPOINT_RESPONSE, UPDATE_ERRORS } from './webhook-document.ts';
import { webhookOperation } from './webhook-operation.ts';
import { authorOf, changed, type OwnerOf } from './webhook-services.ts';

const CHANGES = { schema: EndpointChangesSchema };

export const updateWebhookEndpoint = (ownerOf: OwnerOf) =>
  webhookOperation({
    route: {
      operationId: 'updateWebhookEndpoint',
      method: 'patch',
      path: ENDPOINT_PATH,
      tags: ['Webhooks'],
      summary: 'Change a webhook endpoint',
      description:
        'Sets the given members. A filter applies to the events that are not delivered yet. After a change of the URL the next attempt follows immediately.',
      'x-stability': 'beta',
      parameters: [ENDPOINT_ID],
      request: {
        body: {
          required: true,
          content: { 'application/json': CHANGES, 'application/merge-patch+json': CHANGES },
        },
      },
      responses: responses({ success: ENDPOINT_RESPONSE, isAction: true, errors: UPDATE_ERRORS }),
    },
    create: (services) => async (context, parameter) => {
      const { management, webhooks } = services;
      requireNoQuery(context);
      const id = endpointIdParameter(parameter('endpointId'));
      const changes = changesOf(await readJsonBody(context, ENDPOINT_CHANGES), webhooks);
      const action = management.webhooks.update(id, changes, authorOf(context), ownerOf(context));
      return respond(context, 200, endpointJson(await changed(services, action)));
    },
  });
