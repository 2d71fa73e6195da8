import { z } from '@hono/zod-openapi';
import { ERROR_STATUS } from '../../domain/errors.ts';
import { PET_STATUSES } from '../../domain/inventory.ts';
import { PLAN_NAMES } from '../../domain/plans.ts';
import { EXPLANATION_MEMBERS } from './explanation.ts';
import { CONDITION_MEMBERS, quantitySchema } from './quantity.ts';

/** The shapes of the wire. Each is stated here once: the parser, the types and the document come from it. */

export const PetStatusSchema = z.enum(PET_STATUSES).openapi('PetStatus', {
  description: 'Stock status of a pet.',
});

/** An exact 64-bit integer. */
export const int64 = (description: string) =>
  z.bigint().openapi({ type: 'integer', format: 'int64', description, example: 7 });

export const InventoryItemSchema = z
  .object({
    petId: int64('Identifier of the animal this entry tracks. An exact 64-bit integer: read it as one.'),
    quantity: z.int().min(0).openapi({ description: 'Current stock count.', example: 12 }),
    status: PetStatusSchema,
  })
  .openapi('InventoryItem', { description: 'The stock of one pet.' });

/** The body of `updateInventory`. Other members are ignored: the shape is experimental and may grow. */
export function inventoryUpdateSchema(maxQuantity: number) {
  return z
    .object(
      {
        quantity: quantitySchema(maxQuantity, 'The new stock count.'),
        ...CONDITION_MEMBERS,
        ...EXPLANATION_MEMBERS,
      },
      { error: 'must be a JSON object with the member quantity.' },
    )
    .openapi('InventoryUpdate', {
      description: 'A stock count to set, and what there is to say about it.',
      example: { quantity: 12 },
    });
}

export const PetSchema = z
  .object({
    petId: int64('Identifier of the animal.'),
    name: z.string().nullable().openapi({ description: 'What the animal is called.', example: 'Biscuit' }),
    category: z.string().nullable().openapi({ description: 'The kind of animal.', example: 'Dogs' }),
    status: PetStatusSchema,
  })
  .openapi('Pet', { description: 'What the shop knows of an animal.' });

const WindowSchema = z
  .object({
    limit: z.int().openapi({ description: 'Requests the window admits.', example: 300 }),
    remaining: z.int().openapi({ description: 'Requests still admitted before the reset.', example: 299 }),
    reset: z.int().openapi({ description: 'When the window resets, in Unix seconds.', example: 1795230060 }),
  })
  .openapi('RateLimitWindow', { description: 'One fixed UTC window as it stands now.' });

export const RateLimitSchema = z
  .object({
    plan: z.enum(PLAN_NAMES).openapi({ description: 'The plan of the account.', example: 'pro' }),
    minute: WindowSchema,
    day: WindowSchema,
    ban: z
      .object({
        until: z.int().openapi({ description: 'When the ban ends, in Unix seconds.', example: 1795230360 }),
      })
      .nullable()
      .openapi({ description: 'The running ban of this API key, if there is one.' }),
  })
  .openapi('RateLimit', {
    description: 'The plan of the account, its use of it, and any ban of this key.',
    example: {
      plan: 'pro',
      minute: { limit: 300, remaining: 299, reset: 1795230060 },
      day: { limit: 10000, remaining: 9940, reset: 1795305600 },
      ban: null,
    },
  });

export const ErrorSchema = z
  .object({
    code: z.enum(Object.keys(ERROR_STATUS) as [string, ...string[]]).openapi({
      description: 'Machine-readable error code. Codes may be added; treat an unknown one by its status.',
      example: 'not_found',
    }),
    message: z
      .string()
      .openapi({ description: 'Human-readable description.', example: 'There is no pet with petId 7.' }),
    status: z.int().openapi({ description: 'The HTTP status code.', example: 404 }),
  })
  .openapi('Error', { description: 'The body of every error.' });
