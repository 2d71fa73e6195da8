import { z } from '@hono/zod-openapi';
import { SCOPES } from '../../../domain/access/api-key.ts';
import { ROLES } from '../../../domain/access/roles.ts';
import { MAX_NAME } from '../../../domain/actions/accounts.ts';
import { pathParameter } from '../../openapi/parameters.ts';
import { KEY_ID_PATTERN, moment, text } from '../../schemas/values.ts';
import { AccountIdSchema } from '../accounts/account-schema.ts';
import { ruled } from '../fields.ts';

const EXAMPLE_ID = 'key_4fQ2n8Zk1bXw0aLr';
const KeyIdSchema = z
  .string()
  .openapi('KeyId', { pattern: KEY_ID_PATTERN, description: 'The id of a key.', example: EXAMPLE_ID });
export const KEY_ID = pathParameter('keyId', {
  schema: { type: 'string', maxLength: 100 },
  description: 'The id of the key.',
  example: EXAMPLE_ID,
});

/** The members that keys of both kinds have. */
const KEY_MEMBERS = {
  id: KeyIdSchema,
  name: text(MAX_NAME, 'Its purpose.', 'till'),
  hint: text(50, 'Enough of the key to recognise it.', 'psk_live_…x7Qa'),
  state: text(50, 'Whether it works: active, revoked or expired.', 'active'),
  createdAt: moment('When it was created.'),
  expiresAt: moment('When it expires; `null`: never.').nullable(),
  revokedAt: moment('When it was revoked; `null`: it was not.').nullable(),
  lastUsedAt: moment('When it was last used, to the minute; `null`: never.').nullable(),
  rotatedFrom: z
    .string()
    .openapi({ pattern: KEY_ID_PATTERN, description: 'The key that it replaced, or `null`.', example: null })
    .nullable(),
};
const ACCOUNT_MEMBERS = {
  accountId: AccountIdSchema,
  scopes: z
    .array(text(50, 'A scope.', 'inventory:read'))
    .openapi({ maxItems: 100, description: 'What it may do.', example: ['inventory:read'] }),
};
const ROLE_MEMBERS = { role: text(50, 'Its role: viewer, staff or administrator.', 'staff') };

const SECRET_MEMBERS = {
  key: text(100, 'The key itself. It is shown only in this response.', 'psk_live_…'),
};
const ROTATED_MEMBERS = {
  ...SECRET_MEMBERS,
  oldExpiresAt: moment('When the old key expires.').nullable(),
};

export const KeySchema = z
  .object({ ...KEY_MEMBERS, ...ACCOUNT_MEMBERS })
  .openapi('Key', { description: 'An API key of an account, without its secret.' });
export const CreatedKeySchema = z
  .object({ ...KEY_MEMBERS, ...ACCOUNT_MEMBERS, ...SECRET_MEMBERS })
  .openapi('CreatedKey', { description: 'A new API key with its secret.' });
export const RotatedKeySchema = z
  .object({ ...KEY_MEMBERS, ...ACCOUNT_MEMBERS, ...ROTATED_MEMBERS })
  .openapi('RotatedKey', { description: 'The key that replaces another one, with its secret.' });
export const AdminKeySchema = z
  .object({ ...KEY_MEMBERS, ...ROLE_MEMBERS })
  .openapi('AdminKey', { description: 'A management key, without its secret.' });
export const CreatedAdminKeySchema = z
  .object({ ...KEY_MEMBERS, ...ROLE_MEMBERS, ...SECRET_MEMBERS })
  .openapi('CreatedAdminKey', { description: 'A new management key with its secret.' });
export const RotatedAdminKeySchema = z
  .object({ ...KEY_MEMBERS, ...ROLE_MEMBERS, ...ROTATED_MEMBERS })
  .openapi('RotatedAdminKey', {
    description: 'The management key that replaces another one, with its secret.',
  });

const SCOPES_RULE = `must be one of ${SCOPES.join(', ')}.`;
/** The scopes of a new key. */
export const ScopesField = z
  .array(z.enum(SCOPES, ruled(SCOPES_RULE)), ruled('must be an array of scopes.'))
  .min(1, 'must have at least one scope.')
  .max(SCOPES.length, `must have at most ${SCOPES.length} scopes.`)
  .openapi({ description: 'What the key may do; everything by default.', example: ['inventory:read'] });

export const RoleField = z
  .enum(ROLES, ruled(`must be one of ${ROLES.join(', ')}.`))
  .openapi('Role', { description: 'What a management key may do.', example: 'staff' });
