import { z } from '@hono/zod-openapi';
import { errorComponent, MERGE_PATCH } from '../../openapi/error-responses.ts';
import { ITEM_TAG } from '../../openapi/headers.ts';
import { PET_ID, WRITE_HEADERS } from '../../openapi/parameters.ts';
import { responses } from '../../openapi/responses.ts';
import { readEntityTags } from '../../request/entity-tags.ts';
import { MAX_BODY_BYTES, readJsonBody } from '../../request/json-body.ts';
import { petIdParameter } from '../../request/path-parameters.ts';
import { onlySet, requireNoQuery } from '../../request/query-parameters.ts';
import { ACTION_ERRORS, adminOperation, authorOf, missing } from '../admin-operation.ts';
import { ManagedPetSchema, PET_MEMBERS, respondPet } from './managed-pet.ts';

const PetChangesSchema = z.strictObject(PET_MEMBERS).openapi('PetChanges', {
  description: 'The values to change; others stay.',
  example: { name: 'Rex', category: 'dogs' },
});

const { 415: PATCH_TYPE } = MERGE_PATCH;
const UNMET = errorComponent('PetUnmet', {
  description: 'The pet is not one that `If-Match` names, or is one that `If-None-Match` names.',
});
const [IF_MATCH, IF_NONE_MATCH] = WRITE_HEADERS;

export const updatePet = adminOperation({
  route: {
    operationId: 'updatePet',
    method: 'patch',
    path: '/pets/{petId}',
    tags: ['Pets'],
    summary: 'Edit a pet',
    description:
      'Changes the name, category and thresholds of a pet, which is a movement of the kind `import`. Without a change nothing is recorded. `If-Match` takes the tag of the pet or of its inventory item. The quantity changes with the operations of the inventory.',
    'x-stability': 'beta',
    parameters: [PET_ID, IF_MATCH, IF_NONE_MATCH].filter((one) => one !== undefined),
    request: {
      body: {
        required: true,
        content: {
          'application/json': { schema: PetChangesSchema },
          'application/merge-patch+json': { schema: PetChangesSchema },
        },
      },
    },
    responses: responses({
      isAction: true,
      success: { schema: ManagedPetSchema, description: 'The pet.', headers: ITEM_TAG },
      errors: {
        ...ACTION_ERRORS,
        ...missing('pet'),
        412: UNMET,
        ...(PATCH_TYPE && { 415: PATCH_TYPE }),
      },
    }),
  },
  role: 'staff',
  create:
    ({ management }) =>
    async (context, parameter) => {
      requireNoQuery(context);
      const petId = petIdParameter(parameter('petId'));
      const ifMatch = readEntityTags(context, 'If-Match');
      const ifNoneMatch = readEntityTags(context, 'If-None-Match');
      const changes = await readJsonBody(context, {
        schema: PetChangesSchema,
        maxBytes: MAX_BODY_BYTES,
        isPatch: true,
      });
      const conditions = { ifMatch, ifNoneMatch };
      const pet = await management.pets.update(petId, onlySet(changes), authorOf(context), conditions);
      return respondPet(context, pet);
    },
});
