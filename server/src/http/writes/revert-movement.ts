import { ApiError } from '../../domain/errors.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { RevertCommand, WriteAnswer } from '../../domain/write-command.ts';
import type { Answer } from '../../listen/exchange.ts';
import { movementPruned, noSuchMovement } from '../movements/list-movements.ts';
import { MovementRevertSchema, revertMovementRoute } from '../movements/list-movements-route.ts';
import { readPreconditions } from '../request/entity-tags.ts';
import { MAX_BODY_BYTES, readOptionalJsonBody } from '../request/json-body.ts';
import type { Operation } from '../request/operation.ts';
import { sequenceParameter } from '../request/path-parameters.ts';
import { requireNoQuery } from '../request/query-parameters.ts';
import type { RequestContext } from '../request/request-context.ts';
import { explanationOf } from '../schemas/explanation.ts';
import { stockHeaders } from './conflict-response.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import { type WriteExecutor, type WrittenOne, written } from './write-executor.ts';
import { answerMovement } from './write-response.ts';

export function revertMovement(writer: WriteExecutor): Operation {
  const reading = { schema: MovementRevertSchema, maxBytes: MAX_BODY_BYTES };
  return {
    route: revertMovementRoute,
    scope: 'movements:revert',
    isFree: false,
    handle: async (context, parameter) => {
      requireNoQuery(context);
      const sequence = sequenceParameter(parameter('sequence'));
      const preconditions = readPreconditions(context);
      const key = readIdempotencyKey(context);
      const body = await readOptionalJsonBody(context, reading);
      const work: RevertCommand = {
        kind: 'revert',
        sequence,
        ...preconditions,
        changeFromQuantity: body?.changeFromQuantity,
        explanation: body && explanationOf(body),
      };
      return answerRevert(writer, context, work, await writer.write(context, work, key));
    },
  };
}

function answerRevert(
  writer: WriteExecutor,
  context: RequestContext,
  work: RevertCommand,
  answer: WriteAnswer,
): MaybePromise<Answer> {
  const one = written('single', answer);
  const { code, petId } = one.result;
  if (code === 'already_reverted') throw alreadyReverted(writer, work, one);
  if (code === 'movement_pruned') throw movementPruned(work.sequence, one.headers);
  if (code === 'no_such_movement' || petId === undefined) throw noSuchMovement(work.sequence, one.headers);
  return answerMovement(writer, context, { ...work, petId }, answer);
}

function alreadyReverted(
  { baseUrl }: WriteExecutor,
  { sequence }: RevertCommand,
  { result: { revertedBy, stock }, headers }: WrittenOne,
): ApiError {
  return new ApiError('conflict', `Movement ${sequence} was taken back already, by movement ${revertedBy}.`, {
    headers: {
      ...headers,
      ...(stock && stockHeaders(stock)),
      Link: `<${baseUrl}/movements/${revertedBy}>; rel="related"`,
    },
  });
}
