import { z } from '@hono/zod-openapi';
import { MOVEMENT_KINDS } from '../../domain/ledger.ts';
import { ReasonSchema } from './explanation.ts';
import { InventoryItemSchema, int64, PetStatusSchema } from './inventory.ts';

export const moment = (description: string, example = '2026-07-01T07:30:00.000Z') =>
  z.string().openapi({ format: 'date-time', description, example });
export const sha256 = (description: string) =>
  z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .openapi({
      description,
      example: 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c',
    });
const quantity = (description: string, example: number) => z.int().min(0).openapi({ description, example });
export const count = (description: string, example: number) =>
  z.int().min(0).openapi({ description, example });
/** A sum of quantities can be beyond what a quantity can be. */
const sum = (status: string, example: number) =>
  z.bigint().openapi({
    type: 'integer',
    minimum: 0,
    description: `How much stock is ${status}. An exact integer, which may be larger than 2^53.`,
    example,
  });

export const InventoryDetailSchema = InventoryItemSchema.extend({
  version: count('Counts the changes of this item.', 3),
  updatedAt: moment('When it was last changed.'),
  name: z.string().nullable().openapi({ description: 'What the animal is called.', example: 'Biscuit' }),
  category: z.string().nullable().openapi({ description: 'The kind of animal.', example: 'Dogs' }),
}).openapi('InventoryDetail', { description: 'The stock of one pet, with its version.' });

export const MovementSchema = z
  .object({
    sequence: count('Its place in the ledger. Sequences have no gaps.', 4711),
    petId: int64('The pet whose stock changed.'),
    version: count('The version of the pet’s item from here on.', 3),
    kind: z.enum(MOVEMENT_KINDS).openapi({
      description: 'What made it: an import, or the operation that changed the stock.',
      example: 'adjust',
    }),
    delta: z.int().openapi({ description: 'By how much the quantity changed.', example: -2 }),
    quantityBefore: quantity('The quantity before.', 14),
    quantityAfter: quantity('The quantity after.', 12),
    statusBefore: z
      .union([PetStatusSchema, z.null()])
      .openapi({ description: 'The status before; `null` of a pet’s first movement.', example: 'available' }),
    statusAfter: PetStatusSchema,
    reason: z
      .union([ReasonSchema, z.null()])
      .openapi({ description: 'Why it was made, if that was said.', example: 'damaged' }),
    note: z.string().nullable().openapi({ description: 'What was said about it.', example: null }),
    referenceDocumentUri: z
      .string()
      .nullable()
      .openapi({ description: 'The document behind it.', example: 'https://erp.example/deliveries/4711' }),
    referenceId: z
      .string()
      .nullable()
      .openapi({ description: 'The client’s own name for what caused it.', example: 'delivery-4711' }),
    occurredAt: z.string().nullable().openapi({
      format: 'date-time',
      description: 'When it happened in the shop, by what the client said.',
      example: '2026-07-01T07:30:00.000Z',
    }),
    recordedAt: moment('When it was recorded; never earlier than that of the movement before.'),
    actor: z
      .object({
        keyId: z.string().nullable().openapi({ description: 'The API key; `null` for the operator.' }),
        name: z.string().openapi({ description: 'What the key is called, or `cli`.' }),
      })
      .openapi({ description: 'Who made it.', example: { keyId: 'key_4fQ2n8Zk1bXw0aLr', name: 'till 2' } }),
    requestId: z.string().nullable().openapi({
      description: 'The `X-Request-Id` of the request that made it.',
      example: 'mxmjw-up-2s',
    }),
    revertedSequence: z
      .int()
      .nullable()
      .openapi({ description: 'The movement that this one takes back.', example: null }),
    previousSequence: z
      .int()
      .nullable()
      .openapi({ description: 'The pet’s movement before this one.', example: 4242 }),
    hash: sha256(
      'SHA-256 over the hash of the record before, a movement or a prune, and the fields of this one.',
    ),
  })
  .openapi('Movement', { description: 'One line of the ledger: a change of one pet’s stock.' });

export const StoreInventorySchema = z
  .object({ available: sum('available', 812), pending: sum('pending', 40), sold: sum('sold', 0) })
  .openapi('StoreInventory', { description: 'The stock of all pets, added up by status.' });
