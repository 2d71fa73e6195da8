import { useMemo, useRef } from 'react';
import type { EditBook } from '../edit/edit-book.ts';
import type { RowActions } from './stock-table-row.tsx';

interface Options {
  readonly book: EditBook;
  readonly endEdit: () => void;
  readonly focusGrid: () => void;
  /** Makes a row active that is so many rows further. */
  readonly moveBy: (rows: number) => void;
}

/** What ends the edit of a row. Rows are drawn again only when their own properties change, so the actions keep their identity. */
export function useRowActions(options: Options): RowActions {
  const latest = useRef(options);
  latest.current = options;
  return useMemo<RowActions>(
    () => ({
      save: (seen, edit, move) => {
        const { book, endEdit, focusGrid, moveBy } = latest.current;
        endEdit();
        book.save(seen, edit);
        if (move === 0) return;
        focusGrid();
        moveBy(move);
      },
      cancel: () => {
        latest.current.endEdit();
        latest.current.focusGrid();
      },
      keepTheirs: (petId) => {
        latest.current.book.keepTheirs(petId);
        latest.current.focusGrid();
      },
      setMine: (seen) => {
        latest.current.book.setMine(seen);
        latest.current.focusGrid();
      },
    }),
    [],
  );
}
