import { z } from '@hono/zod-openapi';
import { MAX_NAME } from '@petstore-inventory/shared/limits';
import { PLAN_NAMES } from '@petstore-inventory/shared/words';
import { pathParameter } from '../../openapi/parameters.ts';
import { moment, text, wholeNumber } from '../../schemas/values.ts';
import { limitField, ruled } from '../fields.ts';

export const ACCOUNT_ID_FACTS = {
  pattern: '^acc_[0-9A-Za-z]{16}$',
  description: 'The id of an account.',
  example: 'acc_4fQ2n8Zk1bXw0aLr',
} as const;
export const AccountIdSchema = z.string().openapi('AccountId', ACCOUNT_ID_FACTS);
export const ACCOUNT_ID = pathParameter('accountId', {
  schema: { type: 'string', maxLength: 100 },
  description: 'The id of the account.',
  example: ACCOUNT_ID_FACTS.example,
});

export const AccountSchema = z
  .object({
    id: AccountIdSchema,
    name: text(MAX_NAME, 'Its unique name.', 'shop'),
    plan: text(50, 'Its plan: free, pro, business or enterprise.', 'pro'),
    perMinute: wholeNumber('Requests per minute.', 300),
    perDay: wholeNumber('Requests per day.', 10_000),
    createdAt: moment('When it was created.'),
  })
  .openapi('Account', { description: 'An account, whose keys share its limits.' });

/** The members of a body that choose a plan. */
export const PLAN_MEMBERS = {
  perMinute: limitField(
    'Requests per minute; only for the enterprise plan, which needs it.',
    5_000,
  ).optional(),
  perDay: limitField('Requests per day; only for the enterprise plan, which needs it.', 1_000_000).optional(),
};

export const PlanNameSchema = z
  .enum(PLAN_NAMES, ruled(`must be one of ${PLAN_NAMES.join(', ')}.`))
  .openapi('PlanName', { description: 'A plan.', example: 'pro' });
