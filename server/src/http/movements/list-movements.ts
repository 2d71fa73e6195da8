import type { Ledger } from '../../domain/ledger-store.ts';
import { FORBIDDEN } from '../openapi/error-responses.ts';
import { PET_ID_FILTER } from '../openapi/parameters.ts';
import { responses } from '../openapi/responses.ts';
import type { OperationDefinition } from '../request/operation.ts';
import { MOVEMENTS, PAGING, readMovements, respondMovements } from './movement-list.ts';
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
    description: `Returns the ledger: every change of stock, in order. ${PAGING}`,
    'x-stability': 'beta',
    parameters: [PET_ID_FILTER, ...Object.values(MOVEMENT_FILTERS)],
    responses: responses({ ...MOVEMENTS, errors: FORBIDDEN }),
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
