import { z } from '@hono/zod-openapi';
import { patch } from '../operation/body.ts';
import { handwritten, type Operation } from '../operation/operation.ts';
import { PET_ID } from '../operation/parameter.ts';
import { EXPLANATION_MEMBERS, explanationOf } from '../schemas/explanation.ts';
import { CONDITION_MEMBERS, quantitySchema } from '../schemas/quantity.ts';
import type { WriteExecutor } from './write-executor.ts';
import { CONDITIONAL } from './write-headers.ts';
import { CHANGED_ITEM, changePet, tagOf, WRITTEN_ITEM } from './write-response.ts';

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
export function updateInventory(maxQuantity: number): Operation<{ readonly writer: WriteExecutor }> {
  const changes = patch(inventoryUpdateSchema(maxQuantity));
  return handwritten({
    tag: 'Inventory',
    stability: 'experimental',
    id: 'updateInventory',
    at: 'PATCH /inventory/{petId}',
    summary: 'Update stock level',
    description: [
      'Sets the stock quantity of one pet: new arrivals, returns, manual adjustments. The response is sent when the change is on disk. Setting the present quantity changes and records nothing, except with a `reason`: a recount that confirms the quantity is a movement with `delta` 0. Integers by value are accepted (`5.0`, `1e3`); unknown members are ignored.',
      'To lose no concurrent change, send `If-Match` with the item’s `ETag`, or `changeFromQuantity` with the quantity that you have read. A refusal has the current stock in its headers, and a link to the movements since.',
    ].join('\n\n'),
    access: { scope: 'inventory:write' },
    path: { petId: PET_ID },
    headers: CONDITIONAL,
    body: changes,
    output: WRITTEN_ITEM,
    create:
      ({ writer }) =>
      async (context, parameter) => {
        // Version 1.0.0, which has the patch, ignores the query.
        const petId = PET_ID.read('petId', parameter('petId'));
        const { key, ...preconditions } = CONDITIONAL.read(context);
        const body = await changes.read(context);
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
  });
}
