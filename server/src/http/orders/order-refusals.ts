import { ORDER_STEPS, type OrderStep } from '@petstore-inventory/shared/words';
import { sentValue } from '../request/sent-value.ts';
import { timestampOrNull } from '../../domain/timestamps.ts';
import { ApiError, type ErrorCode } from '../../domain/errors.ts';
import { petNotFound } from '../../domain/inventory.ts';
import { availableOf, type Stock, unmetTag } from '../../domain/ledger/stock.ts';
import { STEP_FROM, unitsLeft } from '../../domain/orders/order-book.ts';
import {
  type Order,
  type OrderCode,
  type OrderStepCommand,
  orderTag,
  type PlaceOrderCommand,
} from '../../domain/orders/orders.ts';
import { timestamp } from '../../domain/timestamps.ts';
import type { OrderResult } from '../../domain/write-command.ts';
import { orderETag } from '../../wire/order-json.ts';
import { currentStock, currentStockHeaders } from '../writes/conflict-response.ts';
import type { WriteExecutor, Written } from '../writes/write-executor.ts';

export type OrderCommand = PlaceOrderCommand | OrderStepCommand;

/** The refusals about a line. */
type LineCode = 'no_such_line' | 'too_many_units' | 'not_found' | 'insufficient_stock' | 'too_much_stock';

const LINE_CODES: Readonly<Record<LineCode, ErrorCode>> = {
  no_such_line: 'not_found',
  too_many_units: 'conflict',
  not_found: 'not_found',
  insufficient_stock: 'insufficient_stock',
  too_much_stock: 'conflict',
};

/** The state of an order after a step, as its refusal names it. */
const DONE: Readonly<Record<OrderStep, string>> = {
  approve: 'approved',
  deliver: 'delivered',
  cancel: 'cancelled',
  return: 'returned',
  expire: 'expired',
};

export function noSuchOrder(orderId: number, headers: Readonly<Record<string, string>> = {}): ApiError {
  return new ApiError('not_found', `There is no order with orderId ${orderId}.`, { headers });
}

/** A refusal. All of it follows from the result and the request, so a replay returns the same. */
export async function refusedOrder(
  writer: WriteExecutor,
  command: OrderCommand,
  { result, headers }: Written<OrderResult>,
): Promise<ApiError> {
  const { code, order } = result;
  if (isLineCode(code)) return refusedLine(writer, command, code, { result, headers });
  if (command.kind === 'place') {
    if (code !== 'expiry_passed') throw new Error(`A new order was answered with ${code}.`);
    return new ApiError(
      'validation_failed',
      `expiresAt must be in the future.${sentValue(timestampOrNull(command.expiresAtMs ?? null))}`,
      { headers },
    );
  }
  if (!order) return noSuchOrder(command.orderId, headers);
  const [publicCode, message] = stepRefusal(command, code, order);
  return new ApiError(publicCode, `${message} Nothing was changed.`, {
    headers: { ...headers, ETag: orderETag(order) },
  });
}

function isLineCode(code: OrderCode): code is LineCode {
  return code in LINE_CODES;
}

function stepRefusal(command: OrderStepCommand, code: OrderCode, order: Order): [ErrorCode, string] {
  const { orderId, status, version, expiresAtMs } = order;
  const done = DONE[command.step];
  switch (code) {
    case 'precondition_failed': {
      const header = unmetTag(command, orderTag(order));
      const names = header === 'If-None-Match' ? 'the current state' : 'another state';
      return [code, `${header} names ${names}: order ${orderId} is ${status} at version ${version}.`];
    }
    case 'expiry_passed': {
      const until = timestamp(expiresAtMs ?? 0);
      return [
        'invalid_transition',
        `Order ${orderId} was held until ${until}, so it cannot be ${done}. Place a new order.`,
      ];
    }
    case 'invalid_transition': {
      const isEmpty = command.step === 'return' && STEP_FROM.return.includes(status);
      const cannot = `so it cannot be ${done}${done === status ? ' again' : ''}`;
      const why = isEmpty ? 'and has no delivered units to return' : cannot;
      return [code, `Order ${orderId} is ${status}${isEmpty ? ' ' : ', '}${why}. ${possibleSteps(order)}`];
    }
    default:
      throw new Error(`A step of an order was answered with ${code}.`);
  }
}

function possibleSteps(order: Order): string {
  const { status, lines, expiresAtMs } = order;
  const isReturnable = lines.some(({ delivered, returned }) => delivered > returned);
  const steps = ORDER_STEPS.filter((step) => {
    return step !== 'expire' && STEP_FROM[step].includes(status) && (step !== 'return' || isReturnable);
  });
  if (steps.length === 0) return 'No step is possible any more.';
  const until = status === 'placed' && expiresAtMs !== null ? ` until ${timestamp(expiresAtMs)}` : '';
  return `Possible${until}: ${steps.join(', ')}.`;
}

/** A refusal about one line: the message names it, and the headers describe the stock or the order. */
async function refusedLine(
  writer: WriteExecutor,
  command: OrderCommand,
  code: LineCode,
  { result, headers }: Written<OrderResult>,
): Promise<ApiError> {
  const { order, petId, stock } = result;
  if (petId === null) throw new Error(`${code} names no line.`);
  // Without lines in the request, the line is one of the order.
  const line = result.line ?? order?.lines.findIndex((one) => one.petId === petId);
  const reason = lineReason(writer, command, code, result, petId);
  const orderHeaders = order && { ETag: orderETag(order) };
  const stockHeaders = stock && (await currentStockHeaders(writer, { petId }, 'insufficient_stock', stock));
  return new ApiError(LINE_CODES[code], `lines[${line}] (petId ${petId}): ${reason} Nothing was changed.`, {
    headers: { ...headers, ...(LINE_CODES[code] !== 'not_found' && (stockHeaders ?? orderHeaders)) },
  });
}

function lineReason(
  { maxQuantity }: WriteExecutor,
  command: OrderCommand,
  code: LineCode,
  { order, stock }: OrderResult,
  petId: bigint,
): string {
  const line = order?.lines.find((one) => one.petId === petId);
  const left = command.kind === 'step' && order && line ? unitsLeft(command.step, order, line) : 0;
  const units = command.lines?.find((line) => line.petId === petId)?.quantity ?? left;
  if (code === 'no_such_line') return `Order ${order?.orderId} has no line with this pet.`;
  if (code === 'too_many_units') {
    const verb = command.kind === 'place' ? command.kind : command.step;
    return left === 0
      ? `No units are left to ${verb}.`
      : `${units} units are more than the ${left} left to ${verb}.`;
  }
  if (code === 'not_found' || !stock) return petNotFound(petId).message;
  const current = currentStock(petId, stock);
  if (code === 'too_much_stock') {
    return `The result would be more than ${maxQuantity}, the largest quantity: ${current}.`;
  }
  return `The stock is not enough for ${units} ${units === 1 ? 'unit' : 'units'}: ${current}. ${mostUnits(command, stock)}`;
}

function mostUnits({ kind }: OrderCommand, stock: Stock): string {
  const [units, verb] = kind === 'place' ? [availableOf(stock), 'ordered'] : [stock.quantity, 'delivered'];
  return units > 0 ? `At most ${units} can be ${verb} now.` : `None can be ${verb} now.`;
}
