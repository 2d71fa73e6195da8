import { z } from '@hono/zod-openapi';
import { PLAN_NAMES } from '@petstore-inventory/shared/words';
import type { Principal } from '../../domain/access/principal.ts';
import type { WindowName, WindowUsage } from '../../domain/access/rate-limit.ts';
import type { LimitStatus } from '../../domain/store.ts';
import { operationsWith } from '../operation/operation.ts';
import { one, view } from '../operation/output.ts';
import { wholeNumber } from '../schemas/values.ts';

const PlanSchema = z.enum(PLAN_NAMES).openapi('Plan', { description: 'A plan of an account.' });

const WindowSchema = z
  .object({
    limit: wholeNumber('Requests that the window admits.', 300),
    remaining: wholeNumber('Requests that remain until the reset.', 299),
    reset: wholeNumber('When the window resets, in Unix seconds.', 1795230060),
  })
  .openapi('RateLimitWindow', { description: 'The present state of one fixed UTC window.' });

const BanSchema = z
  .object({ until: wholeNumber('When the ban ends, in Unix seconds.', 1795230360) })
  .openapi('Ban', { description: 'A temporary ban of an API key.' });

const RATE_LIMIT = view(
  'RateLimit',
  z
    .object({
      plan: PlanSchema,
      minute: WindowSchema,
      day: WindowSchema,
      ban: z
        .union([BanSchema, z.null()])
        .openapi({ description: 'The running ban of this API key; `null` without one.' }),
    })
    .openapi({ description: 'The plan of the account, both windows, and any ban of this key.' }),
  ({ plan, windows, ban }: LimitStatus & Pick<Principal['account'], 'plan'>) => ({
    plan,
    minute: windowOf(windows, 'minute'),
    day: windowOf(windows, 'day'),
    ban: ban ? { until: Math.ceil(ban.endsAtMs / 1_000) } : null,
  }),
);

function windowOf(windows: readonly WindowUsage[], wanted: WindowName) {
  const { limit, remaining, resetAtMs } = windows.find(({ name }) => name === wanted) as WindowUsage;
  return { limit, remaining, reset: resetAtMs / 1_000 };
}

const operation = operationsWith<unknown>({ tag: 'Limits' });

/** Free, and open to banned keys, because it shows the ban. */
export const getRateLimit = operation({
  id: 'getRateLimit',
  at: 'GET /rate-limit',
  summary: 'Get the rate limit',
  description:
    'Returns the plan of the account, both windows, and any ban of this API key. Takes nothing from the quota.',
  access: 'any-key',
  isFree: true,
  ignoresQuery: true,
  output: one(RATE_LIMIT, { description: 'The plan, both windows and any ban.' }),
  handle: (_services, { context }) => {
    const { plan } = (context.principal as Principal).account;
    return { plan, ...(context.limitStatus as LimitStatus) };
  },
});
