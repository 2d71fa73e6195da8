import { z } from '@hono/zod-openapi';
import { USAGE_UNITS } from '@petstore-inventory/shared/words';
import type { ManagementStore } from '../../domain/admin-store.ts';
import { type UsagePeriod, type UsageQuery, usageQuery } from '../../domain/management/usage.ts';
import { usageMembers } from '../../wire/usage-json.ts';
import { schemaAt } from '../openapi/components.ts';
import { operationsWith } from '../operation/operation.ts';
import { one, view } from '../operation/output.ts';
import { choice, moment as momentParameter } from '../operation/parameter.ts';
import { moment, wholeNumber } from '../schemas/values.ts';
import { ACCOUNT_OF_PATH } from './accounts.ts';

const operation = operationsWith<{ readonly management: ManagementStore }>({
  tag: 'Accounts',
});

const UsageUnitSchema = z
  .enum(USAGE_UNITS)
  .openapi('UsageUnit', { description: 'The length of the periods, in UTC.', example: 'hour' });

const USAGE = view(
  'AccountUsage',
  z
    .object({
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
    })
    .openapi({ description: 'The requests of an account over time.' }),
  ({ range, periods }: { readonly range: UsageQuery; readonly periods: readonly UsagePeriod[] }) =>
    usageMembers(range, periods),
);

export const getAccountUsage = operation({
  id: 'getAccountUsage',
  at: 'GET /accounts/{accountId}/usage',
  summary: 'Get the requests of an account over time',
  description:
    'Counts the requests that took something from the limits, per minute for the last 48 hours, per hour for 90 days, per day for 5 years. On SQLite, requests of the last second may be missing.',
  access: { role: 'viewer' },
  path: { accountId: ACCOUNT_OF_PATH },
  query: {
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
  },
  output: one(USAGE, { description: 'The requests.' }),
  missing: 'account',
  handle: async ({ management }, { path, query: { unit, since, until }, context }) => {
    const range = usageQuery({ unit, sinceMs: since, untilMs: until }, context.nowMs);
    return { range, periods: await management.usage.read(path.accountId, range) };
  },
});
