import { errorOf } from '../../blackbox/api-request.ts';
import type { RawResponse } from '../../blackbox/raw-socket.ts';
import type { OrderKind, Outcome } from '../checker/history.ts';
import { parsePetIds } from '../checker/movement-pages.ts';
import { type CheckedRequest, outcomeOf, type Part, unexpected } from '../requests.ts';
import type { ClientStep, OrderAction, OrderJson, OrderOutcome, OrderRefusal } from './order-operation.ts';

const ORDERS = '/v1/store/orders';
const REFUSALS: readonly string[] = [
  'precondition_failed',
  'invalid_transition',
  'conflict',
  'insufficient_stock',
];

/** An order that a client saw last, with its entity tag. */
export interface OrderSighting {
  readonly order: OrderJson;
  readonly tag: string;
}

export interface RequestedUnits {
  readonly petId: bigint;
  readonly quantity: number;
}

/** Places an order; each of its lines is an operation on its pet. */
export function requestOrder(
  lines: readonly RequestedUnits[],
  mark: string,
  expiresAt: string | null | undefined,
): CheckedRequest {
  const rest = JSON.stringify({ referenceId: mark, expiresAt }).slice(1);
  const body = `{"lines":${linesJson(lines)},${rest}`;
  const parts = partsOf('reserve', lines, mark);
  const action = { step: 'place', units: unitsOf(lines), mark } as const;
  return {
    request: { method: 'POST', path: ORDERS, body },
    parts,
    outcomesOf: (answer) => lineOutcomes(answer, parts),
    order: { actions: [action], outcomesOf: (answer) => [orderOutcome(answer)] },
  };
}

/** A step of an order. Delivered and returned units are operations on their pets; a cancellation is one of the order. */
export function requestStep(
  step: Exclude<ClientStep, 'place'>,
  { order, tag }: OrderSighting,
  mark: string,
  options: { readonly lines?: readonly RequestedUnits[]; readonly isConditional: boolean },
): CheckedRequest {
  const { lines, isConditional } = options;
  const kind = step === 'deliver' || step === 'return' ? step : undefined;
  const parts = kind && lines ? partsOf(kind, lines, mark) : [];
  const reference = JSON.stringify({ referenceId: mark }).slice(1);
  const body = lines ? `{"lines":${linesJson(lines)},${reference}` : `{${reference}`;
  const action: OrderAction = {
    step,
    orderId: order.orderId,
    mark,
    ...(lines && { units: unitsOf(lines) }),
    ...(isConditional && { ifVersion: order.version }),
  };
  return {
    request: {
      method: 'POST',
      path: `${ORDERS}/${order.orderId}/${step}`,
      // An approval has no movement that could have the mark.
      body: step === 'approve' ? '{}' : body,
      ...(isConditional && { headers: { 'If-Match': tag } }),
    },
    parts,
    outcomesOf: (answer) => lineOutcomes(answer, parts),
    order: { actions: [action], outcomesOf: (answer) => [orderOutcome(answer)] },
  };
}

/** A look at an order; with the tag of an earlier one, the answer may be 304. */
export function requestKnownOrder(seen: OrderSighting, isConditional: boolean): CheckedRequest {
  const { orderId } = seen.order;
  return {
    request: {
      method: 'GET',
      path: `${ORDERS}/${orderId}`,
      ...(isConditional && { headers: { 'If-None-Match': seen.tag } }),
    },
    parts: [],
    outcomesOf: () => [],
    order: {
      actions: [{ step: 'read', orderId }],
      outcomesOf: (answer) => [
        answer.status === 304 && isConditional ? { result: 'done', order: seen.order } : orderOutcome(answer),
      ],
    },
  };
}

export function parseOrder(answer: RawResponse): OrderJson {
  return parsePetIds(String(answer.body)) as OrderJson;
}

function orderOutcome(answer: RawResponse): OrderOutcome {
  if (answer.status === 200 || answer.status === 201) return { result: 'done', order: parseOrder(answer) };
  if (isTooLate(answer)) return { result: 'failed' };
  const { code } = errorOf(answer);
  if (!REFUSALS.includes(code)) throw unexpected(answer);
  return { result: 'refused', refusal: code as OrderRefusal };
}

/** Whether a new order was sent again after its own expiry. */
function isTooLate(answer: RawResponse): boolean {
  return answer.status === 400 && /^expiresAt must be in the future/.test(errorOf(answer).message);
}

/** A refusal names one line, and reports the stock of its pet alone. */
function lineOutcomes(answer: RawResponse, parts: readonly Part[]): Outcome[] {
  if (answer.status === 200 || answer.status === 201) return parts.map(() => ({ result: 'done' }));
  if (isTooLate(answer)) return parts.map(() => ({ result: 'failed' }));
  const { code, message } = errorOf(answer);
  if (!REFUSALS.includes(code)) throw unexpected(answer);
  const [, line] = /^lines\[(\d+)\]/.exec(message) ?? [];
  const isOfStock = code === 'insufficient_stock';
  if (isOfStock && line === undefined) throw unexpected(answer);
  return parts.map((_, index) =>
    isOfStock && index === Number(line) ? outcomeOf(answer) : { result: 'failed' },
  );
}

function partsOf(kind: OrderKind, lines: readonly RequestedUnits[], mark: string): Part[] {
  return lines.map(({ petId, quantity }) => ({ petId, action: { kind, units: quantity }, mark }));
}

function unitsOf(lines: readonly RequestedUnits[]): ReadonlyMap<bigint, number> {
  return new Map(lines.map(({ petId, quantity }) => [petId, quantity]));
}

function linesJson(lines: readonly RequestedUnits[]): string {
  return `[${lines.map(({ petId, quantity }) => `{"petId":${petId},"quantity":${quantity}}`).join()}]`;
}
