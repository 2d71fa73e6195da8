import { z } from '@hono/zod-openapi';
import { type Pet, petNotFound } from '../../domain/inventory.ts';
import type { InventoryStore } from '../../domain/store.ts';
import { deprecatedFrom } from '../operation/deprecation.ts';
import { type Operation, operationsWith } from '../operation/operation.ts';
import { one, storable, view } from '../operation/output.ts';
import { PET_ID } from '../operation/parameter.ts';
import { PET_TEXTS, PetStatusSchema } from '../schemas/inventory.ts';
import { PetIdSchema } from '../schemas/values.ts';

const PET = view(
  'Pet',
  z
    .object({ petId: PetIdSchema, ...PET_TEXTS, status: PetStatusSchema })
    .openapi({ description: 'An animal of the shop, without its stock.' }),
  ({ petId, name, category, status }: Pet) => ({ petId, name, category, status }),
);

/** The deprecation and the sunset of the operation, in Unix milliseconds. */
export interface GetPetOptions {
  readonly deprecatedAtMs: number;
  readonly sunsetAtMs: number;
  /** Without a slash at its end. */
  readonly baseUrl: string;
}

interface Services {
  readonly store: Pick<InventoryStore, 'findPet'>;
}

const operation = operationsWith<Services>({ tag: 'Pets' });

/** The deprecated look-up of a pet. Managers have another operation at its place. */
export function getPet({ baseUrl, ...times }: GetPetOptions): Operation<Services> {
  return operation({
    id: 'getPet',
    at: 'GET /pets/{petId}',
    summary: 'Get a pet',
    description: 'Returns one pet without its stock. Deprecated: use `GET /inventory/{petId}` instead.',
    access: { scope: 'pets:read', role: null },
    path: { petId: PET_ID },
    ignoresQuery: true,
    output: one(PET, { description: 'The pet.', headers: [storable] }),
    missing: 'pet',
    deprecation: deprecatedFrom(times, {
      // Beside /v1: a proxy may serve all paths below a prefix.
      docsUrl: new URL('docs/reference#getPet', baseUrl).href,
      refusal: 'GET /pets/{petId} has ended. Use GET /inventory/{petId}.',
    }),
    handle: async ({ store }, { path: { petId } }) => {
      const pet = await store.findPet(petId);
      if (pet) return pet;
      throw petNotFound(petId);
    },
  });
}
