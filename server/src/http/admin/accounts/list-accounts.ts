import { MAX_PAGE_ITEMS } from '@petstore-inventory/shared/limits';
import { accountMembers } from '../../../wire/account-json.ts';
import { schemaAt } from '../../openapi/components.ts';
import { responses, success } from '../../openapi/responses.ts';
import { ADMIN_ERRORS, adminOperation } from '../admin-operation.ts';
import { PAGE_HEADERS, PAGE_PARAMETERS, readPage, respondPage } from '../paging.ts';

export const listAccounts = adminOperation({
  route: {
    operationId: 'listAccounts',
    method: 'get',
    path: '/accounts',
    tags: ['Accounts'],
    summary: 'List accounts',
    description:
      'Returns accounts in the order of their names. Follow `Link` with `rel="next"` until it is missing.',
    'x-stability': 'beta',
    parameters: [...PAGE_PARAMETERS],
    responses: responses({
      success: success(
        'AccountPage',
        'Accounts.',
        { type: 'array', items: schemaAt('Account'), maxItems: MAX_PAGE_ITEMS },
        PAGE_HEADERS,
      ),
      errors: ADMIN_ERRORS,
    }),
  },
  role: 'viewer',
  create:
    ({ management, baseUrl }) =>
    async (context) => {
      const page = readPage(context);
      const accounts = await management.accounts.list({
        limit: page.limit + 1,
        ...(page.after !== undefined && { after: page.after }),
      });
      return respondPage(context, page, accounts, {
        address: `${baseUrl}/accounts`,
        idOf: ({ id }) => id,
        json: accountMembers,
      });
    },
});
