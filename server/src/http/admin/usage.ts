import { z } from '@hono/zod-openapi';
import { MAX_NAME } from '@petstore-inventory/shared/limits';
import { USAGE_UNITS } from '@petstore-inventory/shared/words';
import type { ManagementStore } from '../../domain/admin-store.ts';
import {
  MAX_BUSIEST,
  type ShopUsage,
  type UsagePeriod,
  type UsageQuery,
  usageQuery,
} from '../../domain/management/usage.ts';
import { shopUsageMembers, usageMembers } from '../../wire/usage-json.ts';
import { schemaAt } from '../openapi/components.ts';
import { operationsWith } from '../operation/operation.ts';
import { one, view } from '../operation/output.ts';
import { choice, moment as momentParameter } from '../operation/parameter.ts';
import { moment, text, wholeNumber, wholeNumberOrNull } from '../schemas/values.ts';
import { ACCOUNT_OF_PATH, AccountIdSchema } from './accounts.ts';

const operation = operationsWith<{ readonly management: ManagementStore }>({
  tag: 'Accounts',
});

const UsageUnitSchema = z
  .enum(USAGE_UNITS)
  .openapi('UsageUnit', { description: 'The length of the periods, in UTC.', example: 'hour' });

const PERIODS = {
  unit: UsageUnitSchema,
  since: moment('When the first period begins.', '2026-07-01T07:00:00.000Z'),
  until: moment('The last period begins before this moment.'),
  requests: wholeNumber('The requests of all periods.', 812),
  periods: z
    .array(
      z
        .object({
          beganAt: moment('When the period began.', '2026-07-01T07:00:00.000Z'),
          requests: wholeNumber('The admitted requests of the period.', 812),
        })
        .openapi('UsagePeriod', { description: 'The requests of a period.' }),
    )
    .openapi({ maxItems: 3_000, description: 'Oldest first. Periods without requests are left out.' }),
};

const USAGE = view(
  'AccountUsage',
  z.object(PERIODS).openapi({ description: 'The requests of an account over time.' }),
  ({ range, periods }: { readonly range: UsageQuery; readonly periods: readonly UsagePeriod[] }) =>
    usageMembers(range, periods),
);

const SHOP_USAGE = view(
  'Usage',
  z
    .object({
      ...PERIODS,
      accounts: z
        .array(
          z
            .object({
              id: AccountIdSchema,
              name: text(MAX_NAME, 'The name of the account.', 'shop'),
              requests: wholeNumber('Its requests in all periods.', 812),
              fullPeriods: wholeNumberOrNull(
                'Minutes or days in which it used the whole limit that it has now, so that any further request was refused with 429. `null` for hours, which have no limit.',
                2,
              ),
            })
            .openapi('UsageOfAccount', { description: 'The requests of one account.' }),
        )
        .openapi({
          maxItems: MAX_BUSIEST,
          description: `The accounts with requests, the busiest first: ${MAX_BUSIEST} at most.`,
        }),
    })
    .openapi({ description: 'The requests of all accounts over time.' }),
  ({ range, usage }: { readonly range: UsageQuery; readonly usage: ShopUsage }) =>
    shopUsageMembers(range, usage),
);

const RANGE = {
  unit: choice(USAGE_UNITS, {
    description: 'The length of the periods; `hour` by default.',
    schema: schemaAt('UsageUnit'),
  }).optional(),
  since: momentParameter(
    'The first period is that of this moment. By default 60 minutes, 24 hours or 30 days before `until`.',
    'UsageSince',
  ).optional(),
  until: momentParameter(
    'The last period begins before this moment; now by default.',
    'UsageUntil',
  ).optional(),
};

const COUNTED =
  'per minute for the last 48 hours, per hour for 90 days, per day for 5 years. On SQLite, requests of the last second may be missing.';

export const getUsage = operation({
  id: 'getUsage',
  at: 'GET /usage',
  summary: 'Get the requests of all accounts over time',
  description: `Counts the requests of all accounts together that took something from the limits, and names the busiest accounts: ${COUNTED}`,
  access: { role: 'viewer' },
  query: RANGE,
  output: one(SHOP_USAGE, { description: 'The requests, and the busiest accounts.' }),
  handle: async ({ management }, { query: { unit, since, until }, context }) => {
    const range = usageQuery({ unit, sinceMs: since, untilMs: until }, context.nowMs);
    return { range, usage: await management.usage.readAll(range) };
  },
});

export const getAccountUsage = operation({
  id: 'getAccountUsage',
  at: 'GET /accounts/{accountId}/usage',
  summary: 'Get the requests of an account over time',
  description: `Counts the requests that took something from the limits, ${COUNTED}`,
  access: { role: 'viewer' },
  path: { accountId: ACCOUNT_OF_PATH },
  query: RANGE,
  output: one(USAGE, { description: 'The requests.' }),
  missing: 'account',
  handle: async ({ management }, { path, query: { unit, since, until }, context }) => {
    const range = usageQuery({ unit, sinceMs: since, untilMs: until }, context.nowMs);
    return { range, periods: await management.usage.read(path.accountId, range) };
  },
});
