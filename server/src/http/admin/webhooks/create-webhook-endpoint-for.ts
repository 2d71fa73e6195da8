import { z } from '@hono/zod-openapi';
import { readJsonBody } from '../../request/json-body.ts';
import { requireNoQuery } from '../../request/query-parameters.ts';
import { createWebhookEndpoint, respondCreated } from '../../webhooks/create-webhook-endpoint.ts';
import { NEW_ENDPOINT, NEW_MEMBERS } from '../../webhooks/endpoint-body.ts';
import { ACCOUNT_ID } from '../../webhooks/endpoint-schema.ts';
import { ADMIN_ERRORS, type AdminDefinition, adminOperation, missing } from '../admin-operation.ts';

const ACCOUNT_RULE = 'must be the id of an account, such as acc_7dM3kPq9sTv2Wx5Y.';

const EndpointForAccountSchema = z
  .strictObject(
    {
      accountId: z
        .string({ error: (issue) => (issue.input === undefined ? 'is required.' : ACCOUNT_RULE) })
        .regex(ACCOUNT_ID, ACCOUNT_RULE)
        .openapi({ description: 'The account that it belongs to.' }),
      ...NEW_MEMBERS,
    },
    { error: 'must be a JSON object with the members accountId and url.' },
  )
  .openapi('WebhookEndpointForAccount', {
    description: 'An endpoint to make, and its account.',
    example: { accountId: 'acc_7dM3kPq9sTv2Wx5Y', url: 'https://shop.example/hooks' },
  });

const BODY = { ...NEW_ENDPOINT, schema: EndpointForAccountSchema };

/** The operation of clients, for an account that the body names. */
export const createWebhookEndpointFor = (maxEndpoints: number): AdminDefinition => {
  const { route } = createWebhookEndpoint(maxEndpoints);
  return adminOperation({
    route: {
      ...route,
      request: {
        body: { required: true, content: { 'application/json': { schema: EndpointForAccountSchema } } },
      },
      responses: { ...route.responses, ...ADMIN_ERRORS, ...missing('account') },
    },
    role: 'administrator',
    create: (services) => async (context) => {
      requireNoQuery(context);
      return respondCreated(services, context, await readJsonBody(context, BODY), maxEndpoints);
    },
  });
};
