import type { Change, Preconditions } from '../../domain/ledger/stock.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { WriteAnswer } from '../../domain/write-command.ts';
import type { Answer } from '../../listen/exchange.ts';
import { readPreconditions } from '../request/entity-tags.ts';
import { type BodyOptions, readJsonBody } from '../request/json-body.ts';
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

/** A handler of a change of one pet: reads the request, writes the change and renders the result. */
export function changeHandler<T>(
  writer: WriteExecutor,
  options: BodyOptions<T>,
  changeOf: (petId: bigint, body: T, preconditions: HeaderPreconditions) => Change,
  render: Render,
): Handler {
  return async (context, parameter) => {
    // Version 1.0.0, which has the patch, ignores unknown parameters.
    if (!options.isPatch) requireNoQuery(context);
    const petId = petIdParameter(parameter('petId'));
    const preconditions = readPreconditions(context);
    const key = readIdempotencyKey(context);
    const change = changeOf(petId, await readJsonBody(context, options), preconditions);
    return render(writer, context, change, await writer.write(context, { kind: 'change', change }, key));
  };
}
