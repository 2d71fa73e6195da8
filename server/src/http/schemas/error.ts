import { z } from '@hono/zod-openapi';

/** New codes must not break generated clients, so the list is not an `enum`. */
const ErrorCodeSchema = z.string().openapi('ErrorCode', {
  pattern: '^[a-z][a-z_]{3,49}$',
  description:
    'A machine-readable code. `x-error-codes` of this document lists all. Codes may be added; treat an unknown code by its status.',
  example: 'not_found',
});

export const ErrorSchema = z
  .object({
    code: ErrorCodeSchema,
    message: z.string().openapi({
      description: 'Human-readable description.',
      minLength: 1,
      maxLength: 4_000,
      example: 'There is no pet with petId 7.',
    }),
    status: z.int().openapi({
      format: 'int32',
      minimum: 400,
      maximum: 599,
      description: 'The HTTP status code.',
      example: 404,
    }),
  })
  .openapi('Error', { description: 'The body of every error.' });
