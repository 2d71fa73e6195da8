import { z } from '@hono/zod-openapi';
import { ApiError } from '../../domain/errors.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { RevertCommand, WriteAnswer } from '../../domain/write-command.ts';
import type { Answer } from '../../listen/exchange.ts';
import { movementPruned, noSuchMovement } from '../movements/missing-movement.ts';
import { changeConflict, REVERT } from '../openapi/error-responses.ts';
import { SEQUENCE, WRITE_HEADERS } from '../openapi/parameters.ts';
import { RECORDED_MOVEMENT, responses } from '../openapi/responses.ts';
import { readPreconditions } from '../request/entity-tags.ts';
import { MAX_BODY_BYTES, readOptionalJsonBody } from '../request/json-body.ts';
import type { OperationDefinition } from '../request/operation.ts';
import { sequenceParameter } from '../request/path-parameters.ts';
import { requireNoQuery } from '../request/query-parameters.ts';
import type { RequestContext } from '../request/request-context.ts';
import { EXPLANATION_MEMBERS, explanationOf } from '../schemas/explanation.ts';
import { CONDITION_MEMBERS, TakeReservedSchema } from '../schemas/quantity.ts';
import { stockHeaders } from './conflict-response.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import { type WriteExecutor, type WrittenOne, written } from './write-executor.ts';
import { answerMovement } from './write-response.ts';

const MovementRevertSchema = z
  .strictObject(
    { ...EXPLANATION_MEMBERS, ...CONDITION_MEMBERS, takeReserved: TakeReservedSchema.optional() },
    { error: 'must be a JSON object, or missing.' },
  )
  .openapi('MovementRevert', {
    description: 'The explanation of a revert.',
    example: { reason: 'correction', note: 'Counted twice.' },
  });

const BODY = { schema: MovementRevertSchema, maxBytes: MAX_BODY_BYTES };

export const revertMovement: OperationDefinition<{ readonly writer: WriteExecutor }> = {
  route: {
    operationId: 'revertMovement',
    method: 'post',
    path: '/movements/{sequence}/revert',
    tags: ['Movements'],
    summary: 'Revert a movement',
    description:
      'Records a movement with the opposite delta, also after later changes. The status is restored if nothing has changed it since. A movement can be reverted once, never below zero, and takes no reserved units without `takeReserved`. The steps of an order are undone by other steps, not by a revert. The revert is a movement too, and can be reverted. Without a body no `Content-Type` is needed.',
    'x-stability': 'beta',
    parameters: [SEQUENCE, ...WRITE_HEADERS],
    request: {
      body: { required: false, content: { 'application/json': { schema: MovementRevertSchema } } },
    },
    responses: responses({
      status: 201,
      success: { ...RECORDED_MOVEMENT, description: 'The movement that reverts it.' },
      errors: {
        ...REVERT,
        ...changeConflict(
          'The movement was reverted already, is a step of an order, nothing would change, or the quantity is not `changeFromQuantity` (`conflict`); or the stock, or what of it is not reserved, is smaller than the movement added (`insufficient_stock`)',
        ),
      },
    }),
  },
  scope: 'movements:revert',
  create:
    ({ writer }) =>
    async (context, parameter) => {
      requireNoQuery(context);
      const sequence = sequenceParameter(parameter('sequence'));
      const preconditions = readPreconditions(context);
      const key = readIdempotencyKey(context);
      const body = await readOptionalJsonBody(context, BODY);
      const command: RevertCommand = {
        kind: 'revert',
        sequence,
        ...preconditions,
        changeFromQuantity: body?.changeFromQuantity,
        explanation: body && explanationOf(body),
        takesReserved: body?.takeReserved,
      };
      return answerRevert(writer, context, command, await writer.write(context, command, key));
    },
};

function answerRevert(
  writer: WriteExecutor,
  context: RequestContext,
  command: RevertCommand,
  answer: WriteAnswer,
): MaybePromise<Answer> {
  const one = written('single', answer);
  const { code, petId } = one.result;
  if (code === 'already_reverted') throw alreadyReverted(writer, command, one);
  if (code === 'movement_of_order') throw stepOfOrder(writer, command, one);
  if (code === 'movement_pruned') throw movementPruned(command.sequence, one.headers);
  if (code === 'no_such_movement' || petId === undefined) throw noSuchMovement(command.sequence, one.headers);
  return answerMovement(writer, context, { ...command, petId }, answer);
}

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
