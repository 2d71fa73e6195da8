import { z } from '@hono/zod-openapi';
import { MAX_QUANTITY } from '@petstore-inventory/shared/limits';
import { header, ITEM_TAG } from '../../openapi/headers.ts';
import { responses } from '../../openapi/responses.ts';
import { MAX_BODY_BYTES, readJsonBody } from '../../request/json-body.ts';
import { requireNoQuery } from '../../request/query-parameters.ts';
import { PetStatusSchema } from '../../schemas/inventory.ts';
import { ExactPetIdSchema } from '../../schemas/pet-id.ts';
import { quantitySchema } from '../../schemas/quantity.ts';
import { ACTION_ERRORS, adminOperation, authorOf } from '../admin-operation.ts';
import { ManagedPetSchema, PET_MEMBERS, respondPet } from './managed-pet.ts';

const NewPetSchema = z
  .strictObject({
    petId: ExactPetIdSchema,
    ...PET_MEMBERS,
    quantity: quantitySchema(MAX_QUANTITY, 'Units on hand; 0 by default.').optional(),
    status: PetStatusSchema.optional(),
  })
  .openapi('NewPet', {
    description: 'A pet to add.',
    example: { petId: 4711, name: 'Rex', category: 'dogs', quantity: 3 },
  });

const PET_LOCATION = header('Location', 'PetLocation', {
  description: 'The address of the pet.',
  required: true,
  schema: { type: 'string', format: 'uri' },
});

export const createPet = adminOperation({
  route: {
    operationId: 'createPet',
    method: 'post',
    path: '/pets',
    tags: ['Pets'],
    summary: 'Add a pet',
    description:
      'Adds a pet with its stock, which is a movement of the kind `import`. A petId that exists is 409 `conflict`.',
    'x-stability': 'beta',
    request: { body: { required: true, content: { 'application/json': { schema: NewPetSchema } } } },
    responses: responses({
      isAction: true,
      status: 201,
      success: {
        schema: ManagedPetSchema,
        description: 'The pet.',
        headers: { ...ITEM_TAG, ...PET_LOCATION },
      },
      errors: ACTION_ERRORS,
    }),
  },
  role: 'staff',
  create:
    ({ management, baseUrl }) =>
    async (context) => {
      requireNoQuery(context);
      const body = await readJsonBody(context, {
        schema: NewPetSchema,
        maxBytes: MAX_BODY_BYTES,
        petIdsIn: true,
      });
      const { petId, name = null, category = null, lowStockAt = null, restockAt = null } = body;
      const { quantity = 0, status = 'available' } = body;
      const pet = { petId, name, category, lowStockAt, restockAt, quantity, status };
      const created = await management.pets.create(pet, authorOf(context));
      return respondPet(context, created, {
        status: 201,
        headers: { Location: `${baseUrl}/pets/${petId}` },
      });
    },
});
