import { z } from '@hono/zod-openapi';
import { MAX_INT64, MIN_INT64 } from '../../domain/inventory.ts';
import { ERROR_POLICIES } from '../../domain/write-command.ts';
import type { JsonLimits } from '../request/json-limits.ts';
import { EXPLANATION_MEMBERS } from '../schemas/explanation.ts';
import { int64, PetStatusSchema } from '../schemas/inventory.ts';
import { CONDITION_MEMBERS, DeltaSchema, quantitySchema } from '../schemas/quantity.ts';
import { CODE_OF_REFUSAL } from './conflict-response.ts';

const MAX_BATCH_ROWS = 1_000;
const PLAN_ID = /^[A-Za-z0-9_-]{1,100}$/;

const PLAN_RULE = 'must be the planId of a dry run.';
const PET_ID_RULE = 'must be a 64-bit integer.';
const IF_MATCH_RULE = 'must be one entity tag with its quotes, as ETag has it, or *.';
/** An entity tag (RFC 9110 section 8.8.3), or any. */
const ONE_TAG = /^(?:\*|(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")$/;
const KIND_RULE = 'must have either quantity, or delta with a reason.';

function changeSchema(maxQuantity: number) {
  return z
    .strictObject(
      {
        petId: z
          .bigint({ error: (issue) => (issue.input === undefined ? 'is required.' : PET_ID_RULE) })
          .min(MIN_INT64, PET_ID_RULE)
          .max(MAX_INT64, PET_ID_RULE)
          .openapi({
            type: 'integer',
            format: 'int64',
            description: 'The pet whose stock is to change. An exact 64-bit integer.',
            example: 7,
          }),
        quantity: quantitySchema(maxQuantity, 'The new stock count.').optional(),
        delta: DeltaSchema.optional(),
        ...EXPLANATION_MEMBERS,
        ...CONDITION_MEMBERS,
        ifMatch: z.string(IF_MATCH_RULE).regex(ONE_TAG, IF_MATCH_RULE).optional().openapi({
          description:
            'What `If-Match` would say of this pet: the one `ETag` of the item that you have seen, with its quotes, or `*`. A row takes no list of them.',
          example: '"3-4711-mqxz0p3k"',
        }),
      },
      { error: 'must be a JSON object with the member petId.' },
    )
    .refine(({ quantity, delta }) => (quantity === undefined) !== (delta === undefined), KIND_RULE)
    .refine(({ delta, reason }) => delta === undefined || typeof reason === 'string', {
      path: ['reason'],
      error: 'is required with delta.',
    })
    .openapi('BatchChange', {
      description: 'Either a quantity to set, or a delta to adjust by with its reason.',
      oneOf: [
        { required: ['quantity'], not: { required: ['delta'], properties: { delta: {} } } },
        {
          required: ['delta', 'reason'],
          properties: { reason: { type: 'string' } },
          not: { required: ['quantity'], properties: { quantity: {} } },
        },
      ],
      example: { petId: 7, delta: -2, reason: 'damaged' },
    });
}

const ROWS_RULE = `must be an array of 1 to ${MAX_BATCH_ROWS} changes.`;

/** No valid batch has more: its rows with their members, the members of the body, and the body. */
export const BATCH_LIMITS: JsonLimits = {
  values: MAX_BATCH_ROWS * (1 + 10) + 5,
  elements: MAX_BATCH_ROWS,
  elementsRule: `changes ${ROWS_RULE}`,
};

/** The body of `batchInventory`. */
export function inventoryBatchSchema(maxQuantity: number) {
  return z
    .strictObject(
      {
        changes: z
          .array(changeSchema(maxQuantity), ROWS_RULE)
          .min(1, ROWS_RULE)
          .max(MAX_BATCH_ROWS, ROWS_RULE)
          .openapi({ description: 'What is to change, in this order; a pet may come more than once.' }),
        errorPolicy: z
          .enum(ERROR_POLICIES, `must be one of ${ERROR_POLICIES.join(', ')}.`)
          .default('reject_everything')
          .openapi({
            description:
              'What a row that is refused does: nothing is changed (`reject_everything`), or the others are carried out (`reject_failed_rows`).',
          }),
        dryRun: z
          .boolean('must be true or false.')
          .default(false)
          .openapi({ description: 'Tells what would come of each row, and changes nothing.' }),
        planId: z.string(PLAN_RULE).regex(PLAN_ID, PLAN_RULE).optional().openapi({
          description:
            'From a dry run of the same changes: they are carried out only if nothing they touch has changed since.',
          example: 'tT5pXJ0vqgM2a0yN3xk1c7m0W0b9m3cQy1m5u6i7o8k',
        }),
      },
      { error: 'must be a JSON object with the member changes.' },
    )
    .openapi('InventoryBatch', {
      description: 'Changes of many pets in one.',
      example: {
        changes: [
          { petId: 7, delta: -2, reason: 'damaged' },
          { petId: 8, quantity: 12, changeFromQuantity: 14 },
        ],
        dryRun: true,
      },
    });
}

const ROW_CODES = ['done', ...new Set(Object.values(CODE_OF_REFUSAL))] as const;

const BatchStockSchema = z
  .object({
    quantity: z.int().min(0).openapi({ description: 'The quantity.', example: 14 }),
    status: PetStatusSchema,
    version: z.int().openapi({ description: 'The version of the item.', example: 3 }),
    etag: z.string().nullable().openapi({
      description:
        'The `ETag` of the item with its quotes, for the `ifMatch` of a next change; `null` where a dry run only reckons with such a stock.',
      example: '"3-4711-mqxz0p3k"',
    }),
  })
  .openapi('BatchStock', { description: 'The stock of a pet before or after a row.' });

const BatchRowSchema = z
  .object({
    petId: int64('The pet of the row.'),
    code: z.enum(ROW_CODES).openapi({
      description: '`done`, or the code of the error with which the change alone would be answered.',
      example: 'done',
    }),
    message: z
      .string()
      .nullable()
      .openapi({ description: 'Why the row was refused; `null` when it was done.', example: null }),
    before: z
      .union([BatchStockSchema, z.null()])
      .openapi({ description: 'The stock that the row found; `null` where there is no such pet.' }),
    after: z
      .union([BatchStockSchema, z.null()])
      .openapi({ description: 'The stock after it; `null` where the row was refused.' }),
    sequence: z.int().nullable().openapi({
      description: 'The movement that was recorded; `null` where nothing was, and in a dry run.',
      example: 4711,
    }),
  })
  .openapi('BatchRow', {
    description: 'What came of one change, with the stock before and after it.',
    example: {
      petId: 7,
      code: 'done',
      message: null,
      before: { quantity: 14, status: 'available', version: 3, etag: '"3-4242-mqxz0p3k"' },
      after: { quantity: 12, status: 'available', version: 4, etag: '"4-4711-mqy00000"' },
      sequence: 4711,
    },
  });

export const BatchResultSchema = z
  .object({
    planId: z.string().openapi({
      description: 'Names these changes and the stock of all they touch, as it was before.',
      example: 'tT5pXJ0vqgM2a0yN3xk1c7m0W0b9m3cQy1m5u6i7o8k',
    }),
    dryRun: z.boolean().openapi({ description: 'Whether nothing was to be changed.', example: false }),
    applied: z
      .int()
      .min(0)
      .openapi({ description: 'Rows that were carried out; 0 in a dry run.', example: 1 }),
    rows: z.array(BatchRowSchema).openapi({ description: 'One row for each change, in their order.' }),
  })
  .openapi('InventoryBatchResult', { description: 'What came of a batch.' });
