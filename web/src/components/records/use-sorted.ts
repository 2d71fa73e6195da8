import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useFormat } from '../../texts/texts-context.tsx';
import type { Column, SortOrder } from './table.tsx';

interface Options<T> {
  readonly columns: readonly Column<T>[];
  readonly keyOf: (record: T) => string | number;
  /** The order while the address has none. */
  readonly initial?: SortOrder | undefined;
}

/**
 * The records in the order of a column, which is in the address. While the pointer is on the rows they keep their
 * places, so that a row does not move away from a click.
 */
export function useSorted<T>(records: readonly T[], { columns, keyOf, initial }: Options<T>) {
  const { compare } = useFormat();
  const [search, setSearch] = useSearchParams();
  const [isHeld, setHeld] = useState(false);
  const places = useRef<{ readonly order: string; readonly of: ReadonlyMap<string | number, number> }>(
    undefined,
  );
  const order = orderIn(search.get('sort')) ?? initial;
  const rule = columns.find(({ sort }) => sort !== undefined && sort.by === order?.by)?.sort;
  const name = order === undefined ? '' : textOf(order);
  let sorted = records;
  if (rule && order) {
    const kept = isHeld && places.current?.order === name ? places.current.of : undefined;
    const last = records.length;
    const place = (record: T) => kept?.get(keyOf(record)) ?? last;
    const direction = order.isDescending ? -1 : 1;
    sorted = records.toSorted((a, b) => {
      if (kept) return place(a) - place(b);
      const [first, second] = [rule.valueOf(a), rule.valueOf(b)];
      if (first === null || second === null) return Number(first === null) - Number(second === null);
      const difference =
        typeof first === 'number' && typeof second === 'number'
          ? first - second
          : compare(String(first), String(second));
      return difference * direction;
    });
  }
  useEffect(() => {
    places.current = { order: name, of: new Map(sorted.map((record, place) => [keyOf(record), place])) };
  });
  return {
    sorted,
    sorting: {
      order: rule && order,
      onSort: (next: SortOrder) =>
        setSearch(
          (before) => {
            const changed = new URLSearchParams(before);
            changed.set('sort', textOf(next));
            return changed;
          },
          { replace: true },
        ),
    },
    /** Handlers of the element around the rows. */
    holding: rule && {
      onPointerEnter: () => setHeld(true),
      onPointerLeave: () => setHeld(false),
    },
  };
}

const textOf = ({ by, isDescending }: SortOrder): string => (isDescending ? `-${by}` : by);

function orderIn(text: string | null): SortOrder | undefined {
  if (text === null || text === '') return undefined;
  return text.startsWith('-') ? { by: text.slice(1), isDescending: true } : { by: text, isDescending: false };
}
