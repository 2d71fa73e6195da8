import { z } from '@hono/zod-openapi';
import { MAX_NAME, MAX_PLAN_REQUESTS } from '@petstore-inventory/shared/limits';
import { isStorableLine } from '@petstore-inventory/shared/storable-text';
import { PLAN_NAMES } from '@petstore-inventory/shared/words';
import * as actions from '../../domain/actions/accounts.ts';
import type { AccountChange, ManagementStore } from '../../domain/admin-store.ts';
import { onlySet } from '../../domain/only-set.ts';
import { accountMembers } from '../../wire/account-json.ts';
import { CONFLICT } from '../openapi/error-responses.ts';
import { body, patch } from '../operation/body.ts';
import { operationsWith } from '../operation/operation.ts';
import { located, one, page, pageOf, view } from '../operation/output.ts';
import { anyText, cursor, LIMIT, NAMED_CURSOR, oneMore } from '../operation/parameter.ts';
import { moment, text, wholeNumber } from '../schemas/values.ts';
import { bodyObject, nameField, partOf } from './fields.ts';

const operation = operationsWith<{ readonly management: ManagementStore }>({
  tag: 'Accounts',
});

export const ACCOUNT_ID_FACTS = {
  pattern: '^acc_[0-9A-Za-z]{16}$',
  description: 'The id of an account.',
  example: 'acc_4fQ2n8Zk1bXw0aLr',
} as const;

export const AccountIdSchema = z.string().openapi('AccountId', ACCOUNT_ID_FACTS);

/** The account of a path. */
export const ACCOUNT_OF_PATH = anyText({
  required: true,
  schema: { type: 'string', maxLength: 100 },
  description: 'The id of the account.',
  example: ACCOUNT_ID_FACTS.example,
});

const ONE = { path: { accountId: ACCOUNT_OF_PATH }, missing: 'account' };

const ACCOUNT = view(
  'Account',
  z
    .object({
      id: AccountIdSchema,
      name: text(MAX_NAME, 'Its unique name.', 'shop'),
      plan: text(50, 'Its plan: free, pro, business or enterprise.', 'pro'),
      perMinute: wholeNumber('Requests per minute.', 300),
      perDay: wholeNumber('Requests per day.', 10_000),
      createdAt: moment('When it was created.'),
    })
    .openapi({ description: 'An account, whose keys share its limits.' }),
  accountMembers,
);

/** The name after `=`. Cursors of an earlier release are ids, which have no such sign, and are refused. */
const AFTER = cursor<string>(
  {
    parse: (text) => (text.startsWith('=') && isStorableLine(text) ? text.slice(1) : undefined),
    print: (name) => `=${name}`,
  },
  NAMED_CURSOR,
);

export const listAccounts = operation({
  id: 'listAccounts',
  at: 'GET /accounts',
  summary: 'List accounts',
  description:
    'Returns accounts in the order of their names. Follow `Link` with `rel="next"` until it is missing.',
  access: { role: 'viewer' },
  query: { q: partOf('the name or the id', 'AccountText'), limit: LIMIT, cursor: AFTER },
  output: page(ACCOUNT, { response: 'AccountPage', description: 'Accounts.' }),
  handle: async ({ management }, { query: { q: words, ...paging } }) => {
    const accounts = await management.accounts.list({ ...onlySet({ words }), ...oneMore(paging) });
    return pageOf(accounts, paging.limit, ({ name }) => name);
  },
});

const PlanNameSchema = z
  .enum(PLAN_NAMES, `must be one of ${PLAN_NAMES.join(', ')}.`)
  .openapi('PlanName', { description: 'A plan.', example: 'pro' });

const LIMIT_RULE = `must be a whole number from 1 to ${MAX_PLAN_REQUESTS}.`;

const limitField = (description: string, example: number) =>
  z
    .int(LIMIT_RULE)
    .min(1, LIMIT_RULE)
    .max(MAX_PLAN_REQUESTS, LIMIT_RULE)
    .openapi({ format: 'int64', description, example });

/** The limits of a plan. */
const LIMIT_MEMBERS = {
  perMinute: limitField(
    'Requests per minute; only for the enterprise plan, which needs it.',
    5_000,
  ).optional(),
  perDay: limitField('Requests per day; only for the enterprise plan, which needs it.', 1_000_000).optional(),
};

const CreationSchema = bodyObject({
  name: nameField('A unique name.', 'shop'),
  plan: PlanNameSchema,
  ...LIMIT_MEMBERS,
}).openapi('AccountCreation', {
  description: 'An account to create.',
  example: { name: 'shop', plan: 'pro' },
});

export const createAccount = operation({
  id: 'createAccount',
  at: 'POST /accounts',
  summary: 'Create an account',
  description: 'Creates an account without keys. The name of another account is a `conflict`.',
  access: { role: 'administrator' },
  body: body(CreationSchema),
  output: one(ACCOUNT, {
    status: 201,
    description: 'The new account.',
    headers: [located(({ id }) => `/accounts/${id}`)],
  }),
  errors: CONFLICT,
  handle: ({ management }, { body: wanted, author }) => {
    const name = actions.nameOf(wanted.name) as string;
    return actions.createAccount(management, { ...wanted, name }, author);
  },
});

export const getAccount = operation({
  id: 'getAccount',
  at: 'GET /accounts/{accountId}',
  summary: 'Get an account',
  description: 'Returns one account.',
  access: { role: 'viewer' },
  ...ONE,
  output: one(ACCOUNT, { description: 'The account.' }),
  handle: ({ management }, { path }) => actions.requireAccount(management, path.accountId),
});

const UpdateSchema = bodyObject({
  name: nameField('A unique name.', 'shop').optional(),
  plan: PlanNameSchema.optional(),
  ...LIMIT_MEMBERS,
}).openapi('AccountUpdate', {
  description: 'The new values; members that are left out stay.',
  example: { plan: 'business' },
});

export const updateAccount = operation({
  id: 'updateAccount',
  at: 'PATCH /accounts/{accountId}',
  summary: 'Change an account',
  description:
    'Changes the name, the plan, or the limits of the enterprise plan. Every instance applies them within 5 seconds; used requests of the windows stay used.',
  access: { role: 'administrator' },
  ...ONE,
  body: patch(UpdateSchema),
  output: one(ACCOUNT, { description: 'The changed account.' }),
  errors: CONFLICT,
  handle: ({ management }, { path: { accountId }, body: { name, ...limits }, author }) => {
    const change = onlySet<AccountChange>({ name: name && actions.nameOf(name), ...limits });
    return Object.keys(change).length > 0
      ? management.accounts.update(accountId, change, author)
      : actions.requireAccount(management, accountId);
  },
});
