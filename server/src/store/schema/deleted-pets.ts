/**
 * The ninth migration of both engines, in the types of PostgreSQL: pets that were deleted, until there is a pet
 * with the same petId again. Its first movement continues after `last_sequence`, which is the deletion, and a past list
 * finds the deleted pet by it.
 */
export const DELETED_PETS = `
CREATE TABLE deleted_pets (
  pet_id bigint PRIMARY KEY,
  version bigint NOT NULL,
  last_sequence bigint NOT NULL,
  deleted_at bigint NOT NULL
)`;
