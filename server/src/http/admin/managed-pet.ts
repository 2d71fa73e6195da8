import { z } from '@hono/zod-openapi';
import { availableOf, stockTag } from '../../domain/ledger/stock.ts';
import type { RestoredPet } from '../../domain/management/pet-store.ts';
import type { ManagedPet } from '../../domain/management/pets.ts';
import { timestamp, timestampOrNull } from '../../domain/timestamps.ts';
import { ITEM_TAG } from '../openapi/headers.ts';
import { type ResponseHeader, tagged, view } from '../operation/output.ts';
import { InventoryDetailSchema } from '../schemas/inventory-detail.ts';
import { BarcodesSchema, SkuSchema, TakenCodeSchema } from '../schemas/codes.ts';
import { moment } from '../schemas/values.ts';

const { daysOfStock: _daysOfStock, ...ITEM } = InventoryDetailSchema.shape;

export const MANAGED_PET = view(
  'ManagedPet',
  z
    .object({
      ...ITEM,
      sku: SkuSchema,
      barcodes: BarcodesSchema,
      createdAt: moment('When the pet was added.'),
      archivedAt: moment('When it was archived; `null` if it is not.').nullable(),
    })
    .openapi({ description: 'A pet with its stock.' }),
  membersOf,
);

function membersOf(pet: ManagedPet) {
  return {
    petId: pet.petId,
    quantity: pet.quantity,
    status: pet.status,
    reserved: pet.reserved,
    available: availableOf(pet),
    alertLevel: pet.alertLevel,
    lowStockAt: pet.lowStockAt,
    restockAt: pet.restockAt,
    version: pet.version,
    updatedAt: timestamp(pet.updatedAtMs),
    name: pet.name,
    category: pet.category,
    sku: pet.sku,
    barcodes: pet.barcodes,
    createdAt: timestamp(pet.createdAtMs),
    archivedAt: timestampOrNull(pet.archivedAtMs),
  };
}

export const RESTORED_PET = view(
  'RestoredPet',
  z
    .object({
      ...MANAGED_PET.schema.shape,
      takenCodes: z
        .array(TakenCodeSchema)
        .openapi({ description: 'What other pets took since the pet was archived.' }),
    })
    .openapi({ description: 'A pet that is not archived any more.' }),
  (pet: RestoredPet) => ({ ...membersOf(pet), takenCodes: pet.takenCodes }),
);

/**
 * The tag of its stock, which also names whether it is archived, which its stock does not. In `If-Match` of a write only
 * the stock counts.
 */
function petTag(pet: ManagedPet): string {
  const archived = pet.archivedAtMs === null ? '' : `.${pet.archivedAtMs.toString(36)}`;
  return `"${stockTag(pet)}${archived}"`;
}

export const PET_TAG = tagged(petTag, ITEM_TAG);
/** The tag after a change. */
export const CHANGED_PET_TAG: ResponseHeader<ManagedPet> = { documented: ITEM_TAG, of: PET_TAG.of };
