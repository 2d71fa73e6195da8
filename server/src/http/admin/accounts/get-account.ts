import { requireAccount } from '../../../domain/actions/accounts.ts';
import { accountMembers } from '../../../wire/account-json.ts';
import { responses } from '../../openapi/responses.ts';
import { requireNoQuery } from '../../request/query-parameters.ts';
import { ADMIN_ERRORS, adminOperation, missing, respondJson } from '../admin-operation.ts';
import { ACCOUNT_ID, AccountSchema } from './account-schema.ts';

export const getAccount = adminOperation({
  route: {
    operationId: 'getAccount',
    method: 'get',
    path: '/accounts/{accountId}',
    tags: ['Accounts'],
    summary: 'Get an account',
    description: 'Returns one account.',
    'x-stability': 'beta',
    parameters: [ACCOUNT_ID],
    responses: responses({
      success: { schema: AccountSchema, description: 'The account.' },
      errors: { ...ADMIN_ERRORS, ...missing('account') },
    }),
  },
  role: 'viewer',
  create:
    ({ management }) =>
    async (context, parameter) => {
      requireNoQuery(context);
      return respondJson(
        context,
        200,
        accountMembers(await requireAccount(management, parameter('accountId'))),
      );
    },
});
