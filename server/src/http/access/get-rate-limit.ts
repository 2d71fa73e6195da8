import type { Principal } from '../../domain/api-key.ts';
import type { WindowName, WindowUsage } from '../../domain/rate-limit.ts';
import type { LimitStatus } from '../../domain/store.ts';
import { responses } from '../openapi/responses.ts';
import { JSON_TYPE } from '../request/error-response.ts';
import type { OperationDefinition } from '../request/operation.ts';
import { RateLimitSchema } from '../schemas/rate-limit.ts';

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
