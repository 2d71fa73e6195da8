import { z } from '@hono/zod-openapi';
import { changeConflict, ITEM_WRITE } from '../openapi/error-responses.ts';
import { PET_ID, WRITE_HEADERS } from '../openapi/parameters.ts';
import { RECORDED_MOVEMENT, responses } from '../openapi/responses.ts';
import { MAX_BODY_BYTES } from '../request/json-body.ts';
import type { OperationDefinition } from '../request/operation.ts';
import { EXPLANATION_MEMBERS, explanationOf, ReasonSchema } from '../schemas/explanation.ts';
import { CONDITION_MEMBERS, DeltaSchema, TakeReservedSchema } from '../schemas/quantity.ts';
import { changeHandler } from './change-handler.ts';
import type { WriteExecutor } from './write-executor.ts';
import { answerMovement } from './write-response.ts';

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

export const adjustInventory: OperationDefinition<{ readonly writer: WriteExecutor }> = {
  route: {
    operationId: 'adjustInventory',
    method: 'post',
    path: '/inventory/{petId}/adjustments',
    tags: ['Inventory'],
    summary: 'Adjust stock',
    description:
      'Adds to the stock of one pet, or subtracts from it. No concurrent adjustment is lost. The stock never goes below zero, and takes no reserved units without `takeReserved`. A request that is sent twice without an `Idempotency-Key` changes the stock twice.',
    'x-stability': 'beta',
    parameters: [PET_ID, ...WRITE_HEADERS],
    request: {
      body: { required: true, content: { 'application/json': { schema: InventoryAdjustmentSchema } } },
    },
    responses: responses({
      status: 201,
      success: RECORDED_MOVEMENT,
      errors: {
        ...ITEM_WRITE,
        ...changeConflict(
          'The stock, or what of it is not reserved, is smaller than the change would take (`insufficient_stock`); the quantity would be above the ceiling, or is not `changeFromQuantity` (`conflict`)',
        ),
      },
    }),
  },
  scope: 'inventory:adjust',
  create: ({ writer }) =>
    changeHandler(
      writer,
      { schema: InventoryAdjustmentSchema, maxBytes: MAX_BODY_BYTES },
      (petId, body, preconditions) => ({
        kind: 'adjust',
        petId,
        delta: body.delta,
        takesReserved: body.takeReserved,
        ...preconditions,
        changeFromQuantity: body.changeFromQuantity,
        explanation: explanationOf(body),
      }),
      answerMovement,
    ),
};
