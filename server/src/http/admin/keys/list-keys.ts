import { schemaAt } from '../../openapi/components.ts';
import { queryParameter } from '../../openapi/parameters.ts';
import { responses, success } from '../../openapi/responses.ts';
import { MAX_PAGE_ITEMS } from '../../request/query-parameters.ts';
import { ACCOUNT_ID_FACTS } from '../accounts/account-schema.ts';
import { ADMIN_ERRORS, adminOperation } from '../admin-operation.ts';
import { PAGE_HEADERS, PAGE_PARAMETERS, readPage } from '../paging.ts';
import { respondKeys } from './key-actions.ts';

const ACCOUNT_FILTER = queryParameter('accountId', {
  component: 'AccountIdFilter',
  description: 'Only those of this account.',
  schema: { type: 'string', maxLength: 100 },
  example: ACCOUNT_ID_FACTS.example,
});

export const listKeys = adminOperation({
  route: {
    operationId: 'listKeys',
    method: 'get',
    path: '/keys',
    tags: ['Keys'],
    summary: 'List API keys',
    description:
      'Returns API keys without their secrets, in the order of the names of their accounts and of their creation. Follow `Link` with `rel="next"` until it is missing.',
    'x-stability': 'beta',
    parameters: [ACCOUNT_FILTER, ...PAGE_PARAMETERS],
    responses: responses({
      success: success(
        'KeyPage',
        'API keys.',
        { type: 'array', items: schemaAt('Key'), maxItems: MAX_PAGE_ITEMS },
        PAGE_HEADERS,
      ),
      errors: ADMIN_ERRORS,
    }),
  },
  role: 'viewer',
  create: (services) => (context) => {
    const page = readPage(context, ['accountId']);
    const accountId = page.parameters.get('accountId');
    return respondKeys(context, services, page, { kind: 'client', ...(accountId !== null && { accountId }) });
  },
});
