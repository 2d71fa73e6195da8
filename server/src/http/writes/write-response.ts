import { itemTag, type Stock } from '../../domain/ledger/stock.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { WriteAnswer } from '../../domain/write-command.ts';
import type { Answer } from '../../listen/exchange.ts';
import { movementJson } from '../../wire/movement-json.ts';
import type { RequestContext } from '../request/request-context.ts';
import { refusedWrite, type WriteTarget } from './conflict-response.ts';
import { type WriteExecutor, type WrittenOne, written } from './write-executor.ts';

/** Responds with the item after the change: exactly the three fields. */
export function answerItem(
  writer: WriteExecutor,
  context: RequestContext,
  target: WriteTarget,
  answer: WriteAnswer,
): MaybePromise<Answer> {
  return answerDone(writer, target, answer, ({ headers }, { quantity, status }) => {
    const json = `{"petId":${target.petId},"quantity":${quantity},"status":"${status}"}`;
    return context.respond(200, json, headers);
  });
}

/** Responds with the recorded movement and its address. */
export function answerMovement(
  writer: WriteExecutor,
  context: RequestContext,
  target: WriteTarget,
  answer: WriteAnswer,
): MaybePromise<Answer> {
  return answerDone(writer, target, answer, ({ headers, result: { movement } }) => {
    if (!movement) throw new Error('A change that records a movement returned none.');
    headers.Location = `${writer.baseUrl}/movements/${movement.sequence}`;
    return context.respond(201, movementJson(movement), headers);
  });
}

function answerDone(
  writer: WriteExecutor,
  target: WriteTarget,
  answer: WriteAnswer,
  respond: (one: WrittenOne, stock: Stock) => Answer,
): MaybePromise<Answer> {
  const one = written('single', answer);
  const { code, stock } = one.result;
  if (code !== 'done' || !stock) return refuse(writer, target, one);
  one.headers.ETag = itemTag(stock);
  return respond(one, stock);
}

async function refuse(writer: WriteExecutor, target: WriteTarget, one: WrittenOne): Promise<never> {
  const { code } = one.result;
  if (
    code === 'done' ||
    code === 'no_such_movement' ||
    code === 'movement_pruned' ||
    code === 'already_reverted' ||
    code === 'movement_of_order'
  ) {
    throw new Error(`A change was answered with ${code}.`);
  }
  throw await refusedWrite(writer, target, code, one);
}
