import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, isApiError } from '../../api/api-error.ts';
import { newIdempotencyKey } from '../../api/client.ts';
import type { OrderPlacement } from '../../api/schemas.ts';
import { serviceNow } from '../../api/service-clock.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { KEY_MS } from '../../counts/send-count.ts';
import { readAgain } from '../../live/read-again.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import { type Attempt, HOLDS, type Hold, type NewLine, type OrderedPet } from './order-draft.ts';
import { shortLines } from './order-units.ts';
import { placeOrder, readPets } from './orders-api.ts';
import { ORDER_LIST, usePets } from './use-orders.ts';
import type { Problem } from './use-step.ts';

interface Words {
  readonly reference: string;
  readonly note: string;
  readonly hold: Hold;
}

/** Places an order of these lines. The same order sent again, because no answer came, keeps its idempotency key. */
export function usePlacement(lines: readonly NewLine[], onPlaced: (orderId: number) => void) {
  const { orders } = useTexts();
  const toast = useToast();
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [attempt, setAttempt] = useState<Attempt>();
  const petIds = lines.map(({ pet }) => pet.petId);
  const now = usePets(petIds);
  const pets: ReadonlyMap<string, OrderedPet> = new Map([
    ...lines.map(({ pet }) => [pet.petId, pet] as const),
    ...now,
  ]);

  const place = async (words: Words) => {
    const placed = lines.map(({ pet, units }) => ({ petId: pet.petId, quantity: Number(units) }));
    const text = JSON.stringify([placed, words]);
    const isSame = attempt?.text === text && isKeyKnown(attempt);
    const sent = isSame ? attempt : { text, key: newIdempotencyKey(), atMs: serviceNow() };
    setAttempt(sent);
    setBusy(true);
    setProblem(undefined);
    try {
      const order = await placeOrder(bodyOf(placed, words, sent.atMs), sent.key);
      toast.show({ message: orders.form.placed(orders.order(String(order.orderId))) });
      void readAgain(queries, [ORDER_LIST]);
      onPlaced(order.orderId);
    } catch (error) {
      // A refusal is an answer: the next attempt is another one.
      if (!(error instanceof ApiError && error.isUnsure)) setAttempt(undefined);
      setProblem(await problemOf(error, placed));
    } finally {
      setBusy(false);
    }
  };

  /** Goes on after a reload. */
  const restore = (tried: Attempt | undefined) => {
    setAttempt(tried);
    setProblem(tried && { kind: isKeyKnown(tried) ? 'unsent' : 'unsure' });
  };
  return { place, isBusy, problem, pets, attempt, restore };
}

/** Whether the service still knows the idempotency key of a request that may have arrived. */
const isKeyKnown = ({ atMs }: Attempt): boolean => serviceNow() - atMs < KEY_MS;

/** @param atMs The time from which the units are held, so that the same order sent again is the same request. */
function bodyOf(
  lines: OrderPlacement['lines'],
  { reference, note, hold }: Words,
  atMs: number,
): OrderPlacement {
  const length = HOLDS[hold];
  return {
    lines,
    ...(reference !== '' && { referenceId: reference }),
    ...(note !== '' && { note }),
    ...(length === null && { expiresAt: null }),
    ...(typeof length === 'number' && { expiresAt: new Date(atMs + length).toISOString() }),
  };
}

async function problemOf(error: unknown, lines: OrderPlacement['lines']): Promise<Problem> {
  if (error instanceof ApiError && error.isTemporary) return { kind: 'unsent' };
  if (!isApiError(error, 'insufficient_stock')) return { kind: 'other', error };
  try {
    const pets = await readPets(lines.map(({ petId }) => petId));
    const short = shortLines(lines, pets, ({ available }) => available);
    return short.length > 0 ? { kind: 'stock', lines: short } : { kind: 'other', error };
  } catch {
    return { kind: 'other', error };
  }
}
