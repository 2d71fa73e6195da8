import { REASONS } from '@petstore-inventory/shared/words';
import { z } from '@hono/zod-openapi';
import { MAX_BATCH_ROWS } from '@petstore-inventory/shared/limits';
import { ERROR_POLICIES } from '../../domain/write-command.ts';
import type { JsonLimits } from '../request/json-limits.ts';
import { EXPLANATION_MEMBERS, ReasonSchema } from '../schemas/explanation.ts';
import { ExactPetIdSchema } from '../schemas/pet-id.ts';
import { CONDITION_MEMBERS, DeltaSchema, quantitySchema, TakeReservedSchema } from '../schemas/quantity.ts';

export const PLAN_ID = /^[A-Za-z0-9_-]{1,100}$/;
export const PLAN_ID_EXAMPLE = 'tT5pXJ0vqgM2a0yN3xk1c7m0W0b9m3cQy1m5u6i7o8k';

const PLAN_RULE = 'must be the planId of a dry run.';
const IF_MATCH_RULE = 'must be one entity tag with its quotes, as in ETag, or *.';
/** A row fits into the largest body. */
const MAX_TAG = 1024 * 1024;
/** An entity tag (RFC 9110 section 8.8.3), or `*`. */
const ONE_TAG = /^(?:\*|(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")$/;
const KIND_RULE = 'must have either quantity, or delta with a reason, or revert.';

/** The members of a row besides `quantity`, `delta` and `reason`. */
const { reason: OPTIONAL_REASON, ...OTHER_EXPLANATION } = EXPLANATION_MEMBERS;
const ROW_MEMBERS = {
  petId: ExactPetIdSchema,
  ...OTHER_EXPLANATION,
  ...CONDITION_MEMBERS,
  ifMatch: z
    .string(IF_MATCH_RULE)
    .regex(ONE_TAG, IF_MATCH_RULE)
    .openapi('RowIfMatch', {
      maxLength: MAX_TAG,
      description:
        'The `If-Match` of this pet: one `ETag` of the item, with its quotes, or `*`. A list is not allowed here.',
      example: '"3-4711-mqxz0p3k"',
    })
    .optional(),
};
const REVERT_RULE = 'must be the sequence of a movement of this pet.';
const revertedSequence = z.int(REVERT_RULE).min(1, REVERT_RULE).openapi('RevertedSequence', {
  format: 'int64',
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'The sequence of the movement of this pet that the row reverts, as `revertMovement` does.',
  example: 4711,
});
const ROW_RULE = { error: 'must be a JSON object with the member petId.' };

/** One row of either kind, with errors that name what it lacks. */
function changeSchema(maxQuantity: number) {
  const quantity = quantitySchema(maxQuantity, 'The new stock count.').optional();
  return z
    .strictObject(
      {
        ...ROW_MEMBERS,
        quantity,
        delta: DeltaSchema.optional(),
        revert: revertedSequence.optional(),
        reason: OPTIONAL_REASON,
        takeReserved: TakeReservedSchema.optional(),
      },
      ROW_RULE,
    )
    .refine(
      ({ quantity: set, delta, revert }) =>
        [set, delta, revert].filter((one) => one !== undefined).length === 1,
      KIND_RULE,
    )
    .refine(({ delta, reason }) => delta === undefined || typeof reason === 'string', {
      path: ['reason'],
      error: `is required with delta: one of ${REASONS.join(', ')}.`,
    })
    .refine((row) => row.quantity === undefined || row.takeReserved === undefined, {
      path: ['takeReserved'],
      error: 'is not allowed with quantity: a quantity that is set may always be less than is reserved.',
    });
}

/** A row as the document describes it: one complete schema per kind, distinguished by `quantity`, `delta` and `revert`. */
function documentedChange(maxQuantity: number) {
  const quantity = quantitySchema(maxQuantity, 'The new stock count.');
  const quantityChange = z
    .strictObject({ ...ROW_MEMBERS, quantity, reason: OPTIONAL_REASON })
    .openapi('BatchQuantity', {
      description: 'A row that sets a quantity.',
      example: { petId: 8, quantity: 12 },
    });
  const adjustment = z
    .strictObject({
      ...ROW_MEMBERS,
      delta: DeltaSchema,
      reason: ReasonSchema,
      takeReserved: TakeReservedSchema.optional(),
    })
    .openapi('BatchAdjustment', {
      description: 'A row that adds to a quantity or takes from it.',
      example: { petId: 7, delta: -2, reason: 'damaged' },
    });
  const revert = z
    .strictObject({
      ...ROW_MEMBERS,
      revert: revertedSequence,
      reason: OPTIONAL_REASON,
      takeReserved: TakeReservedSchema.optional(),
    })
    .openapi('BatchRevert', {
      description: 'A row that reverts a movement.',
      example: { petId: 7, revert: 4711 },
    });
  return z.xor([quantityChange, adjustment, revert]).openapi('BatchChange', {
    description: 'A row of a batch: a quantity to set, a delta with its reason, or a movement to revert.',
    example: { petId: 7, delta: -2, reason: 'damaged' },
  });
}

const ROWS_RULE = `must be an array of 1 to ${MAX_BATCH_ROWS} changes.`;

/** Limits that no valid batch exceeds: its rows with their members, the members of the body, and the body. */
export const BATCH_LIMITS: JsonLimits = {
  values: MAX_BATCH_ROWS * (1 + 10) + 5,
  elements: MAX_BATCH_ROWS,
  elementsRule: `changes ${ROWS_RULE}`,
};

/** The body of `batchInventory`: rows are parsed with one schema, and described with one per kind. */
export function inventoryBatchSchema(maxQuantity: number) {
  return bodySchema(changeSchema(maxQuantity));
}
export function documentedBatchSchema(maxQuantity: number) {
  return bodySchema(documentedChange(maxQuantity)).openapi('InventoryBatch', {
    description: 'Changes of many pets in one request.',
    example: {
      changes: [
        { petId: 7, delta: -2, reason: 'damaged' },
        { petId: 8, quantity: 12, changeFromQuantity: 14 },
      ],
      dryRun: true,
    },
  });
}

const ErrorPolicySchema = z
  .enum(ERROR_POLICIES, `must be one of ${ERROR_POLICIES.join(', ')}.`)
  .openapi('ErrorPolicy', {
    default: 'reject_everything',
    description:
      'The effect of a refused row: nothing changes (`reject_everything`), or the other rows are applied (`reject_failed_rows`).',
  });

function bodySchema<T extends z.ZodType>(change: T) {
  return z.strictObject(
    {
      changes: z
        .array(change, ROWS_RULE)
        .min(1, ROWS_RULE)
        .max(MAX_BATCH_ROWS, ROWS_RULE)
        .openapi({ description: 'The changes in their order; a pet may occur more than once.' }),
      errorPolicy: ErrorPolicySchema.default('reject_everything'),
      dryRun: z
        .boolean('must be true or false.')
        .default(false)
        .openapi({ description: 'Returns the result of each row and changes nothing.' }),
      planId: z.string(PLAN_RULE).regex(PLAN_ID, PLAN_RULE).optional().openapi({
        description:
          'The `planId` of a dry run of the same changes. They are applied only if nothing that they touch has changed since.',
        example: PLAN_ID_EXAMPLE,
      }),
    },
    { error: 'must be a JSON object with the member changes.' },
  );
}
