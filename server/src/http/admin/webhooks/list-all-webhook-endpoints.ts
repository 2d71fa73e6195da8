import { endpointMembers } from '../../../wire/webhook-json.ts';
import { queryParameter } from '../../openapi/parameters.ts';
import { responses } from '../../openapi/responses.ts';
import { invalidParameter } from '../../request/query-parameters.ts';
import { ACCOUNT_ID, EndpointsSchema } from '../../webhooks/endpoint-schema.ts';
import { listWebhookEndpoints } from '../../webhooks/list-webhook-endpoints.ts';
import { PATH } from '../../webhooks/webhook-document.ts';
import { ADMIN_ERRORS, adminOperation } from '../admin-operation.ts';
import { PAGE_HEADERS, PAGE_PARAMETERS, readPage, respondPage } from '../paging.ts';

const OF_ACCOUNT = queryParameter('accountId', {
  component: 'WebhookAccountFilter',
  description: 'Only endpoints of this account.',
  schema: { type: 'string', pattern: ACCOUNT_ID.source },
});

const { route } = listWebhookEndpoints(() => undefined);

export const listAllWebhookEndpoints = adminOperation({
  route: {
    ...route,
    description: 'Returns endpoints of all accounts or of one, ascending by id.',
    parameters: [OF_ACCOUNT, ...PAGE_PARAMETERS],
    responses: responses({
      success: { schema: EndpointsSchema, description: 'The endpoints.', headers: PAGE_HEADERS },
      errors: ADMIN_ERRORS,
    }),
  },
  role: 'viewer',
  create:
    ({ management, baseUrl }) =>
    async (context) => {
      const page = readPage(context, ['accountId']);
      const accountId = page.parameters.get('accountId') ?? undefined;
      if (accountId !== undefined && !ACCOUNT_ID.test(accountId)) {
        throw invalidParameter('accountId must be such as acc_7dM3kPq9sTv2Wx5Y.');
      }
      const { after, limit } = page;
      const endpoints = await management.webhooks.list({ accountId, after, limit: limit + 1 });
      const address = `${baseUrl}${PATH}`;
      return respondPage(context, page, endpoints, { address, idOf: ({ id }) => id, json: endpointMembers });
    },
});
