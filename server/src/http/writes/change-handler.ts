import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { Change, Preconditions } from '../../domain/stock.ts';
import type { WriteAnswer } from '../../domain/write-command.ts';
import type { Answer } from '../../listen/exchange.ts';
import { readPreconditions } from '../request/entity-tags.ts';
import { type BodyReading, readJsonBody } from '../request/json-body.ts';
import type { Handler } from '../request/operation.ts';
import { petIdParameter } from '../request/path-parameters.ts';
import { requireNoQuery } from '../request/query-parameters.ts';
import type { RequestContext } from '../request/request-context.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import type { WriteExecutor } from './write-executor.ts';

type HeaderPreconditions = Pick<Preconditions, 'ifMatch' | 'ifNoneMatch'>;
type Render = (
  writer: WriteExecutor,
  context: RequestContext,
  change: Change,
  answer: WriteAnswer,
) => MaybePromise<Answer>;

/** Reads a request, carries out the change that its body asks for, and answers with what came of it. */
export function changing<T>(
  writer: WriteExecutor,
  reading: BodyReading<T>,
  changeOf: (petId: bigint, body: T, preconditions: HeaderPreconditions) => Change,
  render: Render,
): Handler {
  return async (context, parameter) => {
    // The interface of version 1, to which the patch belongs, passes over what it does not know.
    if (!reading.isPatch) requireNoQuery(context);
    const petId = petIdParameter(parameter('petId'));
    const preconditions = readPreconditions(context);
    const key = readIdempotencyKey(context);
    const change = changeOf(petId, await readJsonBody(context, reading), preconditions);
    return render(writer, context, change, await writer.write(context, { kind: 'change', change }, key));
  };
}
