import type { Answer } from '../../listen/exchange.ts';
import { withSecretJson } from '../../wire/webhook-json.ts';
import { header } from '../openapi/headers.ts';
import { responses } from '../openapi/responses.ts';
import { readJsonBody } from '../request/json-body.ts';
import { requireNoQuery } from '../request/query-parameters.ts';
import type { RequestContext } from '../request/request-context.ts';
import { changesOf, NEW_ENDPOINT, type NewEndpoint, NewEndpointSchema } from './endpoint-body.ts';
import { respond } from './endpoint-handler.ts';
import { WithSecretSchema } from './endpoint-schema.ts';
import { CREATION_ERRORS, PATH } from './webhook-document.ts';
import { webhookOperation } from './webhook-operation.ts';
import { authorOf, callerAccount, changed, type WebhookServices } from './webhook-services.ts';

const UNRESTRICTED = { description: null, types: null, petIds: null, statuses: null };

const ENDPOINT_LOCATION = header('Location', 'WebhookEndpointLocation', {
  description: 'The address of the endpoint.',
  required: true,
  schema: { type: 'string', format: 'uri' },
});

const CREATED = responses({
  status: 201,
  success: {
    schema: WithSecretSchema,
    description: 'The endpoint and its secret.',
    headers: ENDPOINT_LOCATION,
  },
  isAction: true,
  errors: CREATION_ERRORS,
});

export const createWebhookEndpoint = (maxEndpoints: number) =>
  webhookOperation({
    route: {
      operationId: 'createWebhookEndpoint',
      method: 'post',
      path: PATH,
      tags: ['Webhooks'],
      summary: 'Make a webhook endpoint',
      description:
        'Sends all events from now on to a URL, in order and at least once. The response has the secret that signs them; it is not shown again. A request that is sent twice makes two endpoints.',
      'x-stability': 'beta',
      request: { body: { required: true, content: { 'application/json': { schema: NewEndpointSchema } } } },
      responses: CREATED,
    },
    create: (services) => async (context) => {
      requireNoQuery(context);
      const body = await readJsonBody(context, NEW_ENDPOINT);
      return respondCreated(services, context, { ...body, accountId: callerAccount(context) }, maxEndpoints);
    },
  });

/** Makes the endpoint of a body. */
export async function respondCreated(
  services: WebhookServices,
  context: RequestContext,
  { accountId, url, ...members }: NewEndpoint & { readonly accountId: string },
  maxEndpoints: number,
): Promise<Answer> {
  const { management, webhooks, baseUrl } = services;
  const endpoint = { ...UNRESTRICTED, ...changesOf({ url, ...members }, webhooks), url, accountId };
  const made = await changed(services, management.webhooks.create(endpoint, maxEndpoints, authorOf(context)));
  const Location = `${baseUrl}${PATH}/${made.endpoint.id}`;
  return respond(context, 201, withSecretJson(made), { Location });
}
