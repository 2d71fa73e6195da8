import { z } from '@hono/zod-openapi';
import type { Reference } from '../openapi/components.ts';
import { changeConflict, MERGE_PATCH } from '../openapi/error-responses.ts';
import { responses } from '../openapi/responses.ts';
import { body } from '../operation/body.ts';
import { operationsWith } from '../operation/operation.ts';
import { PET_ID } from '../operation/parameter.ts';
import { MAX_BODY_BYTES, readJsonBody } from '../request/json-body.ts';
import type { OperationDefinition } from '../request/operation.ts';
import { EXPLANATION_MEMBERS, explanationOf, ReasonSchema } from '../schemas/explanation.ts';
import { PetStatusSchema } from '../schemas/inventory.ts';
import { CONDITION_MEMBERS, DeltaSchema, quantitySchema, TakeReservedSchema } from '../schemas/quantity.ts';
import type { WriteExecutor } from './write-executor.ts';
import { CONDITIONAL } from './write-headers.ts';
import { CHANGED_ITEM, changePet, RECORDED_MOVEMENT, tagOf, WRITTEN_ITEM } from './write-response.ts';

interface Services {
  readonly writer: WriteExecutor;
}

const operation = operationsWith<Services>({ tag: 'Inventory', stability: 'beta' });

/** Other members are ignored: the shape is experimental and may grow. */
function inventoryUpdateSchema(maxQuantity: number) {
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

/** By hand, because it is the most frequent write. */
export function updateInventory(maxQuantity: number): OperationDefinition<Services> {
  const schema = inventoryUpdateSchema(maxQuantity);
  return {
    route: {
      operationId: 'updateInventory',
      method: 'patch',
      path: '/inventory/{petId}',
      tags: ['Inventory'],
      summary: 'Update stock level',
      description: [
        'Sets the stock quantity of one pet: new arrivals, returns, manual adjustments. The response is sent when the change is on disk. Setting the present quantity changes and records nothing, except with a `reason`: a recount that confirms the quantity is a movement with `delta` 0. Integers by value are accepted (`5.0`, `1e3`); unknown members are ignored.',
        'To lose no concurrent change, send `If-Match` with the item’s `ETag`, or `changeFromQuantity` with the quantity that you have read. A refusal has the current stock in its headers, and a link to the movements since.',
      ].join('\n\n'),
      'x-stability': 'experimental',
      parameters: [PET_ID.documented('path', 'petId'), ...CONDITIONAL.documented],
      request: {
        body: {
          required: true,
          content: { 'application/json': { schema }, 'application/merge-patch+json': { schema } },
        },
      },
      responses: responses({ success: WRITTEN_ITEM.documented as Reference, errors: MERGE_PATCH }),
    },
    scope: 'inventory:write',
    create:
      ({ writer }) =>
      async (context, parameter) => {
        // Version 1.0.0, which has the patch, ignores the query.
        const petId = PET_ID.read('petId', parameter('petId'));
        const { key, ...preconditions } = CONDITIONAL.read(context);
        const body = await readJsonBody(context, { schema, maxBytes: MAX_BODY_BYTES, isPatch: true });
        const changed = await changePet(writer, context, key, {
          kind: 'set',
          petId,
          // Turns -0 into 0.
          quantity: body.quantity + 0,
          ...preconditions,
          changeFromQuantity: body.changeFromQuantity,
          explanation: explanationOf(body),
        });
        return context.respond(200, CHANGED_ITEM.json(changed), { ...changed.headers, ETag: tagOf(changed) });
      },
  };
}

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
