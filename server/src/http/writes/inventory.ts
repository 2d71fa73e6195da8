import { z } from '@hono/zod-openapi';
import { changeConflict } from '../openapi/error-responses.ts';
import { body } from '../operation/body.ts';
import { operationsWith } from '../operation/operation.ts';
import { PET_ID } from '../operation/parameter.ts';
import { EXPLANATION_MEMBERS, explanationOf, ReasonSchema } from '../schemas/explanation.ts';
import { PetStatusSchema } from '../schemas/inventory.ts';
import { CONDITION_MEMBERS, DeltaSchema, TakeReservedSchema } from '../schemas/quantity.ts';
import type { WriteExecutor } from './write-executor.ts';
import { CONDITIONAL } from './write-headers.ts';
import { changePet, RECORDED_MOVEMENT, WRITTEN_ITEM } from './write-response.ts';

const operation = operationsWith<{ readonly writer: WriteExecutor }>({ tag: 'Inventory' });

const { reason: _optional, ...OTHER_EXPLANATION } = EXPLANATION_MEMBERS;

const InventoryAdjustmentSchema = z
  .strictObject(
    {
      delta: DeltaSchema,
      reason: ReasonSchema,
      ...OTHER_EXPLANATION,
      ...CONDITION_MEMBERS,
      takeReserved: TakeReservedSchema.optional(),
    },
    { error: 'must be a JSON object with the members delta and reason.' },
  )
  .openapi('InventoryAdjustment', {
    description: 'A change of a quantity, and its reason.',
    example: { delta: -2, reason: 'damaged', note: 'The crate was one short.', referenceId: 'delivery-4711' },
  });

export const adjustInventory = operation({
  id: 'adjustInventory',
  at: 'POST /inventory/{petId}/adjustments',
  summary: 'Adjust stock',
  description:
    'Adds to the stock of one pet, or subtracts from it. No concurrent adjustment is lost. The stock never goes below zero, and takes no reserved units without `takeReserved`. A request that is sent twice without an `Idempotency-Key` changes the stock twice.',
  access: { scope: 'inventory:adjust' },
  path: { petId: PET_ID },
  headers: CONDITIONAL,
  body: body(InventoryAdjustmentSchema),
  output: RECORDED_MOVEMENT,
  errors: changeConflict(
    'The stock, or what of it is not reserved, is smaller than the change would take (`insufficient_stock`); the quantity would be above the ceiling, or is not `changeFromQuantity` (`conflict`)',
  ),
  handle: ({ writer }, { context, path, headers, body }) => {
    const { key, ...preconditions } = headers;
    return changePet(writer, context, key, {
      kind: 'adjust',
      petId: path.petId,
      delta: body.delta,
      takesReserved: body.takeReserved,
      ...preconditions,
      changeFromQuantity: body.changeFromQuantity,
      explanation: explanationOf(body),
    });
  },
});

const InventoryStatusSchema = z
  .strictObject(
    { status: PetStatusSchema, ...CONDITION_MEMBERS, ...EXPLANATION_MEMBERS },
    { error: 'must be a JSON object with the member status.' },
  )
  .openapi('InventoryStatus', {
    description: 'A status to set, and its explanation.',
    example: { status: 'sold', reason: 'sold' },
  });

export const setInventoryStatus = operation({
  id: 'setInventoryStatus',
  at: 'PUT /inventory/{petId}/status',
  summary: 'Set the status of a pet',
  description:
    'Sets the stock status of one pet. The quantity stays. Setting the current status changes and records nothing.',
  access: { scope: 'inventory:status' },
  path: { petId: PET_ID },
  headers: CONDITIONAL,
  body: body(InventoryStatusSchema),
  output: WRITTEN_ITEM,
  handle: ({ writer }, { context, path, headers, body }) => {
    const { key, ...preconditions } = headers;
    return changePet(writer, context, key, {
      kind: 'status',
      petId: path.petId,
      status: body.status,
      ...preconditions,
      changeFromQuantity: body.changeFromQuantity,
      explanation: explanationOf(body),
    });
  },
});
