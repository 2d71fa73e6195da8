import { attemptJson } from '../../wire/webhook-json.ts';
import { ACTION_CONFLICT } from '../openapi/error-responses.ts';
import { responses } from '../openapi/responses.ts';
import { requireNoQuery } from '../request/query-parameters.ts';
import { endpointIdParameter, readNoBody, respond } from './endpoint-handler.ts';
import { AttemptSchema } from './endpoint-schema.ts';
import { ENDPOINT_BODY_ERRORS, ENDPOINT_ID, ENDPOINT_PATH } from './webhook-document.ts';
import { webhookOperation } from './webhook-operation.ts';
import { authorOf, type OwnerOf } from './webhook-services.ts';

export const testWebhookEndpoint = (ownerOf: OwnerOf) =>
  webhookOperation({
    route: {
      operationId: 'testWebhookEndpoint',
      method: 'post',
      path: `${ENDPOINT_PATH}/test`,
      tags: ['Webhooks'],
      summary: 'Send a test message',
      description:
        'Sends a `webhook.test` immediately, also to a paused endpoint, and returns the attempt. It waits for the response, for 10 seconds at most. Events are not affected. An account has at most 16 tests in progress; another one is a `conflict`.',
      'x-stability': 'beta',
      parameters: [ENDPOINT_ID],
      responses: responses({
        success: { schema: AttemptSchema, description: 'The attempt, successful or not.' },
        isAction: true,
        errors: { ...ENDPOINT_BODY_ERRORS, 409: ACTION_CONFLICT },
      }),
    },
    create:
      ({ management, webhooks }) =>
      async (context, parameter) => {
        requireNoQuery(context);
        const id = endpointIdParameter(parameter('endpointId'));
        await readNoBody(context);
        const accountId = ownerOf(context);
        const { endpoint, secrets } = await management.webhooks.findWithSecrets(id, accountId);
        const attempt = await webhooks.sendTest(endpoint, secrets);
        const logged = management.webhooks.logTest(id, attempt, authorOf(context), accountId);
        return respond(context, 200, attemptJson(await logged));
      },
  });
