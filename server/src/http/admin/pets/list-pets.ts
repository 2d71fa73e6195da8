import { MAX_NAMED_PETS } from '@petstore-inventory/shared/limits';
import type { PetStore } from '../../../domain/management/pet-store.ts';
import type { PetPage } from '../../../domain/management/pets.ts';
import { readPetIds } from '../../inventory/list-query.ts';
import { NEXT_PAGE } from '../../openapi/headers.ts';
import { LIMIT } from '../../openapi/parameters.ts';
import { responses } from '../../openapi/responses.ts';
import { JSON_TYPE } from '../../request/error-response.ts';
import { invalidParameter, readLimit, readQuery } from '../../request/query-parameters.ts';
import { ADMIN_ERRORS, adminOperation } from '../admin-operation.ts';
import { ManagedPetSchema, managedPetJson } from './managed-pet.ts';
import {
  encodePosition,
  FILTERS,
  NAMED_PETS,
  PET_CURSOR,
  readFilters,
  readPosition,
  readWords,
  WORDS,
} from './pet-query.ts';

const NAMES = ['q', 'archived', 'status', 'alert', 'category', 'limit', 'cursor', 'petId'];

export const listPets = adminOperation({
  route: {
    operationId: 'listPets',
    method: 'get',
    path: '/pets',
    tags: ['Pets'],
    summary: 'List or search pets',
    description:
      'Returns pets by petId, or with `q` those with all of its words, in the order of one of them. A page may have fewer pets than `limit`, or none, and not be the last: follow `Link` until it is missing. With `petId` it returns those of the named pets that exist, archived ones too.',
    'x-stability': 'beta',
    parameters: [WORDS, ...FILTERS, NAMED_PETS, LIMIT, PET_CURSOR],
    responses: responses({
      success: { schema: ManagedPetSchema.array(), description: 'A page of pets.', headers: NEXT_PAGE },
      errors: ADMIN_ERRORS,
    }),
  },
  role: 'viewer',
  create:
    ({ management, baseUrl }) =>
    async (context) => {
      const parameters = readQuery(context.query, NAMES);
      const { pets, next } = await readPage(management.pets, parameters);
      const headers: Record<string, string> = { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store' };
      if (next) {
        parameters.set('cursor', encodePosition(next));
        headers.Link = `<${baseUrl}/pets?${parameters}>; rel="next"`;
      }
      return context.respond(200, `[${pets.map(managedPetJson).join()}]`, headers);
    },
});

async function readPage(store: PetStore, parameters: URLSearchParams): Promise<PetPage> {
  const petIds = readPetIds(parameters.get('petId'), MAX_NAMED_PETS);
  if (petIds) {
    if (parameters.size > 1) throw invalidParameter('petId excludes all other parameters.');
    return { pets: await store.findAll(petIds) };
  }
  const query = readWords(parameters);
  const after = readPosition(parameters);
  return store.list({
    ...readFilters(parameters),
    limit: readLimit(parameters),
    ...(query !== undefined && { query }),
    ...(after && { after }),
  });
}
