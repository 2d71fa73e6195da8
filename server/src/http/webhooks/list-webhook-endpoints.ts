import { endpointJson } from '../../wire/webhook-json.ts';
import { FORBIDDEN } from '../openapi/error-responses.ts';
import { responses } from '../openapi/responses.ts';
import { requireNoQuery } from '../request/query-parameters.ts';
import { respond } from './endpoint-handler.ts';
import { EndpointsSchema } from './endpoint-schema.ts';
import { PATH } from './webhook-document.ts';
import { webhookOperation } from './webhook-operation.ts';
import type { OwnerOf } from './webhook-services.ts';

export const listWebhookEndpoints = (ownerOf: OwnerOf) =>
  webhookOperation({
    route: {
      operationId: 'listWebhookEndpoints',
      method: 'get',
      path: PATH,
      tags: ['Webhooks'],
      summary: 'List webhook endpoints',
      description: 'Returns all endpoints of the account, ascending by id.',
      'x-stability': 'beta',
      responses: responses({
        success: { schema: EndpointsSchema, description: 'The endpoints.' },
        errors: FORBIDDEN,
      }),
    },
    create:
      ({ management }) =>
      async (context) => {
        requireNoQuery(context);
        const endpoints = await management.webhooks.list({ accountId: ownerOf(context) });
        return respond(context, 200, `[${endpoints.map(endpointJson).join(',')}]`);
      },
  });
