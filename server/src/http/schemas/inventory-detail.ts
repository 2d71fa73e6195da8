import { z } from '@hono/zod-openapi';
import { MAX_QUANTITY } from '@petstore-inventory/shared/limits';
import { AlertLevelSchema } from './alert.ts';
import { InventoryItemSchema, PET_TEXTS } from './inventory.ts';
import { moment, ReservedSchema, VersionSchema, wholeNumberOrNull } from './values.ts';

export const InventoryDetailSchema = z
  .object({
    ...InventoryItemSchema.shape,
    reserved: ReservedSchema,
    available: z.int().openapi({
      format: 'int64',
      minimum: -MAX_QUANTITY,
      maximum: MAX_QUANTITY,
      description:
        'The quantity minus the reserved units; below 0 after a recount that found fewer than are reserved.',
      example: 9,
    }),
    alertLevel: z
      .union([AlertLevelSchema, z.null()])
      .openapi({ description: 'The level of the available units; `null` if there are enough.' }),
    lowStockAt: wholeNumberOrNull('The pet’s own threshold of `low`; `null`: that of the shop applies.', 5),
    restockAt: wholeNumberOrNull(
      'Its own threshold that ends an alert; `null`: the next number after the threshold.',
      8,
    ),
    daysOfStock: z
      .number()
      .openapi({
        format: 'double',
        minimum: 0,
        description:
          'For how many days the available units last at the average rate of sales of the last 30 days; `null` without a sale.',
        example: 4.5,
      })
      .nullable(),
    version: VersionSchema,
    updatedAt: moment('When the item was last changed.'),
    ...PET_TEXTS,
  })
  .openapi('InventoryDetail', {
    description: 'The stock of one pet, with its reservations, alert level and version.',
  });
