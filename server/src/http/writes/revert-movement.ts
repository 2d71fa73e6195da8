import { z } from '@hono/zod-openapi';
import { ApiError } from '../../domain/errors.ts';
import type { RevertCommand } from '../../domain/write-command.ts';
import { movementPruned, noSuchMovement, SEQUENCE } from '../movements/movement.ts';
import { changeConflict, HISTORY_PRUNED, WRITE_NOT_FOUND } from '../openapi/error-responses.ts';
import { optionalBody } from '../operation/body.ts';
import { operationsWith } from '../operation/operation.ts';
import { EXPLANATION_MEMBERS, explanationOf } from '../schemas/explanation.ts';
import { CONDITION_MEMBERS, TakeReservedSchema } from '../schemas/quantity.ts';
import { stockHeaders } from './conflict-response.ts';
import { type WriteExecutor, type WrittenOne, written } from './write-executor.ts';
import { CONDITIONAL } from './write-headers.ts';
import { changedPet, RECORDED_MOVEMENT } from './write-response.ts';

const operation = operationsWith<{ readonly writer: WriteExecutor }>({ tag: 'Movements' });

const MovementRevertSchema = z
  .strictObject(
    { ...EXPLANATION_MEMBERS, ...CONDITION_MEMBERS, takeReserved: TakeReservedSchema.optional() },
    { error: 'must be a JSON object, or missing.' },
  )
  .openapi('MovementRevert', {
    description: 'The explanation of a revert.',
    example: { reason: 'correction', note: 'Counted twice.' },
  });

export const revertMovement = operation({
  id: 'revertMovement',
  at: 'POST /movements/{sequence}/revert',
  summary: 'Revert a movement',
  description:
    'Records a movement with the opposite delta, also after later changes. The status is restored if nothing has changed it since. A movement can be reverted once, never below zero, and takes no reserved units without `takeReserved`. The steps of an order are undone by other steps, not by a revert. The revert is a movement too, and can be reverted. Without a body no `Content-Type` is needed.',
  access: { scope: 'movements:revert' },
  path: { sequence: SEQUENCE },
  headers: CONDITIONAL,
  body: optionalBody(MovementRevertSchema),
  output: {
    ...RECORDED_MOVEMENT,
    documented: { ...RECORDED_MOVEMENT.documented, description: 'The movement that reverts it.' },
  },
  errors: {
    404: { ...WRITE_NOT_FOUND, description: 'There is no such movement.' },
    410: HISTORY_PRUNED,
    ...changeConflict(
      'The movement was reverted already, is a step of an order, nothing would change, or the quantity is not `changeFromQuantity` (`conflict`); or the stock, or what of it is not reserved, is smaller than the movement added (`insufficient_stock`)',
    ),
  },
  handle: async ({ writer }, { context, path: { sequence }, headers, body }) => {
    const { key, ...preconditions } = headers;
    const command: RevertCommand = {
      kind: 'revert',
      sequence,
      ...preconditions,
      changeFromQuantity: body?.changeFromQuantity,
      explanation: body && explanationOf(body),
      takesReserved: body?.takeReserved,
    };
    const one = written('single', await writer.write(context, command, key));
    const { code, petId } = one.result;
    if (code === 'already_reverted') throw alreadyReverted(writer, command, one);
    if (code === 'movement_of_order') throw stepOfOrder(writer, command, one);
    if (code === 'movement_pruned') throw movementPruned(sequence, one.headers);
    if (code === 'no_such_movement' || petId === undefined) throw noSuchMovement(sequence, one.headers);
    return changedPet(writer, { ...command, petId }, one);
  },
});

function alreadyReverted(writer: WriteExecutor, { sequence }: RevertCommand, one: WrittenOne): ApiError {
  const { revertedBy } = one.result;
  const message = `Movement ${sequence} was reverted before, by movement ${revertedBy}.`;
  return relatedConflict(message, `${writer.baseUrl}/movements/${revertedBy}`, one);
}

function stepOfOrder(writer: WriteExecutor, { sequence }: RevertCommand, one: WrittenOne): ApiError {
  const { orderId } = one.result;
  const message = `Movement ${sequence} is a step of order ${orderId}: cancel the order, or return its units, to undo it. Nothing was changed.`;
  return relatedConflict(message, `${writer.baseUrl}/store/orders/${orderId}`, one);
}

/** A conflict with another resource, to which `Link` leads. */
function relatedConflict(
  message: string,
  address: string,
  { result: { stock }, headers }: WrittenOne,
): ApiError {
  return new ApiError('conflict', message, {
    headers: { ...headers, ...(stock && stockHeaders(stock)), Link: `<${address}>; rel="related"` },
  });
}
