import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiError, isApiError } from '../../api/api-error.ts';
import { newIdempotencyKey } from '../../api/client.ts';
import type { ManagedPet, OrderPlacement } from '../../api/schemas.ts';
import { serviceNow } from '../../api/service-clock.ts';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import type { NewLine } from './new-order-lines.tsx';
import { shortLines } from './order-units.ts';
import { placeOrder, readPets } from './orders-api.ts';
import { ORDER_LIST, usePets } from './use-orders.ts';
import type { Problem } from './use-step.ts';

const HOUR_MS = 3_600_000;
/** How long the units are held; `undefined` leaves it to the shop. */
export const HOLDS = {
  shop: undefined,
  hour: HOUR_MS,
  day: 24 * HOUR_MS,
  week: 7 * 24 * HOUR_MS,
  never: null,
} as const;
export type Hold = keyof typeof HOLDS;

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
  const intention = useRef<{ text: string; key: string; body: OrderPlacement }>(undefined);
  const petIds = lines.map(({ pet }) => pet.petId);
  const now = usePets(petIds);
  const pets: ReadonlyMap<string, ManagedPet> = new Map([
    ...lines.map(({ pet }) => [pet.petId, pet] as const),
    ...now,
  ]);

  const place = async (words: Words) => {
    const placed = lines.map(({ pet, units }) => ({ petId: pet.petId, quantity: Number(units) }));
    const text = JSON.stringify([placed, words]);
    if (intention.current?.text !== text) {
      intention.current = { text, key: newIdempotencyKey(), body: bodyOf(placed, words) };
    }
    setBusy(true);
    setProblem(undefined);
    try {
      const order = await placeOrder(intention.current.body, intention.current.key);
      toast.show({ message: orders.form.placed(orders.order(String(order.orderId))) });
      void queries.invalidateQueries({ queryKey: [ORDER_LIST] });
      onPlaced(order.orderId);
    } catch (error) {
      // A refusal is an answer: the next attempt is another one.
      if (!(error instanceof ApiError && error.isTemporary)) intention.current = undefined;
      setProblem(await problemOf(error, placed));
    } finally {
      setBusy(false);
    }
  };

  return { place, isBusy, problem, pets };
}

function bodyOf(lines: OrderPlacement['lines'], { reference, note, hold }: Words): OrderPlacement {
  const length = HOLDS[hold];
  return {
    lines,
    ...(reference !== '' && { referenceId: reference }),
    ...(note !== '' && { note }),
    ...(length === null && { expiresAt: null }),
    ...(typeof length === 'number' && { expiresAt: new Date(serviceNow() + length).toISOString() }),
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
