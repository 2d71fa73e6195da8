import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { Change, Preconditions } from '../../domain/stock.ts';
import type { WriteAnswer } from '../../domain/write-command.ts';
import type { Answer } from '../../listen/exchange.ts';
import { readPreconditions } from '../request/entity-tags.ts';
import { type BodyReading, MAX_BODY_BYTES, readJsonBody } from '../request/json-body.ts';
import type { Operation } from '../request/operation.ts';
import { petIdParameter } from '../request/path-parameters.ts';
import { requireNoQuery } from '../request/query-parameters.ts';
import type { RequestContext } from '../request/request-context.ts';
import { explanationOf } from '../schemas/explanation.ts';
import { inventoryUpdateSchema } from '../schemas/inventory.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import {
  adjustInventoryRoute,
  InventoryAdjustmentSchema,
  InventoryStatusSchema,
  setInventoryStatusRoute,
  updateInventoryRoute,
} from './update-inventory-route.ts';
import type { WriteExecutor } from './write-executor.ts';
import { answerItem, answerMovement } from './write-response.ts';

/** The operations that change the stock of one pet. */

type HeaderPreconditions = Pick<Preconditions, 'ifMatch' | 'ifNoneMatch'>;
type Render = (
  writer: WriteExecutor,
  context: RequestContext,
  change: Change,
  answer: WriteAnswer,
) => MaybePromise<Answer>;

/** Reads a request, carries out the change that its body asks for, and answers with what came of it. */
function changing<T>(
  writer: WriteExecutor,
  reading: BodyReading<T>,
  changeOf: (petId: bigint, body: T, preconditions: HeaderPreconditions) => Change,
  render: Render,
): Operation['handle'] {
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

export function updateInventory(writer: WriteExecutor): Operation {
  const schema = inventoryUpdateSchema(writer.maxQuantity);
  const reading = { schema, maxBytes: MAX_BODY_BYTES, isPatch: true };
  return {
    route: updateInventoryRoute(schema),
    scope: 'inventory:write',
    isFree: false,
    handle: changing(
      writer,
      reading,
      (petId, body, preconditions) => ({
        kind: 'set',
        petId,
        // Turns -0 into 0.
        quantity: body.quantity + 0,
        ...preconditions,
        changeFromQuantity: body.changeFromQuantity,
        explanation: explanationOf(body),
      }),
      answerItem,
    ),
  };
}

export function adjustInventory(writer: WriteExecutor): Operation {
  return {
    route: adjustInventoryRoute,
    scope: 'inventory:adjust',
    isFree: false,
    handle: changing(
      writer,
      { schema: InventoryAdjustmentSchema, maxBytes: MAX_BODY_BYTES },
      (petId, body, preconditions) => ({
        kind: 'adjust',
        petId,
        delta: body.delta,
        ...preconditions,
        changeFromQuantity: body.changeFromQuantity,
        explanation: explanationOf(body),
      }),
      answerMovement,
    ),
  };
}

export function setInventoryStatus(writer: WriteExecutor): Operation {
  return {
    route: setInventoryStatusRoute,
    scope: 'inventory:status',
    isFree: false,
    handle: changing(
      writer,
      { schema: InventoryStatusSchema, maxBytes: MAX_BODY_BYTES },
      (petId, body, preconditions) => ({
        kind: 'status',
        petId,
        status: body.status,
        ...preconditions,
        changeFromQuantity: body.changeFromQuantity,
        explanation: explanationOf(body),
      }),
      answerItem,
    ),
  };
}
