import { createRoute, z } from '@hono/zod-openapi';
import { PetIdParameter } from '../openapi/parameters.ts';
import { answers } from '../openapi/responses.ts';
import { LOCATION, WRITTEN_HEADERS, WriteHeaders, writeErrors } from '../openapi/write-responses.ts';
import { EXPLANATION_MEMBERS, ReasonSchema } from '../schemas/explanation.ts';
import { InventoryItemSchema, type inventoryUpdateSchema, PetStatusSchema } from '../schemas/inventory.ts';
import { MovementSchema } from '../schemas/movement.ts';
import { CONDITION_MEMBERS, DeltaSchema } from '../schemas/quantity.ts';

export function updateInventoryRoute(schema: ReturnType<typeof inventoryUpdateSchema>) {
  return createRoute({
    operationId: 'updateInventory',
    method: 'patch',
    path: '/inventory/{petId}',
    tags: ['Inventory'],
    summary: 'Update stock level',
    description: [
      'Sets the stock quantity of one pet: new arrivals, returns, manual adjustments. The response is sent when the change is on disk. Setting the present quantity changes and records nothing, except with a `reason`: a recount that confirms the quantity is a movement with `delta` 0. Integers by value are accepted (`5.0`, `1e3`); unknown members are ignored.',
      'So that nobody’s change is lost, say what you have seen: `If-Match` with the item’s `ETag`, or `changeFromQuantity` with the quantity. A refusal tells what is there now, and links to the movements since.',
    ].join('\n\n'),
    'x-stability': 'experimental',
    'x-scope': 'inventory:write',
    request: {
      params: PetIdParameter,
      headers: WriteHeaders,
      body: {
        required: true,
        content: { 'application/json': { schema }, 'application/merge-patch+json': { schema } },
      },
    },
    responses: answers({
      schema: InventoryItemSchema,
      description: 'The updated entry.',
      headers: WRITTEN_HEADERS,
      errors: writeErrors('The quantity is not `changeFromQuantity`', ['conflict'], 'Accept-Patch'),
    }),
  });
}

const { reason: _optional, ...OTHER_EXPLANATION } = EXPLANATION_MEMBERS;

export const InventoryAdjustmentSchema = z
  .strictObject(
    {
      delta: DeltaSchema,
      reason: ReasonSchema,
      ...OTHER_EXPLANATION,
      ...CONDITION_MEMBERS,
    },
    { error: 'must be a JSON object with the members delta and reason.' },
  )
  .openapi('InventoryAdjustment', {
    description: 'By how much to change stock, and why.',
    example: { delta: -2, reason: 'damaged', note: 'The crate was one short.', referenceId: 'delivery-4711' },
  });

export const adjustInventoryRoute = createRoute({
  operationId: 'adjustInventory',
  method: 'post',
  path: '/inventory/{petId}/adjustments',
  tags: ['Inventory'],
  summary: 'Adjust stock',
  description:
    'Adds to the stock of one pet or takes from it, whatever it is at that moment: of adjustments at the same time none is lost. It never goes below zero. Without an `Idempotency-Key` a request that is sent twice is carried out twice.',
  'x-stability': 'beta',
  'x-scope': 'inventory:adjust',
  request: {
    params: PetIdParameter,
    headers: WriteHeaders,
    body: { required: true, content: { 'application/json': { schema: InventoryAdjustmentSchema } } },
  },
  responses: answers({
    status: 201,
    schema: MovementSchema,
    description: 'The movement that was recorded.',
    headers: { ...WRITTEN_HEADERS, Location: LOCATION },
    errors: writeErrors(
      'There is less in stock than the change would take (`insufficient_stock`), the quantity would be above the ceiling or is not `changeFromQuantity` (`conflict`)',
      ['conflict', 'insufficient_stock'],
    ),
  }),
});

export const InventoryStatusSchema = z
  .strictObject(
    { status: PetStatusSchema, ...CONDITION_MEMBERS, ...EXPLANATION_MEMBERS },
    { error: 'must be a JSON object with the member status.' },
  )
  .openapi('InventoryStatus', {
    description: 'A status to set, and what there is to say about it.',
    example: { status: 'sold', reason: 'sold' },
  });

export const setInventoryStatusRoute = createRoute({
  operationId: 'setInventoryStatus',
  method: 'put',
  path: '/inventory/{petId}/status',
  tags: ['Inventory'],
  summary: 'Set the status of a pet',
  description:
    'Sets the stock status of one pet, and leaves its quantity alone. Setting what is already there changes and records nothing.',
  'x-stability': 'beta',
  'x-scope': 'inventory:status',
  request: {
    params: PetIdParameter,
    headers: WriteHeaders,
    body: { required: true, content: { 'application/json': { schema: InventoryStatusSchema } } },
  },
  responses: answers({
    schema: InventoryItemSchema,
    description: 'The entry with its status.',
    headers: WRITTEN_HEADERS,
    errors: writeErrors('The quantity is not `changeFromQuantity`', ['conflict']),
  }),
});
