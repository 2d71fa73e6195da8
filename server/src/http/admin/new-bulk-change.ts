import { z } from '@hono/zod-openapi';
import { IN_STORE_PREFIXES } from '@petstore-inventory/shared/barcodes';
import {
  MAX_BULK_PETS,
  MAX_PET_TEXT,
  MAX_QUANTITY,
  MAX_SKU,
  MAX_BARCODE,
} from '@petstore-inventory/shared/limits';
import { hasAtMost } from '@petstore-inventory/shared/characters';
import { parseTimestamp } from '@petstore-inventory/shared/timestamp';
import { ALERT_LEVELS, BULK_UNITS } from '@petstore-inventory/shared/words';
import type { BulkFilter, BulkValues } from '../../domain/management/bulk-changes.ts';
import { MAX_QUERY_CHARACTERS } from '../../domain/management/pet-words.ts';
import { ARCHIVED_FILTERS } from '../../domain/management/pets.ts';
import { onlySet } from '../../domain/only-set.ts';
import { body } from '../operation/body.ts';
import type { JsonLimits } from '../request/json-limits.ts';
import { longArray } from '../schemas/long-array.ts';
import { dayField } from '../schemas/expected-day.ts';
import { PetStatusSchema } from '../schemas/inventory.ts';
import { ExactPetIdSchema } from '../schemas/pet-id.ts';
import { quantitySchema } from '../schemas/quantity.ts';
import { SupplierFilterSchema, supplierField } from '../schemas/supplier.ts';
import { PET_TEXT_RULE, thresholdField, timeField } from './fields.ts';

/** Longer ones are too long for each pet. */
const MAX_TEMPLATE = 256;
const SKU_RULE = `must be a text of at most ${MAX_TEMPLATE} characters, or null.`;
const BARCODES_RULE = 'must be an empty array.';
const ORDERED_RULE = `must be a whole number from 1 to ${MAX_QUANTITY}, suggested or units.`;
const UNITS_RULE = `must be a whole number from 1 to ${MAX_QUANTITY}.`;
const PREFIX_RULE = 'must be a text from 20 to 29.';

export const ValuesSchema = z
  .strictObject({
    category: z
      .string(PET_TEXT_RULE)
      .max(2 * MAX_PET_TEXT, PET_TEXT_RULE)
      .nullable()
      .optional()
      .openapi({
        maxLength: MAX_PET_TEXT,
        description: 'The new category; `null` removes it.',
        example: 'Dogs',
      }),
    status: PetStatusSchema.optional(),
    lowStockAt: thresholdField(
      'Low at so many available units, or fewer; `null`: the default of the shop applies. It replaces `restockAt` too.',
    ),
    restockAt: thresholdField('No longer low at so many; greater than `lowStockAt`, and only with it.'),
    sku: z
      .string(SKU_RULE)
      .max(MAX_TEMPLATE, SKU_RULE)
      .nullable()
      .optional()
      .openapi({
        maxLength: MAX_TEMPLATE,
        description: `The SKU of each pet, with its petId in the place of \`{petId}\`, which it must have, and at most ${MAX_SKU} characters; \`null\` removes the SKUs.`,
        example: 'CAT-{petId}',
      }),
    barcodes: z
      .array(z.string().max(MAX_BARCODE), BARCODES_RULE)
      .max(0, BARCODES_RULE)
      .optional()
      .openapi({ description: 'An empty array removes all barcodes.', example: [] }),
    inStorePrefix: z.enum(IN_STORE_PREFIXES, PREFIX_RULE).optional().openapi({
      description:
        'Gives pets without a barcode an EAN-13: this prefix, ten digits of the petId, and the check digit. GS1 leaves numbers with `20` to `29` to shops, for use in their own rooms; choose one that the till does not read as a weight or a price. Exclusive with `barcodes`.',
      example: '20',
    }),
    archived: z
      .boolean('must be true or false.')
      .optional()
      .openapi({ description: 'Archives or restores the pets; it is alone in `set`.' }),
    supplier: supplierField(
      'Who sells the pets to the shop; `null` or a blank text: not known. What is ordered of them stays. It is alone in `set`, or with `ordered`.',
    ),
    ordered: z
      .union(
        [
          z
            .int(ORDERED_RULE)
            .min(1, ORDERED_RULE)
            .max(MAX_QUANTITY, ORDERED_RULE)
            .openapi({ format: 'int64' }),
          z
            .enum(BULK_UNITS, ORDERED_RULE)
            .openapi('BulkUnits', { description: 'Where the units of each pet come from.' }),
        ],
        ORDERED_RULE,
      )
      .optional()
      .openapi({
        description:
          'Units that are ordered of each pet. `suggested`: those that the reorder list suggests. `units`: those of `units` beside `petIds`. It is alone in `set`, or with `expectedOn` and `supplier`.',
        example: 'suggested',
      }),
    expectedOn: dayField('The day on which they are expected; `null`: not known. Only with `ordered`.'),
  })
  .openapi('BulkValues', {
    description: 'The new values of each pet; others stay.',
    example: { category: 'Dogs' },
  });

