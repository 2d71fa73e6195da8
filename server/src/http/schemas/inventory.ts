import { z } from '@hono/zod-openapi';
import { PET_STATUSES } from '../../domain/inventory.ts';
import { EXPLANATION_MEMBERS } from './explanation.ts';
import { CONDITION_MEMBERS, quantitySchema } from './quantity.ts';
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
      description: 'A stock count to set, and its explanation.',
      example: { quantity: 12 },
    });
}

/** The longest name or category that an import accepts, in characters. */
const MAX_PET_TEXT = 200;
export const PET_TEXTS = {
  name: text(MAX_PET_TEXT, 'The name of the animal.', 'Biscuit').nullable(),
  category: text(MAX_PET_TEXT, 'The kind of animal.', 'Dogs').nullable(),
};

export const PetSchema = z
  .object({ petId: PetIdSchema, ...PET_TEXTS, status: PetStatusSchema })
  .openapi('Pet', { description: 'An animal of the shop, without its stock.' });
