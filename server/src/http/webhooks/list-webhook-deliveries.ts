import { attemptJson } from '../../wire/webhook-json.ts';
import { responses } from '../openapi/responses.ts';
import { requireNoQuery } from '../request/query-parameters.ts';
import { endpointIdParameter, respond } from './endpoint-handler.ts';
import { AttemptsSchema } from './endpoint-schema.ts';
import { ENDPOINT_ERRORS, ENDPOINT_ID, ENDPOINT_PATH } from './webhook-document.ts';
import { webhookOperation } from './webhook-operation.ts';
import type { OwnerOf } from './webhook-services.ts';

export const listWebhookDeliveries = (ownerOf: OwnerOf) =>
  webhookOperation({
    route: {
      operationId: 'listWebhookDeliveries',
      method: 'get',
      path: `${ENDPOINT_PATH}/deliveries`,
      tags: ['Webhooks'],
      summary: 'List the deliveries of a webhook endpoint',
      description: 'Returns the last 100 attempts, the newest first.',
      'x-stability': 'beta',
      parameters: [ENDPOINT_ID],
      responses: responses({
        success: { schema: AttemptsSchema, description: 'The attempts.' },
        errors: ENDPOINT_ERRORS,
      }),
    },
    create:
      ({ management }) =>
      async (context, parameter) => {
        requireNoQuery(context);
        const id = endpointIdParameter(parameter('endpointId'));
        const attempts = await management.webhooks.attempts(id, ownerOf(context));
        return respond(context, 200, `[${attempts.map(attemptJson).join(',')}]`);
      },
  });
