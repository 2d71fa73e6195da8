import { z } from '@hono/zod-openapi';
import { ITEM_WRITE } from '../openapi/error-responses.ts';
import { PET_ID, WRITE_HEADERS } from '../openapi/parameters.ts';
import { responses, WRITTEN_ITEM } from '../openapi/responses.ts';
import { MAX_BODY_BYTES } from '../request/json-body.ts';
import type { OperationDefinition } from '../request/operation.ts';
import { EXPLANATION_MEMBERS, explanationOf } from '../schemas/explanation.ts';
import { PetStatusSchema } from '../schemas/inventory.ts';
import { CONDITION_MEMBERS } from '../schemas/quantity.ts';
import { changeHandler } from './change-handler.ts';
import type { WriteExecutor } from './write-executor.ts';
import { answerItem } from './write-response.ts';

const InventoryStatusSchema = z
  .strictObject(
    { status: PetStatusSchema, ...CONDITION_MEMBERS, ...EXPLANATION_MEMBERS },
    { error: 'must be a JSON object with the member status.' },
  )
  .openapi('InventoryStatus', {
    description: 'A status to set, and its explanation.',
    example: { status: 'sold', reason: 'sold' },
  });

export const setInventoryStatus: OperationDefinition<{ readonly writer: WriteExecutor }> = {
  route: {
    operationId: 'setInventoryStatus',
    method: 'put',
    path: '/inventory/{petId}/status',
    tags: ['Inventory'],
    summary: 'Set the status of a pet',
    description:
      'Sets the stock status of one pet. The quantity stays. Setting the current status changes and records nothing.',
    'x-stability': 'beta',
    parameters: [PET_ID, ...WRITE_HEADERS],
    request: {
      body: { required: true, content: { 'application/json': { schema: InventoryStatusSchema } } },
    },
    responses: responses({ success: WRITTEN_ITEM, errors: ITEM_WRITE }),
  },
  scope: 'inventory:status',
  create: ({ writer }) =>
    changeHandler(
      writer,
      { schema: InventoryStatusSchema, maxBytes: MAX_BODY_BYTES },
      (petId, body, preconditions) => ({
        kind: 'status',
        petId,
        status: body.status,
        ...preconditions,
        changeFromQuantity: body.changeFromQuantity,
        explanation: explanationOf(body),
      }),
      answerItem,
    ),
};
