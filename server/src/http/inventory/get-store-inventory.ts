import type { Ledger } from '../../domain/ledger-store.ts';
import { FORBIDDEN } from '../openapi/error-responses.ts';
import { responses } from '../openapi/responses.ts';
import { JSON_TYPE } from '../request/error-response.ts';
import type { OperationDefinition } from '../request/operation.ts';
import { requireNoQuery } from '../request/query-parameters.ts';
import { StoreInventorySchema } from '../schemas/inventory-detail.ts';

export const getStoreInventory: OperationDefinition<{ readonly store: { readonly ledger: Ledger } }> = {
  route: {
    operationId: 'getStoreInventory',
    method: 'get',
    path: '/store/inventory',
    tags: ['Store'],
    summary: 'Get the stock by status',
    description:
      'Returns the stock per status: the exact sum of the quantities of all pets. A status without stock is 0. `reservedUnits` are those of open orders, whatever the status; `availableUnits` are all others, below 0 after recounts that found fewer.',
    'x-stability': 'beta',
    responses: responses({
      success: { schema: StoreInventorySchema, description: 'The stock by status.' },
      errors: FORBIDDEN,
    }),
  },
  scope: 'inventory:read',
  create:
    ({ store }) =>
    async (context) => {
      requireNoQuery(context);
      const { available, pending, sold, reserved } = await store.ledger.stockTotals();
      const availableUnits = available + pending + sold - reserved;
      return context.respond(
        200,
        `{"available":${available},"pending":${pending},"sold":${sold},"reservedUnits":${reserved},"availableUnits":${availableUnits}}`,
        { 'Content-Type': JSON_TYPE, 'Cache-Control': 'private, no-cache' },
      );
    },
};
