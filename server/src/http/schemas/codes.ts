import { z } from '@hono/zod-openapi';
import { hasAtMost } from '@petstore-inventory/shared/characters';
import { MAX_BARCODE, MAX_BARCODES, MAX_SKU } from '@petstore-inventory/shared/limits';
import { PetIdSchema } from './values.ts';

const SKU_RULE = `must be a text of at most ${MAX_SKU} characters on one line, or null.`;
const BARCODE_RULE = `must be a text of 1 to ${MAX_BARCODE} printable ASCII characters.`;
const BARCODES_RULE = `must be an array of at most ${MAX_BARCODES} barcodes.`;

/** Codes in requests and responses. The rules of the shop refuse what these leave, such as a wrong check digit. */
export const SkuSchema = z
  .string(SKU_RULE)
  .refine((text) => hasAtMost(text, MAX_SKU), SKU_RULE)
  .nullable()
  .openapi({
    maxLength: MAX_SKU,
    description: 'The article number of the shop, which no other pet has; `null`: none.',
    example: 'DOG-0042',
  });

export const BarcodesSchema = z
  .array(
    z.string(BARCODE_RULE).max(MAX_BARCODE, BARCODE_RULE).openapi('Barcode', {
      minLength: 1,
      pattern: '^[ -~]+$',
      description:
        'A code as it was typed. One of 8, 12, 13 or 14 digits is a GTIN with a right check digit, not all zeros, and is the same code with zeros before it.',
      example: '4006381333931',
    }),
    BARCODES_RULE,
  )
  .max(MAX_BARCODES, BARCODES_RULE)
  .openapi({ description: 'The barcodes, which no other pet has.', example: ['4006381333931'] });

export const TakenCodeSchema = z
  .object({
    kind: z.enum(['sku', 'barcode']).openapi({ description: 'Which of its codes it was.' }),
    code: z.string().openapi({ maxLength: MAX_SKU, description: 'The code.', example: '4006381333931' }),
    petId: PetIdSchema,
  })
  .openapi({ description: 'A code that the pet had, and the pet that took it.' });
