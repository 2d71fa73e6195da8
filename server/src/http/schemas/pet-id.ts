import { z } from '@hono/zod-openapi';
import { MAX_INT64, MIN_INT64 } from '@petstore-inventory/shared/pet-id';
import { PET_ID_FACTS } from './values.ts';

const RULE = 'must be a 64-bit integer.';

/** A petId in a body that was parsed with `petIdsIn`. */
export const ExactPetIdSchema = z
  .bigint(RULE)
  .min(MIN_INT64, RULE)
  .max(MAX_INT64, RULE)
  .openapi('PetId', PET_ID_FACTS);
