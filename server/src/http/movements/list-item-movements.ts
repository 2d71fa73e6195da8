import { petNotFound } from '../../domain/inventory.ts';
import type { StockStore } from '../../domain/ledger-store.ts';
import { FORBIDDEN, PET_NOT_FOUND } from '../openapi/error-responses.ts';
import { PET_ID } from '../openapi/parameters.ts';
import { responses } from '../openapi/responses.ts';
import type { OperationDefinition } from '../request/operation.ts';
import { petIdParameter } from '../request/path-parameters.ts';
import { MOVEMENTS, PAGING, readMovements, respondMovements } from './movement-list.ts';
import { MOVEMENT_FILTERS, readMovementQuery } from './movement-query.ts';

interface Services {
  readonly store: Pick<StockStore, 'findItem' | 'ledger'>;
  readonly baseUrl: string;
}

export const listItemMovements: OperationDefinition<Services> = {
  route: {
    operationId: 'listItemMovements',
    method: 'get',
    path: '/inventory/{petId}/movements',
    tags: ['Movements'],
    summary: 'List the movements of a pet',
    description: `Returns the changes of the stock of one pet, each with its time, author, reason, and the stock before and after. ${PAGING}`,
    'x-stability': 'beta',
    parameters: [PET_ID, ...Object.values(MOVEMENT_FILTERS)],
    responses: responses({ ...MOVEMENTS, errors: { ...FORBIDDEN, ...PET_NOT_FOUND } }),
  },
  scope: 'movements:read',
  create:
    ({ store, baseUrl }) =>
    async (context, parameter) => {
      const petId = petIdParameter(parameter('petId'));
      const query = readMovementQuery(context.query, petId);
      const page = await readMovements(context, store.ledger, query);
      // Every pet has movements, so only an empty page needs the look-up of the pet.
      if (page.movements.length === 0 && !(await store.findItem(petId, context.nowMs)))
        throw petNotFound(petId);
      return respondMovements(context, query, page, `${baseUrl}/inventory/${petId}/movements`);
    },
};
