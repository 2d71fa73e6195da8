import { nameOf } from '../../../domain/actions/accounts.ts';
import { CREATED_AT } from '../../openapi/headers.ts';
import { responses } from '../../openapi/responses.ts';
import { MAX_BODY_BYTES, readJsonBody } from '../../request/json-body.ts';
import { requireNoQuery } from '../../request/query-parameters.ts';
import { ACTION_ERRORS, adminOperation } from '../admin-operation.ts';
import { bodyObject, nameField, timeField } from '../fields.ts';
import { respondNewKey } from '../keys/key-actions.ts';
import { CreatedAdminKeySchema, RoleField } from '../keys/key-schema.ts';

const schema = bodyObject({
  role: RoleField,
  name: nameField('Its purpose; the role by default.', 'Ada').optional(),
  expiresAt: timeField('When it expires; never by default.').optional(),
}).openapi('AdminKeyCreation', {
  description: 'A management key to create.',
  example: { role: 'staff', name: 'Ada' },
});

export const createAdminKey = adminOperation({
  route: {
    operationId: 'createAdminKey',
    method: 'post',
    path: '/admin-keys',
    tags: ['Management keys'],
    summary: 'Create a management key',
    description: 'Creates a management key. Only this response has its secret.',
    'x-stability': 'beta',
    request: { body: { required: true, content: { 'application/json': { schema } } } },
    responses: responses({
      isAction: true,
      status: 201,
      success: { schema: CreatedAdminKeySchema, description: 'The new key.', headers: CREATED_AT },
      errors: ACTION_ERRORS,
    }),
  },
  role: 'administrator',
  create: (services) => async (context) => {
    requireNoQuery(context);
    const { role, name, expiresAt } = await readJsonBody(context, { schema, maxBytes: MAX_BODY_BYTES });
    const fields = { accountId: null, role, name: nameOf(name ?? role) as string, scopes: null, expiresAt };
    return respondNewKey(context, services, fields);
  },
});
