import { z } from '@hono/zod-openapi';
import { DEFAULT_PAGE_ITEMS, MAX_PAGE_ITEMS } from '../request/query-parameters.ts';

export const PetIdParameter = z.object({
  petId: z.string().openapi({
    type: 'integer',
    format: 'int64',
    description: 'Identifier of the pet, an exact 64-bit integer in plain decimal.',
    example: 7,
  }),
});

export const SequenceParameter = z.object({
  sequence: z.string().openapi({
    type: 'integer',
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The movement’s place in the ledger.',
    example: 4711,
  }),
});

export const ReadHeaders = z.object({
  'If-None-Match': z.string().optional().openapi({ description: 'The ETag of what the client has.' }),
  'If-Match': z.string().optional().openapi({
    description: 'The ETag that the answer must have, or several, or `*`; with another one it is 412.',
  }),
});

export const LimitParameter = z
  .string()
  .optional()
  .openapi({
    type: 'integer',
    minimum: 1,
    maximum: MAX_PAGE_ITEMS,
    description: `Items in a page; ${DEFAULT_PAGE_ITEMS} where a page is asked for without it.`,
    example: DEFAULT_PAGE_ITEMS,
  });

export function wholeNumberParameter(description: string, example: number) {
  return z.string().optional().openapi({
    type: 'integer',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description,
    example,
  });
}

export function momentParameter(description: string) {
  const example = '2026-07-01T12:00:00Z';
  return z.string().optional().openapi({ format: 'date-time', description, example });
}

export function choiceParameter(choices: readonly string[], description: string) {
  return z
    .string()
    .optional()
    .openapi({ type: 'string', enum: [...choices], description, example: choices[0] });
}
