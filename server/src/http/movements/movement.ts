import { z } from '@hono/zod-openapi';
import { MAX_QUANTITY } from '@petstore-inventory/shared/limits';
import { MOVEMENT_KINDS } from '@petstore-inventory/shared/words';
import { ApiError } from '../../domain/errors.ts';
import { movementJson } from '../../wire/movement-json.ts';
import { schemaAt } from '../openapi/components.ts';
import { textView } from '../operation/output.ts';
import { positive } from '../operation/parameter.ts';
import { ActorSchema } from '../schemas/actor.ts';
import { AlertLevelSchema, AlertSchema } from '../schemas/alert.ts';
import {
  NoteSchema,
  OccurredAtSchema,
  ReasonSchema,
  ReferenceDocumentUriSchema,
  ReferenceIdSchema,
} from '../schemas/explanation.ts';
import { PetStatusSchema } from '../schemas/inventory.ts';
import {
  moment,
  orderIdOrNull,
  PetIdSchema,
  QuantitySchema,
  REQUEST_ID_PATTERN,
  ReservedSchema,
  SequenceSchema,
  sequenceOrNull,
  sha256,
  VersionSchema,
} from '../schemas/values.ts';

const MovementKindSchema = z.enum(MOVEMENT_KINDS).openapi('MovementKind', {
  description:
    'The source of a movement: an import, the operation that changed the stock, a step of an order, or new thresholds. An `import` with a `revertedSequence` is the last movement of a pet that was deleted.',
});
export const MOVEMENT = textView(
  'Movement',
  z
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
        .openapi({ description: 'The status before; `null` where the movement added the pet.' }),
      statusAfter: PetStatusSchema,
      reservedBefore: ReservedSchema,
      reservedAfter: ReservedSchema,
      alertBefore: z.union([AlertLevelSchema, z.null()]),
      alertAfter: z.union([AlertLevelSchema, z.null()]),
      alert: z.union([AlertSchema, z.null()]).openapi({
        description:
          'What the change reports: a more severe level, or the end of all (`back`); otherwise `null`.',
      }),
      orderId: orderIdOrNull('The order of which it is a step.', null),
      reason: z.union([ReasonSchema, z.null()]),
      note: NoteSchema,
      referenceDocumentUri: ReferenceDocumentUriSchema,
      referenceId: ReferenceIdSchema,
      occurredAt: OccurredAtSchema,
      recordedAt: moment('When it was recorded; never earlier than the movement before.'),
      actor: ActorSchema,
      requestId: z
        .string()
        .openapi({
          pattern: REQUEST_ID_PATTERN,
          description:
            'The `X-Request-Id` of the request that made it; `null` for the operator and for the service.',
          example: 'mxmjw-up-2s',
        })
        .nullable(),
      revertedSequence: sequenceOrNull('The movement that it reverts.', null),
      previousSequence: sequenceOrNull('The pet’s movement before it.', 4242),
      hash: sha256(
        'SHA-256 over the hash of the record before, a movement or a prune, and the other fields.',
      ),
    })
    .openapi({
      description: 'One record of the ledger: a change of one pet’s stock, reservations or thresholds.',
    }),
  movementJson,
);

/** A movement in a path. */
export const SEQUENCE = positive({
  description: 'The sequence of the movement.',
  required: true,
  schema: schemaAt('Sequence'),
  example: 4711,
});

export function noSuchMovement(sequence: number, headers: Readonly<Record<string, string>> = {}): ApiError {
  return new ApiError('not_found', `Movement ${sequence} does not exist.`, { headers });
}

export function movementPruned(sequence: number, headers: Readonly<Record<string, string>> = {}): ApiError {
  return new ApiError('history_pruned', `Movement ${sequence} was deleted by the operator.`, { headers });
}
