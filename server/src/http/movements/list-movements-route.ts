import { createRoute, z } from '@hono/zod-openapi';
import { MOVEMENT_KINDS, REASONS } from '../../domain/ledger.ts';
import { MOVEMENT_ORDERS } from '../../domain/ledger-store.ts';
import {
  choiceParameter,
  LimitParameter,
  momentParameter,
  PetIdParameter,
  SequenceParameter,
  wholeNumberParameter,
} from '../openapi/parameters.ts';
import { answers, type ErrorAnswer, FORBIDDEN } from '../openapi/responses.ts';
import { LOCATION, WRITTEN_HEADERS, WriteHeaders, writeErrors } from '../openapi/write-responses.ts';
import { EXPLANATION_MEMBERS } from '../schemas/explanation.ts';
import { MovementSchema } from '../schemas/movement.ts';
import { CONDITION_MEMBERS } from '../schemas/quantity.ts';

const FILTERS = {
  kind: choiceParameter(MOVEMENT_KINDS, 'Movements that were made so.'),
  reason: choiceParameter(REASONS, 'Movements for this reason.'),
  actor: z.string().optional().openapi({
    pattern: '^(key_[0-9A-Za-z]{16}|cli)$',
    description: 'Movements of the API key with this id, or of the operator: `cli`.',
    example: 'key_4fQ2n8Zk1bXw0aLr',
  }),
  since: momentParameter('Movements recorded at this moment or later.'),
  until: momentParameter('Movements recorded before this moment.'),
  after: wholeNumberParameter('Movements with a greater sequence.', 4_000),
  before: wholeNumberParameter('Movements with a smaller sequence.', 5_000),
  order: choiceParameter(MOVEMENT_ORDERS, 'Oldest first (`asc`, the default), or newest first (`desc`).'),
  limit: LimitParameter,
};

const PAGING =
  'Pages are by sequence: follow `Link` with `rel="next"` until there is none. A page may have fewer movements than `limit`, or none, and not be the last one.';

const MOVEMENTS_HEADERS = {
  Link: 'The next page (RFC 8288).',
  'Cache-Control': 'The client may keep the movements, and asks each time whether there are more.',
};
const HEAD_HEADER = {
  'Inventory-Sequence': {
    type: 'integer',
    description: 'Where the ledger stood: all movements up to there that were asked for are in these pages.',
    example: 4711,
    isRequired: true,
  },
  'Ledger-Start': {
    type: 'integer',
    description:
      'Movements up to this sequence may be missing here, because the operator does not keep them. It is told where the question reaches that far back.',
    example: 1200,
  },
} as const;

const PRUNED: ErrorAnswer = {
  description: 'The movement is older than what the operator keeps.',
  codes: ['history_pruned'],
};

function movementList(description: string) {
  return {
    schema: z.array(MovementSchema),
    description,
    headersOfAll: MOVEMENTS_HEADERS,
    headers: HEAD_HEADER,
  };
}

export const listItemMovementsRoute = createRoute({
  operationId: 'listItemMovements',
  method: 'get',
  path: '/inventory/{petId}/movements',
  tags: ['Movements'],
  summary: 'List the movements of a pet',
  description: `Returns what changed the stock of one pet: when, by whom, why, and from what to what. ${PAGING}`,
  'x-stability': 'beta',
  'x-scope': 'movements:read',
  request: { params: PetIdParameter, query: z.object(FILTERS) },
  responses: answers({
    ...movementList('Movements of the pet.'),
    errors: { ...FORBIDDEN, 404: { description: 'There is no such pet.' } },
  }),
});

export const listMovementsRoute = createRoute({
  operationId: 'listMovements',
  method: 'get',
  path: '/movements',
  tags: ['Movements'],
  summary: 'List movements',
  description: `Returns the ledger: every change of stock, in the order in which they were made. ${PAGING}`,
  'x-stability': 'beta',
  'x-scope': 'movements:read',
  request: {
    query: z.object({
      petId: z.string().optional().openapi({
        type: 'integer',
        format: 'int64',
        description: 'Movements of this pet, an exact 64-bit integer in plain decimal.',
        example: 7,
      }),
      ...FILTERS,
    }),
  },
  responses: answers({ ...movementList('Movements.'), errors: FORBIDDEN }),
});

export const getMovementRoute = createRoute({
  operationId: 'getMovement',
  method: 'get',
  path: '/movements/{sequence}',
  tags: ['Movements'],
  summary: 'Get a movement',
  description: 'Returns one line of the ledger. It never changes.',
  'x-stability': 'beta',
  'x-scope': 'movements:read',
  request: { params: SequenceParameter },
  responses: answers({
    schema: MovementSchema,
    description: 'The movement.',
    errors: { ...FORBIDDEN, 404: { description: 'There is no such movement.' }, 410: PRUNED },
  }),
});

export const MovementRevertSchema = z
  .strictObject(
    { ...EXPLANATION_MEMBERS, ...CONDITION_MEMBERS },
    { error: 'must be a JSON object, or missing.' },
  )
  .openapi('MovementRevert', {
    description: 'What there is to say about taking a movement back.',
    example: { reason: 'correction', note: 'Counted twice.' },
  });

export const revertMovementRoute = createRoute({
  operationId: 'revertMovement',
  method: 'post',
  path: '/movements/{sequence}/revert',
  tags: ['Movements'],
  summary: 'Take a movement back',
  description:
    'Records a movement with the opposite delta, also after later changes; the status goes back too where it is still what the movement made it. A movement is taken back once, and never below zero; what took it back can be taken back itself. The body may be left out, and needs no `Content-Type` then.',
  'x-stability': 'beta',
  'x-scope': 'movements:revert',
  request: {
    params: SequenceParameter,
    headers: WriteHeaders,
    body: { required: false, content: { 'application/json': { schema: MovementRevertSchema } } },
  },
  responses: answers({
    status: 201,
    schema: MovementSchema,
    description: 'The movement that takes it back.',
    headers: { ...WRITTEN_HEADERS, Location: LOCATION },
    errors: {
      ...writeErrors(
        'The movement was taken back already, nothing would change, or the quantity is not `changeFromQuantity` (`conflict`), or there is less in stock than it brought (`insufficient_stock`)',
        ['conflict', 'insufficient_stock'],
      ),
      404: {
        ...(writeErrors('', [])[404] as ErrorAnswer),
        description: 'There is no such movement.',
      },
      410: { ...(writeErrors('', [])[404] as ErrorAnswer), ...PRUNED },
    },
  }),
});
