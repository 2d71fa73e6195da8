import { z } from '@hono/zod-openapi';
import type { Ledger } from '../../domain/ledger-store.ts';
import { answers, FORBIDDEN } from '../openapi/responses.ts';
import type { OperationDefinition } from '../request/operation.ts';
import { movementList, PAGING, readMovements, respondMovements } from './movement-list.ts';
import { MOVEMENT_FILTERS, readMovementQuery } from './movement-query.ts';

interface Services {
  readonly store: { readonly ledger: Ledger };
  readonly baseUrl: string;
}

export const listMovements: OperationDefinition<Services> = {
  route: {
    operationId: 'listMovements',
    method: 'get',
    path: '/movements',
    tags: ['Movements'],
    summary: 'List movements',
    description: `Returns the ledger: every change of stock, in the order in which they were made. ${PAGING}`,
    'x-stability': 'beta',
    request: {
      query: z.object({
        petId: z.string().optional().openapi({
          type: 'integer',
          format: 'int64',
          description: 'Movements of this pet, an exact 64-bit integer in plain decimal.',
          example: 7,
        }),
        ...MOVEMENT_FILTERS,
      }),
    },
    responses: answers({ ...movementList('Movements.'), errors: FORBIDDEN }),
  },
  scope: 'movements:read',
  create:
    ({ store, baseUrl }) =>
    async (context) => {
      const query = readMovementQuery(context.query);
      const page = await readMovements(context, store.ledger, query);
      return respondMovements(context, query, page, `${baseUrl}/movements`);
    },
};
