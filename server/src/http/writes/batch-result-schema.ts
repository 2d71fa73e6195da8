import { z } from '@hono/zod-openapi';
import { MAX_BATCH_ROWS } from '@petstore-inventory/shared/limits';
import { PetStatusSchema } from '../schemas/inventory.ts';
import {
  PetIdSchema,
  QuantitySchema,
  ReservedSchema,
  sequenceOrNull,
  text,
  VersionSchema,
} from '../schemas/values.ts';
import { PLAN_ID, PLAN_ID_EXAMPLE } from './batch-inventory-schema.ts';

const MAX_MESSAGE = 4_000;
const MAX_TAG = 102;

const BatchStockSchema = z
  .object({
    quantity: QuantitySchema,
    reserved: ReservedSchema,
    status: PetStatusSchema,
    version: VersionSchema,
    etag: z
      .string()
      .openapi({
        maxLength: MAX_TAG,
        description:
          'The `ETag` of the item with its quotes, for the `ifMatch` of a next change; `null` for a stock that exists only in a dry run.',
        example: '"3-4711-mqxz0p3k"',
      })
      .nullable(),
  })
  .openapi('BatchStock', { description: 'The stock of a pet before or after a row.' });

/**
 * One schema for done and refused rows: both have the same members, so a client that is generated from a union cannot
 * distinguish them before it has read `code`.
 */
const BatchRowSchema = z
  .object({
    petId: PetIdSchema,
    code: z.string().openapi({
      pattern: '^[a-z][a-z_]{3,49}$',
      description:
        '`done`, or the error code that the change alone would return. Codes may be added; treat an unknown code as a refusal.',
      example: 'done',
    }),
    message: text(MAX_MESSAGE, 'Why the row was refused; `null` if it was done.', null).nullable(),
    before: z
      .union([BatchStockSchema, z.null()])
      .openapi({ description: 'The stock before the row; `null` if there is no such pet.' }),
    after: z
      .union([BatchStockSchema, z.null()])
      .openapi({ description: 'The stock after the row; `null` if the row was refused.' }),
    sequence: sequenceOrNull('The recorded movement; `null` if nothing was recorded, as in a dry run.', 4711),
  })
  .openapi('BatchRow', {
    description: 'The result of one change, with the stock before and after it.',
    example: {
      petId: 7,
      code: 'done',
      message: null,
      before: { quantity: 14, reserved: 0, status: 'available', version: 3, etag: '"3-4242-mqxz0p3k"' },
      after: { quantity: 12, reserved: 0, status: 'available', version: 4, etag: '"4-4711-mqy00000"' },
      sequence: 4711,
    },
  });

export const BatchResultSchema = z
  .object({
    planId: z.string().openapi({
      pattern: PLAN_ID.source,
      description: 'Identifies these changes and the stock of all that they touch, as it was before.',
      example: PLAN_ID_EXAMPLE,
    }),
    dryRun: z.boolean().openapi({ description: 'Whether it was a dry run.', example: false }),
    applied: z.int().openapi({
      format: 'int32',
      minimum: 0,
      maximum: MAX_BATCH_ROWS,
      description: 'The number of applied rows; 0 in a dry run.',
      example: 1,
    }),
    rows: z
      .array(BatchRowSchema)
      .min(1)
      .max(MAX_BATCH_ROWS)
      .openapi({ description: 'One result per change, in the same order.' }),
  })
  .openapi('InventoryBatchResult', {
    description: 'The result of a batch.',
    // The result of the example in `InventoryBatch`.
    example: {
      planId: PLAN_ID_EXAMPLE,
      dryRun: true,
      applied: 0,
      rows: [
        {
          petId: 7,
          code: 'done',
          message: null,
          before: { quantity: 14, reserved: 0, status: 'available', version: 3, etag: '"3-4242-mqxz0p3k"' },
          after: { quantity: 12, reserved: 0, status: 'available', version: 4, etag: null },
          sequence: null,
        },
        {
          petId: 8,
          code: 'done',
          message: null,
          before: { quantity: 14, reserved: 0, status: 'pending', version: 9, etag: '"9-4243-mqxz1k07"' },
          after: { quantity: 12, reserved: 0, status: 'pending', version: 10, etag: null },
          sequence: null,
        },
      ],
    },
  });
