import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useRef } from 'react';
import { useKept } from '../../../stock/stock-provider.tsx';

const OVERSCAN = 8;
/** More rows than any window shows. */
const SLOTS = 256;
const HEADER_HEIGHT = 36;

interface Options {
  readonly gridRef: RefObject<HTMLDivElement | null>;
  readonly count: number;
  readonly rowHeight: number;
  /** Rows that are drawn while they are out of view; -1 is none. */
  readonly kept: readonly number[];
  /** What was searched: another result begins at its top. */
  readonly result: string;
  readonly onResult: () => void;
}

interface Rows {
  readonly virtualizer: Virtualizer<HTMLDivElement, Element>;
  /** The React key of the pet of a row, of which the pet `edited` has its own. */
  keyOf(index: number, petId: string, edited: string | undefined): string | number;
}

/** The rows that are in view, from where the person left them. */
export function useRows({ gridRef, count, rowHeight, kept, result, onResult }: Options): Rows {
  const left = useKept('stock-scroll', () => ({ result, offset: 0 }));
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    initialOffset: left.result === result ? left.offset : 0,
    onChange: ({ scrollOffset }) => {
      left.offset = scrollOffset ?? 0;
    },
    count,
    getScrollElement: () => gridRef.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    rangeExtractor: (range) => kept.reduce(withRow, defaultRangeExtractor(range)),
    scrollPaddingStart: HEADER_HEIGHT,
    scrollPaddingEnd: 8,
  });
  useEffect(() => {
    if (rowHeight > 0) virtualizer.measure();
  }, [virtualizer, rowHeight]);
  const begin = useRef(onResult);
  begin.current = onResult;
  useEffect(() => {
    if (left.result === result) return;
    left.result = result;
    begin.current();
    // Scrolling measures the page.
    if (virtualizer.scrollOffset !== 0) virtualizer.scrollToOffset(0);
  }, [result, left, virtualizer]);

  const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {};
  return {
    virtualizer,
    // Elements are used again for the pets of another result, except the one that is edited, and one that is kept out of view.
    keyOf: (index, petId, edited) => {
      const isBeside = index < startIndex - OVERSCAN || index > endIndex + OVERSCAN;
      return isBeside || edited === petId ? `pet ${petId}` : index % SLOTS;
    },
  };
}

const withRow = (rows: number[], at: number): number[] =>
  at < 0 || rows.length === 0 || rows.includes(at) ? rows : [...rows, at].toSorted((a, b) => a - b);
