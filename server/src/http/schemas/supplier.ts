import { z } from '@hono/zod-openapi';
import { hasAtMost } from '@petstore-inventory/shared/characters';
import { MAX_SUPPLIER } from '@petstore-inventory/shared/limits';

const RULE = `must be a text of at most ${MAX_SUPPLIER} characters on one line, or null.`;

/** A new supplier. Spaces at its ends do not count. */
export const supplierField = (description: string) =>
  z
    .string(RULE)
    .refine((sent) => hasAtMost(sent.trim(), MAX_SUPPLIER), RULE)
    .nullable()
    .optional()
    .openapi({ maxLength: MAX_SUPPLIER, description, example: 'Zoo Wholesale' });

export const SUPPLIER_FILTER_RULE = `must have at most ${MAX_SUPPLIER} characters.`;
export const SUPPLIER_FILTER =
  'Only pets of exactly this supplier; with an empty or a blank text, those without a supplier.';

/** The filter as a member of a body. */
export const SupplierFilterSchema = z
  .string(`must be a text of at most ${MAX_SUPPLIER} characters.`)
  .refine((sent) => hasAtMost(sent.trim(), MAX_SUPPLIER), SUPPLIER_FILTER_RULE)
  .optional()
  .openapi({ maxLength: MAX_SUPPLIER, description: SUPPLIER_FILTER, example: 'Zoo Wholesale' });
