import { z } from '@hono/zod-openapi';
import { PET_STATUSES } from '../../domain/inventory.ts';
import { PetIdSchema, QuantitySchema, text } from './values.ts';

export const PetStatusSchema = z.enum(PET_STATUSES).openapi('PetStatus', {
  description: 'Stock status of a pet.',
});

export const InventoryItemSchema = z
  .object({
    petId: PetIdSchema,
    quantity: QuantitySchema,
    status: PetStatusSchema,
  })
  .openapi('InventoryItem', { description: 'The stock of one pet.' });

/** The longest name or category that an import accepts, in characters. */
const MAX_PET_TEXT = 200;
export const PET_TEXTS = {
  name: text(MAX_PET_TEXT, 'The name of the animal.', 'Biscuit').nullable(),
  category: text(MAX_PET_TEXT, 'The kind of animal.', 'Dogs').nullable(),
};
