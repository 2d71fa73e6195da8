import { z } from '@hono/zod-openapi';
import { MAX_NAME } from '@petstore-inventory/shared/limits';
import { ROLES } from '@petstore-inventory/shared/words';
import { SCOPES } from '../../../domain/access/api-key.ts';
import type { Principal } from '../../../domain/access/principal.ts';
import type { MadeKey } from '../../../domain/actions/keys.ts';
import { timestampOrNull } from '../../../domain/timestamps.ts';
import { accountKeyMembers, managementKeyMembers } from '../../../wire/key-json.ts';
import { view } from '../../operation/output.ts';
import { anyText } from '../../operation/parameter.ts';
import { KEY_ID_PATTERN, moment, text } from '../../schemas/values.ts';
import { AccountIdSchema } from '../accounts.ts';

/** How responses show keys of both kinds, and the members of their bodies. */

const EXAMPLE_ID = 'key_4fQ2n8Zk1bXw0aLr';

export const KEY_ID = anyText({
  required: true,
  schema: { type: 'string', maxLength: 100 },
  description: 'The id of the key.',
  example: EXAMPLE_ID,
});

/** The members that keys of both kinds have. */
const KEY_MEMBERS = {
  id: z
    .string()
    .openapi('KeyId', { pattern: KEY_ID_PATTERN, description: 'The id of a key.', example: EXAMPLE_ID }),
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

/** A key as it is at a time, which decides whether it has expired. */
export interface SeenKey {
  readonly principal: Principal;
  readonly nowMs: number;
}

/** A key that replaces another one, with its secret. */
export interface RotatedKey extends MadeKey {
  readonly oldExpiresAtMs: number | null;
}

export const KEY = view(
  'Key',
  described({ ...KEY_MEMBERS, ...ACCOUNT_MEMBERS }, 'An API key of an account, without its secret.'),
  ({ principal, nowMs }: SeenKey) => accountKeyMembers(principal, nowMs),
);
export const CREATED_KEY = view(
  'CreatedKey',
  described({ ...KEY_MEMBERS, ...ACCOUNT_MEMBERS, ...SECRET_MEMBERS }, 'A new API key with its secret.'),
  ({ principal, secret }: MadeKey) => ({
    ...accountKeyMembers(principal, principal.key.createdAtMs),
    key: secret,
  }),
);
export const ROTATED_KEY = view(
  'RotatedKey',
  described(
    { ...KEY_MEMBERS, ...ACCOUNT_MEMBERS, ...ROTATED_MEMBERS },
    'The key that replaces another one, with its secret.',
  ),
  ({ principal, secret, oldExpiresAtMs }: RotatedKey) => ({
    ...accountKeyMembers(principal, principal.key.createdAtMs),
    key: secret,
    oldExpiresAt: timestampOrNull(oldExpiresAtMs),
  }),
);
export const ADMIN_KEY = view(
  'AdminKey',
  described({ ...KEY_MEMBERS, ...ROLE_MEMBERS }, 'A management key, without its secret.'),
  ({ principal, nowMs }: SeenKey) => managementKeyMembers(principal, nowMs),
);
export const CREATED_ADMIN_KEY = view(
  'CreatedAdminKey',
  described({ ...KEY_MEMBERS, ...ROLE_MEMBERS, ...SECRET_MEMBERS }, 'A new management key with its secret.'),
  ({ principal, secret }: MadeKey) => ({
    ...managementKeyMembers(principal, principal.key.createdAtMs),
    key: secret,
  }),
);
export const ROTATED_ADMIN_KEY = view(
  'RotatedAdminKey',
  described(
    { ...KEY_MEMBERS, ...ROLE_MEMBERS, ...ROTATED_MEMBERS },
    'The management key that replaces another one, with its secret.',
  ),
  ({ principal, secret, oldExpiresAtMs }: RotatedKey) => ({
    ...managementKeyMembers(principal, principal.key.createdAtMs),
    key: secret,
    oldExpiresAt: timestampOrNull(oldExpiresAtMs),
  }),
);

function described<T extends z.ZodRawShape>(members: T, description: string) {
  return z.object(members).openapi({ description });
}

const SCOPES_RULE = `must be one of ${SCOPES.join(', ')}.`;
/** The scopes of a new key. */
export const ScopesField = z
  .array(z.enum(SCOPES, SCOPES_RULE), 'must be an array of scopes.')
  .min(1, 'must have at least one scope.')
  .max(SCOPES.length, `must have at most ${SCOPES.length} scopes.`)
  .openapi({ description: 'What the key may do; everything by default.', example: ['inventory:read'] });

export const RoleField = z
  .enum(ROLES, `must be one of ${ROLES.join(', ')}.`)
  .openapi('Role', { description: 'What a management key may do.', example: 'staff' });
