import { z } from '@hono/zod-openapi';
import { PLAN_NAMES } from '../../domain/plans.ts';
import { wholeNumber } from './values.ts';

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

export const RateLimitSchema = z
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
