import type { z } from '@hono/zod-openapi';
import { createAccount as create, nameOf } from '../../../domain/actions/accounts.ts';
import { accountMembers } from '../../../wire/account-json.ts';
import { CREATED_AT } from '../../openapi/headers.ts';
import { responses } from '../../openapi/responses.ts';
import { MAX_BODY_BYTES, readJsonBody } from '../../request/json-body.ts';
import { requireNoQuery } from '../../request/query-parameters.ts';
import { ACTION_ERRORS, adminOperation, authorOf, respondJson } from '../admin-operation.ts';
import { bodyObject, nameField } from '../fields.ts';
import { AccountSchema, PLAN_MEMBERS, PlanNameSchema } from './account-schema.ts';

const schema = bodyObject({
  name: nameField('A unique name.', 'shop'),
  plan: PlanNameSchema,
  ...PLAN_MEMBERS,
}).openapi('AccountCreation', {
  description: 'An account to create.',
  example: { name: 'shop', plan: 'pro' },
});

export const createAccount = adminOperation({
  route: {
    operationId: 'createAccount',
    method: 'post',
    path: '/accounts',
    tags: ['Accounts'],
    summary: 'Create an account',
    description: 'Creates an account without keys. The name of another account is a `conflict`.',
    'x-stability': 'beta',
    request: { body: { required: true, content: { 'application/json': { schema } } } },
    responses: responses({
      isAction: true,
      status: 201,
      success: { schema: AccountSchema, description: 'The new account.', headers: CREATED_AT },
      errors: ACTION_ERRORS,
    }),
  },
  role: 'administrator',
  create:
    ({ management, baseUrl }) =>
    async (context) => {
      requireNoQuery(context);
      const body: z.infer<typeof schema> = await readJsonBody(context, { schema, maxBytes: MAX_BODY_BYTES });
      const name = nameOf(body.name) as string;
      const account = await create(management, { ...body, name }, authorOf(context));
      const headers = { Location: `${baseUrl}/accounts/${account.id}` };
      return respondJson(context, 201, accountMembers(account), headers);
    },
});
