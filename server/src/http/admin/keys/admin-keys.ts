import { nameOf } from '../../../domain/actions/accounts.ts';
import * as actions from '../../../domain/actions/keys.ts';
import { CONFLICT } from '../../openapi/error-responses.ts';
import { body } from '../../operation/body.ts';
import { located, one, page } from '../../operation/output.ts';
import { bodyObject, nameField, partOf, timeField } from '../fields.ts';
import { expiryOf, KEY_PAGE, keyOperations, listedKeys } from './key-operations.ts';
import { ADMIN_KEY, CREATED_ADMIN_KEY, ROTATED_ADMIN_KEY, RoleField } from './key-views.ts';

const { operation, get, rotate, revoke } = keyOperations({
  kind: 'management',
  tag: 'Management keys',
  path: '/admin-keys',
  noun: 'a management key',
  kept: 'the role',
  shown: ADMIN_KEY,
  rotated: ROTATED_ADMIN_KEY,
});

export const listAdminKeys = operation({
  id: 'listAdminKeys',
  at: 'GET /admin-keys',
  summary: 'List management keys',
  description:
    'Returns management keys without their secrets, in the order of their creation. Follow `Link` with `rel="next"` until it is missing.',
  access: { role: 'viewer' },
  query: { q: partOf('the name, the id, or the hint', 'AdminKeyText'), ...KEY_PAGE },
  output: page(ADMIN_KEY, { response: 'AdminKeyPage', description: 'Management keys.' }),
  handle: ({ management }, { query }) => listedKeys(management, { kind: 'management', ...query }),
});

const CreationSchema = bodyObject({
  role: RoleField,
  name: nameField('Its purpose; the role by default.', 'Ada').optional(),
  expiresAt: timeField('When it expires; never by default.').optional(),
}).openapi('AdminKeyCreation', {
  description: 'A management key to create.',
  example: { role: 'staff', name: 'Ada' },
});

export const createAdminKey = operation({
  id: 'createAdminKey',
  at: 'POST /admin-keys',
  summary: 'Create a management key',
  description: 'Creates a management key. Only this response has its secret.',
  access: { role: 'administrator' },
  body: body(CreationSchema),
  output: one(CREATED_ADMIN_KEY, {
    status: 201,
    description: 'The new key.',
    headers: [located(({ principal }) => `/admin-keys/${principal.key.id}`)],
  }),
  errors: CONFLICT,
  handle: async ({ management, secrets }, { body: { role, name, expiresAt }, author }) => {
    const expiresAtMs = expiryOf(expiresAt, await management.now()) ?? null;
    const fields = { accountId: null, role, name: nameOf(name ?? role) as string, scopes: null, expiresAtMs };
    return actions.createKey(management, secrets, fields, author);
  },
});

export const getAdminKey = get({ id: 'getAdminKey' });
export const rotateAdminKey = rotate({ id: 'rotateAdminKey' });
export const revokeAdminKey = revoke({ id: 'revokeAdminKey' });
