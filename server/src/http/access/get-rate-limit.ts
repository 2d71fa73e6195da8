import { z } from '@hono/zod-openapi';
import { PLAN_NAMES } from '@petstore-inventory/shared/words';
import type { Principal } from '../../domain/access/principal.ts';
import type { WindowName, WindowUsage } from '../../domain/access/rate-limit.ts';
import type { LimitStatus } from '../../domain/store.ts';
import { responses } from '../openapi/responses.ts';
import { JSON_TYPE } from '../request/error-response.ts';
import type { OperationDefinition } from '../request/operation.ts';
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

const RateLimitSchema = z
  .object({
    plan: PlanSchema,
    minute: WindowSchema,
    day: WindowSchema,
    ban: z
      .union([BanSchema, z.null()])
      .openapi({ description: 'The running ban of this API key; `null` without one.' }),
  })
  .openapi('RateLimit', {
    description: 'The plan of the account, both windows, and any ban of this key.',
  });

function windowOf(windows: readonly WindowUsage[], wanted: WindowName) {
  const { limit, remaining, resetAtMs } = windows.find(({ name }) => name === wanted) as WindowUsage;
  return { limit, remaining, reset: resetAtMs / 1_000 };
}

/** Free, and open to banned keys, because it shows the ban. */
export const getRateLimit: OperationDefinition<unknown> = {
  route: {
    operationId: 'getRateLimit',
    method: 'get',
    path: '/rate-limit',
    tags: ['Limits'],
    summary: 'Get the rate limit',
    description:
      'Returns the plan of the account, both windows, and any ban of this API key. Takes nothing from the quota.',
    'x-stability': 'beta',
    responses: responses({
      success: { schema: RateLimitSchema, description: 'The plan, both windows and any ban.' },
    }),
  },
  scope: null,
  isFree: true,
  create: () => (context) => {
    const { plan } = (context.principal as Principal).account;
    const { windows, ban } = context.limitStatus as LimitStatus;
    const body = {
      plan,
      minute: windowOf(windows, 'minute'),
      day: windowOf(windows, 'day'),
      ban: ban ? { until: Math.ceil(ban.endsAtMs / 1_000) } : null,
    };
    return context.respond(200, JSON.stringify(body), {
      'Content-Type': JSON_TYPE,
      'Cache-Control': 'no-store',
    });
  },
};
