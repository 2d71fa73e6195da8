import { z } from '@hono/zod-openapi';
import { USAGE_UNITS, type UsageQuery, usageQuery } from '../../../domain/management/usage.ts';
import { usageMembers } from '../../../wire/usage-json.ts';
import { momentParameter, queryParameter } from '../../openapi/parameters.ts';
import { responses } from '../../openapi/responses.ts';
import { readChoice, readQuery, readTimestamp } from '../../request/query-parameters.ts';
import type { RequestContext } from '../../request/request-context.ts';
import { moment, wholeNumber } from '../../schemas/values.ts';
import { ACCOUNT_ID } from '../accounts/account-schema.ts';
import { ADMIN_ERRORS, adminOperation, missing, respondJson } from '../admin-operation.ts';

const NAMES = ['unit', 'since', 'until'] as const;

const UsageUnitSchema = z
  .enum(USAGE_UNITS)
  .openapi('UsageUnit', { description: 'The length of the periods, in UTC.', example: 'hour' });

const UsageSchema = z
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
  .openapi('AccountUsage', { description: 'The requests of an account over time.' });

export const getAccountUsage = adminOperation({
  route: {
    operationId: 'getAccountUsage',
    method: 'get',
    path: '/accounts/{accountId}/usage',
    tags: ['Accounts'],
    summary: 'Get the requests of an account over time',
    description:
      'Counts the requests that took something from the limits, per minute for the last 48 hours, per hour for 90 days, per day for 5 years. On SQLite, requests of the last second may be missing.',
    'x-stability': 'beta',
    parameters: [
      ACCOUNT_ID,
      queryParameter('unit', {
        description: 'The length of the periods; `hour` by default.',
        schema: { $ref: '#/components/schemas/UsageUnit' },
      }),
      momentParameter(
        'since',
        'The first period is that of this moment. By default 60 minutes, 24 hours or 30 days before `until`.',
        'Usage',
      ),
      momentParameter('until', 'The last period begins before this moment; now by default.', 'Usage'),
    ],
    responses: responses({
      success: { schema: UsageSchema, description: 'The requests.' },
      errors: { ...ADMIN_ERRORS, ...missing('account') },
    }),
  },
  role: 'viewer',
  create:
    ({ management }) =>
    async (context, parameter) => {
      const query = readUsageQuery(context);
      const periods = await management.usage.read(parameter('accountId'), query);
      return respondJson(context, 200, usageMembers(query, periods));
    },
});

function readUsageQuery({ query, nowMs }: RequestContext): UsageQuery {
  const parameters = readQuery(query, NAMES);
  const unit = readChoice(parameters, 'unit', USAGE_UNITS);
  const [sinceMs, untilMs] = ['since', 'until'].map((name) => readTimestamp(parameters, name));
  return usageQuery({ unit, sinceMs, untilMs }, nowMs);
}
