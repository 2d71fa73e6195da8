import type { Ledger } from '../../domain/ledger-store.ts';
import { movementJson } from '../../wire/movement-json.ts';
import { FORBIDDEN, HISTORY_PRUNED, MOVEMENT_NOT_FOUND } from '../openapi/error-responses.ts';
import { responses } from '../openapi/responses.ts';
import { JSON_TYPE } from '../request/error-response.ts';
import type { OperationDefinition } from '../request/operation.ts';
import { requireNoQuery } from '../request/query-parameters.ts';
import { movementPruned, noSuchMovement } from './missing-movement.ts';
import { MOVEMENT, SEQUENCE } from './movement-views.ts';

export const getMovement: OperationDefinition<{ readonly store: { readonly ledger: Ledger } }> = {
  route: {
    operationId: 'getMovement',
    method: 'get',
    path: '/movements/{sequence}',
    tags: ['Movements'],
    summary: 'Get a movement',
    description: 'Returns one movement. A movement never changes.',
    'x-stability': 'beta',
    parameters: [SEQUENCE.documented('path', 'sequence')],
    responses: responses({
      success: { schema: MOVEMENT.schema, description: 'The movement.' },
      errors: { ...FORBIDDEN, ...MOVEMENT_NOT_FOUND, 410: HISTORY_PRUNED },
    }),
  },
  scope: 'movements:read',
  create:
    ({ store: { ledger } }) =>
    async (context, parameter) => {
      requireNoQuery(context);
      const sequence = SEQUENCE.read('sequence', parameter('sequence'));
      const movement = await ledger.findMovement(sequence);
      if (!movement) {
        const start = await ledger.retentionStart();
        throw sequence > start.sequence ? noSuchMovement(sequence) : movementPruned(sequence);
      }
      return context.respond(200, movementJson(movement), {
        'Content-Type': JSON_TYPE,
        'Cache-Control': 'private, no-cache',
      });
    },
};
