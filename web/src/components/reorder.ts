import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import type { Reorder } from '../api/schemas.ts';
import { serviceNow } from '../api/service-clock.ts';
import { useFormat, useTexts } from '../texts/texts-context.tsx';
import { calendarDay } from './day-start.ts';

/** All that shows what is ordered begins with it. */
export const REORDERS_KEY = 'reorders';

/** What is ordered of a pet. @param version That of its stock, because what is received changes both. */
export function useReorder(petId: string, version: number): Reorder | undefined {
  const { data } = useQuery({
    queryKey: [REORDERS_KEY, 'pet', petId, version],
    queryFn: ({ signal }) => api<Reorder>('GET', `/reorders/${petId}`, { signal }),
  });
  return data;
}

/** The suppliers of all pets. */
export function useSuppliers(): readonly string[] {
  const { data = [] } = useQuery({
    queryKey: [REORDERS_KEY, 'suppliers'],
    queryFn: ({ signal }) => api<readonly string[]>('GET', '/reorders/suppliers', { signal }),
  });
  return data;
}

/** A text such as "140 ordered, expected 3 Dec 2026 (overdue)"; `undefined` where nothing is on its way. */
export function useOrderedText(): (reorder: Reorder) => string | undefined {
  const { reorders } = useTexts();
  const format = useFormat();
  return ({ outstanding, received, expectedOn }) => {
    if (outstanding === 0) return undefined;
    const units = (received > 0 ? reorders.toCome : reorders.outstanding)(format.quantity(outstanding));
    if (expectedOn === null) return units;
    const text = reorders.expected(units, format.date(new Date(`${expectedOn}T00:00`)));
    return isOverdue(expectedOn) ? reorders.overdue(text) : text;
  };
}

/** Whether nothing is ordered of the pet. */
export const isToOrder = ({ ordered }: Reorder): boolean => ordered === null;

/** Whether a day is over in the person's calendar. */
export function isOverdue(expectedOn: string | null): boolean {
  return expectedOn !== null && expectedOn < calendarDay(serviceNow(), 0);
}