const FILTER_MEMBERS = {
  q: z
    .string(`must be a text of at most ${MAX_QUERY_CHARACTERS} characters.`)
    .refine(
      (text) => hasAtMost(text, MAX_QUERY_CHARACTERS),
      `must have at most ${MAX_QUERY_CHARACTERS} characters.`,
    )
    .optional()
    .openapi({
      maxLength: MAX_QUERY_CHARACTERS,
      description: 'Words, codes or a petId, as `q` of the list of pets.',
      example: 'gold retr',
    }),
  archived: z
    .enum(ARCHIVED_FILTERS)
    .optional()
    .openapi({ description: '`exclude` by default; `only` where `set` restores pets.', example: 'exclude' }),
  status: PetStatusSchema.optional(),
  category: z
    .string(`must have 1 to ${MAX_PET_TEXT} characters.`)
    .min(1, `must have 1 to ${MAX_PET_TEXT} characters.`)
    .refine((text) => hasAtMost(text, MAX_PET_TEXT), `must have 1 to ${MAX_PET_TEXT} characters.`)
    .optional()
    .openapi({
      maxLength: MAX_PET_TEXT,
      description: 'Only pets of exactly this category.',
      example: 'Dogs',
    }),
  supplier: SupplierFilterSchema,
  alert: z
    .array(z.enum(ALERT_LEVELS).openapi('AlertLevel'))
    .min(1)
    .max(ALERT_LEVELS.length)
    .optional()
    .openapi({ description: 'Only pets of these alert levels.' }),
  quantityGte: quantitySchema(MAX_QUANTITY, 'Only pets with this quantity or more.').optional(),
  quantityLte: quantitySchema(MAX_QUANTITY, 'Only pets with this quantity or less.').optional(),
  availableLte: z.int().optional().openapi({
    format: 'int64',
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Only pets with this many available units or fewer; may be below 0.',
    example: 3,
  }),
  updatedSince: timeField('Only pets whose stock changed at this moment or later.').optional(),
};

export const FilterSchema = z.strictObject(FILTER_MEMBERS).openapi('BulkFilter', {
  description: 'Pets with all of these; `{}`: all pets that are not archived.',
  example: { category: 'Dog' },
});

const UnitsSchema = z.bigint(UNITS_RULE).min(1n, UNITS_RULE).max(BigInt(MAX_QUANTITY), UNITS_RULE);
const ONE_SELECTION = 'needs petIds or filter, one of both.';
const NewBulkChangeSchema = z
  .strictObject({
    petIds: longArray(ExactPetIdSchema, MAX_BULK_PETS, 'petIds')
      .min(1, 'must have 1 petId or more.')
      .optional()
      .openapi({
        type: 'array',
        items: { $ref: '#/components/schemas/PetId' },
        minItems: 1,
        maxItems: MAX_BULK_PETS,
        description: 'The pets to change. Exclusive with `filter`.',
      }),
    units: longArray(UnitsSchema, MAX_BULK_PETS, 'numbers')
      .optional()
      .openapi({
        type: 'array',
        items: { type: 'integer', format: 'int64', minimum: 1, maximum: MAX_QUANTITY, example: 140 },
        maxItems: MAX_BULK_PETS,
        description:
          'Units to order of each pet of `petIds`, in the same order; only with `"ordered": "units"` in `set`.',
      }),
    filter: FilterSchema.optional(),
    set: ValuesSchema,
  })
  .refine(({ petIds, filter }) => (petIds === undefined) !== (filter === undefined), ONE_SELECTION)
  .refine(({ petIds, units }) => petIds || !units, 'has units, which need petIds.')
  .openapi('BulkChangeRequest', {
    description: 'The pets to change, by their ids or by a filter, and their new values.',
    example: { filter: { category: 'Dog' }, set: { category: 'Dogs' } },
  });

/** The longest petIds, each with its comma and the longest units, fit in. */
const MAX_BULK_BYTES = 2 * 1024 * 1024;
const LIMITS: JsonLimits = {
  values: 2 * MAX_BULK_PETS + 32,
  elements: MAX_BULK_PETS,
  elementsRule: `petIds or units has more than ${MAX_BULK_PETS} elements; use a filter.`,
};

export const NEW_BULK_CHANGE = body(NewBulkChangeSchema, {
  maxBytes: MAX_BULK_BYTES,
  hasPetIdArrays: true,
  limits: LIMITS,
});

export function valuesOf({
  lowStockAt,
  restockAt,
  barcodes,
  ...others
}: z.output<typeof ValuesSchema>): BulkValues {
  const hasThresholds = lowStockAt !== undefined || restockAt !== undefined;
  const thresholds = { lowStockAt: lowStockAt ?? null, restockAt: restockAt ?? null };
  return onlySet<BulkValues>({
    ...others,
    barcodes: barcodes && [],
    thresholds: hasThresholds ? thresholds : undefined,
  });
}

export function filterOf(
  { q, alert, archived, supplier, updatedSince, ...others }: z.output<typeof FilterSchema>,
  values: BulkValues,
): BulkFilter {
  return onlySet<BulkFilter>({
    ...others,
    query: q?.trim() === '' ? undefined : q,
    supplier: supplier?.trim(),
    alertLevels: alert,
    updatedSinceMs: updatedSince === undefined ? undefined : Math.ceil(parseTimestamp(updatedSince) ?? 0),
    archived: archived ?? (values.archived === false ? 'only' : 'exclude'),
  });
}
