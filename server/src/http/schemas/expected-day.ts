import { z } from '@hono/zod-openapi';
import { DAY_RULE, isDay } from '../../domain/management/reorders.ts';

export const DAY = { pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', example: '2026-12-03' };

/** The day on which ordered units are expected. */
export const dayField = (description: string) =>
  z
    .string(DAY_RULE)
    .refine(isDay, DAY_RULE)
    .nullable()
    .optional()
    .openapi({ ...DAY, description });
