import { z } from '@hono/zod-openapi';
import { MAX_PET_TEXT, MAX_QUANTITY } from '@petstore-inventory/shared/limits';
import { availableOf, stockTag } from '../../../domain/ledger/stock.ts';
import type { ManagedPet } from '../../../domain/management/pets.ts';
import { timestamp, timestampOrNull } from '../../../domain/timestamps.ts';
import type { Answer } from '../../../listen/exchange.ts';
import { JSON_TYPE } from '../../request/error-response.ts';
import type { RequestContext } from '../../request/request-context.ts';
import { InventoryDetailSchema } from '../../schemas/inventory-detail.ts';
import { quantitySchema } from '../../schemas/quantity.ts';
import { moment } from '../../schemas/values.ts';

const { daysOfStock: _daysOfStock, ...ITEM } = InventoryDetailSchema.shape;

export const ManagedPetSchema = z
  .object({
    ...ITEM,
    createdAt: moment('When the pet was added.'),
    archivedAt: moment('When it was archived; `null` if it is not.').nullable(),
  })
  .openapi('ManagedPet', { description: 'A pet with its stock.' });

const TEXT_RULE = `must be a text of at most ${MAX_PET_TEXT} characters on one line, or null.`;
const textMember = (description: string, example: string) =>
  z
    .string(TEXT_RULE)
    .refine((text) => [...text.slice(0, 2 * MAX_PET_TEXT + 1)].length <= MAX_PET_TEXT, TEXT_RULE)
    .nullable()
    .optional()
    .openapi({ maxLength: MAX_PET_TEXT, description, example });
const threshold = (description: string) => quantitySchema(MAX_QUANTITY, description).nullable().optional();

/** The members that a body sets; `null` removes a value. */
export const PET_MEMBERS = {
  name: textMember('The name of the animal; `null` removes it.', 'Biscuit'),
  category: textMember('The kind of animal; `null` removes it.', 'Dogs'),
  lowStockAt: threshold('Low at so many available units, or fewer; `null`: the default of the shop applies.'),
  restockAt: threshold('No longer low at so many; greater than `lowStockAt`, and only with it.'),
};

/** The JSON of a pet, with all digits of its petId. */
export function managedPetJson(pet: ManagedPet): string {
  const { petId, quantity, status, reserved, alertLevel, lowStockAt, restockAt, version } = pet;
  const rest = JSON.stringify({
    quantity,
    status,
    reserved,
    available: availableOf(pet),
    alertLevel,
    lowStockAt,
    restockAt,
    version,
    updatedAt: timestamp(pet.updatedAtMs),
    name: pet.name,
    category: pet.category,
    createdAt: timestamp(pet.createdAtMs),
    archivedAt: timestampOrNull(pet.archivedAtMs),
  });
  return `{"petId":${petId},${rest.slice(1)}`;
}

/**
 * Responds with a pet. Its tag is that of its stock and names whether it is archived too, which its stock does not. In
 * `If-Match` of a write only the stock counts.
 */
export function respondPet(
  context: RequestContext,
  pet: ManagedPet,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): Answer {
  const archived = pet.archivedAtMs === null ? '' : `.${pet.archivedAtMs.toString(36)}`;
  return context.respond(status, managedPetJson(pet), {
    'Content-Type': JSON_TYPE,
    'Cache-Control': 'private, no-cache',
    ETag: `"${stockTag(pet)}${archived}"`,
    ...headers,
  });
}
