import { useRef, useState } from 'react';
import { ApiError, isApiError } from '../../api/api-error.ts';
import { newIdempotencyKey } from '../../api/client.ts';
import type { Order, OrderPart, OrderStatus } from '../../api/schemas.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { type ShortLine, shortLines, totalOf, unitsLeft } from './order-units.ts';
import { readOrder, readPets, type SeenOrder, type Step, takeStep } from './orders-api.ts';
import { useShowOrder } from './use-orders.ts';

/** Why a step was refused. */
export type Problem =
  | { readonly kind: 'changed'; readonly status: OrderStatus }
  | { readonly kind: 'stock'; readonly lines: readonly ShortLine[] }
  | { readonly kind: 'unsent' }
  /** No answer came, and the service may have forgotten the idempotency key. */
  | { readonly kind: 'unsure' }
  | { readonly kind: 'other'; readonly error: unknown };

const NO_INTENTION = { text: '', key: '' };
const REFUSALS = ['precondition_failed', 'invalid_transition', 'conflict'];

/** Takes steps of an order. The same step sent again, because no answer came, keeps its idempotency key. */
export function useStep(seen: SeenOrder, onDone: () => void) {
  const { orders } = useTexts();
  const format = useFormat();
  const show = useShowOrder();
  const toast = useToast();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const intention = useRef(NO_INTENTION);

  const take = async (step: Step, body: OrderPart) => {
    const text = JSON.stringify([step, body, seen.etag]);
    if (intention.current.text !== text) intention.current = { text, key: newIdempotencyKey() };
    setBusy(true);
    setProblem(undefined);
    try {
      const next = await takeStep(seen, step, body, intention.current.key);
      show(next);
      const units = movedUnits(next.order) - movedUnits(seen.order);
      const name = orders.order(String(next.order.orderId));
      toast.show({ message: orders.done[step](name, format.count(units)) });
      onDone();
    } catch (error) {
      // The service keeps a refusal under its key: the next attempt needs another one when the reason is gone.
      if (error instanceof ApiError && !error.isUnsure) intention.current = NO_INTENTION;
      const [found, now] = await problemOf(error, step, body, seen);
      if (now) show(now);
      setProblem(found);
    } finally {
      setBusy(false);
    }
  };
  const showChanged = () => setProblem({ kind: 'changed', status: seen.order.status });
  return { take, isBusy, problem, showChanged, clearProblem: () => setProblem(undefined) };
}

/** Units that deliveries and returns have moved. */
const movedUnits = ({ lines }: Order): number =>
  totalOf(lines, ({ delivered, returned }) => delivered + returned);

/** The problem, and the order as it is now. */
async function problemOf(
  error: unknown,
  _step: Step,
  body: OrderPart,
  { order }: SeenOrder,
): Promise<readonly [Problem, SeenOrder?]> {
  if (error instanceof ApiError && error.isTemporary) return [{ kind: 'unsent' }];
  try {
    if (isApiError(error, 'insufficient_stock')) {
      const pets = await readPets(order.lines.map(({ petId }) => petId));
      const wanted =
        body.lines ??
        order.lines.map((line) => ({ petId: line.petId, quantity: unitsLeft('deliver', line) }));
      return [{ kind: 'stock', lines: shortLines(wanted, pets, ({ quantity }) => quantity) }];
    }
    if (isApiError(error, ...REFUSALS)) {
      const now = await readOrder(String(order.orderId));
      if (now.order.version !== order.version || now.order.status !== order.status) {
        return [{ kind: 'changed', status: now.order.status }, now];
      }
    }
  } catch {
    // The first error says more than the one of reading.
  }
  return [{ kind: 'other', error }];
}
