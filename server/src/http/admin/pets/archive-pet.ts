import { ACTION_CONFLICT } from '../../openapi/error-responses.ts';
import { ITEM_TAG } from '../../openapi/headers.ts';
import { PET_ID } from '../../openapi/parameters.ts';
import { responses } from '../../openapi/responses.ts';
import { petIdParameter } from '../../request/path-parameters.ts';
import { requireNoQuery } from '../../request/query-parameters.ts';
import { ADMIN_ERRORS, adminOperation, authorOf, missing } from '../admin-operation.ts';
import { ManagedPetSchema, respondPet } from './managed-pet.ts';

export const archivePet = adminOperation({
  route: {
    operationId: 'archivePet',
    method: 'post',
    path: '/pets/{petId}/archive',
    tags: ['Pets'],
    summary: 'Archive a pet',
    description:
      'Hides a pet from lists and search of this interface; clients still find it. Only a pet without stock and reservations can be archived, else the response is 409 `conflict`.',
    'x-stability': 'beta',
    parameters: [PET_ID],
    responses: responses({
      isAction: true,
      success: { schema: ManagedPetSchema, description: 'The pet.', headers: ITEM_TAG },
      errors: { ...ADMIN_ERRORS, ...missing('pet'), 409: ACTION_CONFLICT },
    }),
  },
  role: 'staff',
  create:
    ({ management }) =>
    async (context, parameter) => {
      requireNoQuery(context);
      const petId = petIdParameter(parameter('petId'));
      return respondPet(context, await management.pets.archive(petId, authorOf(context)));
    },
});
