import { z } from '@hono/zod-openapi';
import { MAX_PET_TEXT } from '@petstore-inventory/shared/limits';
import { PET_STATUSES } from '@petstore-inventory/shared/words';
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

export const PET_TEXTS = {
  name: text(MAX_PET_TEXT, 'The name of the animal.', 'Biscuit').nullable(),
  category: text(MAX_PET_TEXT, 'The kind of animal.', 'Dogs').nullable(),
};
