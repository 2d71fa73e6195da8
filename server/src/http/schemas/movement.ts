import { z } from '@hono/zod-openapi';
import { MAX_QUANTITY } from '../../domain/inventory.ts';
import { MOVEMENT_KINDS } from '../../domain/ledger.ts';
import { MOVEMENT_ORDERS } from '../../domain/ledger-store.ts';
import {
  NoteSchema,
  OccurredAtSchema,
  ReasonSchema,
  ReferenceDocumentUriSchema,
  ReferenceIdSchema,
} from './explanation.ts';
import { InventoryItemSchema, PET_TEXTS, PetStatusSchema } from './inventory.ts';
import {
  KEY_ID_PATTERN,
  moment,
  PetIdSchema,
  QuantitySchema,
  REQUEST_ID_PATTERN,
  SequenceSchema,
  sequenceOrNull,
  sha256,
  text,
  VersionSchema,
} from './values.ts';

const MAX_KEY_NAME = 100;

/** More than int64 only where above 1,024 pets have the largest quantity. */
const sum = (status: string, example: number) =>
  z.bigint().openapi({
    type: 'integer',
    format: 'int64',
    minimum: 0,
    description: `The stock that is ${status}. An exact integer, which may be larger than 2^53.`,
    example,
  });

export const keyId = (description: string) =>
  z.string().openapi({ pattern: KEY_ID_PATTERN, description, example: 'key_4fQ2n8Zk1bXw0aLr' }).nullable();

export const InventoryDetailSchema = z
  .object({
    ...InventoryItemSchema.shape,
    version: VersionSchema,
    updatedAt: moment('When the item was last changed.'),
    ...PET_TEXTS,
  })
  .openapi('InventoryDetail', { description: 'The stock of one pet, with its version.' });

const MovementKindSchema = z.enum(MOVEMENT_KINDS).openapi('MovementKind', {
  description: 'The source of a movement: an import, or the operation that changed the stock.',
});
export const MovementOrderSchema = z.enum(MOVEMENT_ORDERS).openapi('MovementOrder', {
  description: 'Oldest first (`asc`), or newest first (`desc`).',
});

export const MovementSchema = z
  .object({
    sequence: SequenceSchema,
    petId: PetIdSchema,
    version: VersionSchema,
    kind: MovementKindSchema,
    delta: z.int().openapi({
      format: 'int64',
      minimum: -MAX_QUANTITY,
      maximum: MAX_QUANTITY,
      description: 'The change of the quantity.',
      example: -2,
    }),
    quantityBefore: QuantitySchema.openapi({ example: 14 }),
    quantityAfter: QuantitySchema,
    statusBefore: z
      .union([PetStatusSchema, z.null()])
      .openapi({ description: 'The status before; `null` in a pet’s first movement.' }),
    statusAfter: PetStatusSchema,
    reason: z.union([ReasonSchema, z.null()]),
    note: NoteSchema,
    referenceDocumentUri: ReferenceDocumentUriSchema,
    referenceId: ReferenceIdSchema,
    occurredAt: OccurredAtSchema,
    recordedAt: moment('When it was recorded; never earlier than the movement before.'),
    actor: z
      .object({
        keyId: keyId('The API key; `null` for the operator.'),
        name: text(MAX_KEY_NAME, 'The name of the key, or `cli`.', 'till 2'),
      })
      .openapi('Actor', { description: 'The author of a movement.' }),
    requestId: z
      .string()
      .openapi({
        pattern: REQUEST_ID_PATTERN,
        description: 'The `X-Request-Id` of the request that made it; `null` for the operator.',
        example: 'mxmjw-up-2s',
      })
      .nullable(),
    revertedSequence: sequenceOrNull('The movement that it reverts.', null),
    previousSequence: sequenceOrNull('The pet’s movement before it.', 4242),
    hash: sha256('SHA-256 over the hash of the record before, a movement or a prune, and the other fields.'),
  })
  .openapi('Movement', { description: 'One record of the ledger: a change of one pet’s stock.' });

export const StoreInventorySchema = z
  .object({ available: sum('available', 812), pending: sum('pending', 40), sold: sum('sold', 0) })
  .openapi('StoreInventory', { description: 'The stock of all pets, added up by status.' });
