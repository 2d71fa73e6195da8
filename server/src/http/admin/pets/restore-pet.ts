import { ITEM_TAG } from '../../openapi/headers.ts';
import { PET_ID } from '../../openapi/parameters.ts';
import { responses } from '../../openapi/responses.ts';
import { petIdParameter } from '../../request/path-parameters.ts';
import { requireNoQuery } from '../../request/query-parameters.ts';
import { ADMIN_ERRORS, adminOperation, authorOf, missing } from '../admin-operation.ts';
import { ManagedPetSchema, respondPet } from './managed-pet.ts';

export const restorePet = adminOperation({
  route: {
    operationId: 'restorePet',
    method: 'post',
    path: '/pets/{petId}/restore',
    tags: ['Pets'],
    summary: 'Restore a pet',
    description: 'Shows an archived pet again. A pet that is not archived stays as it is.',
    'x-stability': 'beta',
    parameters: [PET_ID],
    responses: responses({
      isAction: true,
      success: { schema: ManagedPetSchema, description: 'The pet.', headers: ITEM_TAG },
      errors: { ...ADMIN_ERRORS, ...missing('pet') },
    }),
  },
  role: 'staff',
  create:
    ({ management }) =>
    async (context, parameter) => {
      requireNoQuery(context);
      const petId = petIdParameter(parameter('petId'));
      return respondPet(context, await management.pets.restore(petId, authorOf(context)));
    },
});
