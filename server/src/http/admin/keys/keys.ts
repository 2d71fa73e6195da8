import { z } from '@hono/zod-openapi';
import { nameOf, requireAccount } from '../../../domain/actions/accounts.ts';
import * as actions from '../../../domain/actions/keys.ts';
import { onlySet } from '../../../domain/only-set.ts';
import { CONFLICT } from '../../openapi/error-responses.ts';
import { body } from '../../operation/body.ts';
import { located, one, page } from '../../operation/output.ts';
import { anyText } from '../../operation/parameter.ts';
import { ACCOUNT_ID, ACCOUNT_ID_RULE } from '../../schemas/values.ts';
import { ACCOUNT_ID_FACTS } from '../accounts.ts';
import { bodyObject, nameField, partOf, timeField } from '../fields.ts';
import { expiryOf, KEY_PAGE, keyOperations, listedKeys } from './key-operations.ts';
import { CREATED_KEY, KEY, ROTATED_KEY, ScopesField } from './key-views.ts';

const { operation, get, rotate, revoke } = keyOperations({
  kind: 'client',
  tag: 'Keys',
  path: '/keys',
  noun: 'an API key',
  kept: 'the scopes',
  shown: KEY,
  rotated: ROTATED_KEY,
});

export const listKeys = operation({
  id: 'listKeys',
  at: 'GET /keys',
  summary: 'List API keys',
  description:
    'Returns API keys without their secrets, in the order of the names of their accounts and of their creation. Follow `Link` with `rel="next"` until it is missing.',
  access: { role: 'viewer' },
  query: {
    accountId: anyText({
      component: 'AccountIdFilter',
      description: 'Only those of this account.',
      schema: { type: 'string', maxLength: 100 },
      example: ACCOUNT_ID_FACTS.example,
    }).optional(),
    q: partOf('the name, the id, the hint, or the name of the account', 'KeyText'),
    ...KEY_PAGE,
  },
  output: page(KEY, { response: 'KeyPage', description: 'API keys.' }),
  handle: ({ management }, { query: { accountId, ...paging } }) =>
    listedKeys(management, { kind: 'client', ...paging, ...onlySet({ accountId }) }),
});

const CreationSchema = bodyObject({
  accountId: z
    .string(ACCOUNT_ID_RULE)
    .regex(ACCOUNT_ID, ACCOUNT_ID_RULE)
    .openapi('AccountId', ACCOUNT_ID_FACTS),
  name: nameField('Its purpose; the name of the account by default.', 'till').optional(),
  scopes: ScopesField.optional(),
  expiresAt: timeField('When it expires; never by default.').optional(),
}).openapi('KeyCreation', {
  description: 'An API key to create.',
  example: { accountId: ACCOUNT_ID_FACTS.example, name: 'till', scopes: ['inventory:read'] },
});

export const createKey = operation({
  id: 'createKey',
  at: 'POST /keys',
  summary: 'Create an API key',
  description: 'Creates an API key. Only this response has its secret.',
  access: { role: 'administrator' },
  body: body(CreationSchema),
  output: one(CREATED_KEY, {
    status: 201,
    description: 'The new key.',
    headers: [located(({ principal }) => `/keys/${principal.key.id}`)],
  }),
  missing: 'account',
  errors: CONFLICT,
  handle: async ({ management, secrets }, { body: wanted, author }) => {
    const account = await requireAccount(management, wanted.accountId);
    const fields = {
      accountId: account.id,
      role: null,
      name: nameOf(wanted.name ?? account.name) as string,
      scopes: wanted.scopes ? [...new Set(wanted.scopes)] : null,
      expiresAtMs: expiryOf(wanted.expiresAt, await management.now()) ?? null,
    };
    return actions.createKey(management, secrets, fields, author);
  },
});

export const getKey = get({ id: 'getKey' });
export const rotateKey = rotate({ id: 'rotateKey' });
export const revokeKey = revoke({ id: 'revokeKey' });
