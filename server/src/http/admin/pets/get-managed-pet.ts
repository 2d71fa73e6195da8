import { ITEM_NOT_MODIFIED } from '../../inventory/get-inventory-item.ts';
import { CACHE_CONTROL, ITEM_TAG } from '../../openapi/headers.ts';
import { PET_ID, READ_HEADERS } from '../../openapi/parameters.ts';
import { responses } from '../../openapi/responses.ts';
import { isNoneMatchMet } from '../../request/content-negotiation.ts';
import { petIdParameter } from '../../request/path-parameters.ts';
import { requireNoQuery } from '../../request/query-parameters.ts';
import { ADMIN_ERRORS, adminOperation, missing } from '../admin-operation.ts';
import { ManagedPetSchema, respondPet } from './managed-pet.ts';

const HEADERS = { ...ITEM_TAG, ...CACHE_CONTROL };

export const getManagedPet = adminOperation({
  route: {
    operationId: 'getManagedPet',
    method: 'get',
    path: '/pets/{petId}',
    tags: ['Pets'],
    summary: 'Get a pet',
    description: 'Returns a pet with its stock, also an archived one.',
    'x-stability': 'beta',
    parameters: [PET_ID, ...READ_HEADERS],
    responses: responses({
      success: { schema: ManagedPetSchema, description: 'The pet.', headers: HEADERS },
      notModified: ITEM_NOT_MODIFIED,
      errors: { ...ADMIN_ERRORS, ...missing('pet') },
    }),
  },
  role: 'viewer',
  create:
    ({ management }) =>
    async (context, parameter) => {
      requireNoQuery(context);
      const answer = respondPet(context, await management.pets.find(petIdParameter(parameter('petId'))));
      const { ETag: tag = '' } = answer.headers;
      const ifNoneMatch = context.header('if-none-match');
      if (ifNoneMatch === null || !isNoneMatchMet(ifNoneMatch, tag)) return answer;
      return context.respond(304, null, { ETag: tag, 'Cache-Control': 'private, no-cache' });
    },
});
