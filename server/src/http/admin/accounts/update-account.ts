import type { z } from '@hono/zod-openapi';
import { nameOf, requireAccount } from '../../../domain/actions/accounts.ts';
import type { AccountChange } from '../../../domain/admin-store.ts';
import { accountMembers } from '../../../wire/account-json.ts';
import { responses } from '../../openapi/responses.ts';
import { MAX_BODY_BYTES, readJsonBody } from '../../request/json-body.ts';
import { onlySet, requireNoQuery } from '../../request/query-parameters.ts';
import { adminOperation, authorOf, missing, PATCH_ERRORS, respondJson } from '../admin-operation.ts';
import { bodyObject, nameField } from '../fields.ts';
import { ACCOUNT_ID, AccountSchema, PLAN_MEMBERS, PlanNameSchema } from './account-schema.ts';

const schema = bodyObject({
  name: nameField('A unique name.', 'shop').optional(),
  plan: PlanNameSchema.optional(),
  ...PLAN_MEMBERS,
}).openapi('AccountUpdate', {
  description: 'The new values; members that are left out stay.',
  example: { plan: 'business' },
});

export const updateAccount = adminOperation({
  route: {
    operationId: 'updateAccount',
    method: 'patch',
    path: '/accounts/{accountId}',
    tags: ['Accounts'],
    summary: 'Change an account',
    description:
      'Changes the name, the plan, or the limits of the enterprise plan. A plan takes effect on the next request; used requests of the windows stay used.',
    'x-stability': 'beta',
    parameters: [ACCOUNT_ID],
    request: {
      body: {
        required: true,
        content: { 'application/json': { schema }, 'application/merge-patch+json': { schema } },
      },
    },
    responses: responses({
      isAction: true,
      success: { schema: AccountSchema, description: 'The changed account.' },
      errors: { ...PATCH_ERRORS, ...missing('account') },
    }),
  },
  role: 'administrator',
  create:
    ({ management }) =>
    async (context, parameter) => {
      requireNoQuery(context);
      const accountId = parameter('accountId');
      const body = await readJsonBody(context, { schema, maxBytes: MAX_BODY_BYTES, isPatch: true });
      const change = changeOf(body);
      const account =
        Object.keys(change).length > 0
          ? await management.accounts.update(accountId, change, authorOf(context))
          : await requireAccount(management, accountId);
      return respondJson(context, 200, accountMembers(account));
    },
});

function changeOf({ name, plan, perMinute, perDay }: z.infer<typeof schema>): AccountChange {
  return onlySet<AccountChange>({ name: name && nameOf(name), plan, perMinute, perDay });
}
