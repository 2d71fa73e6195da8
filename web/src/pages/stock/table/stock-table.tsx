import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useLocation } from 'wouter';
import { useRowHeight } from '../../../components/density.ts';
import type { Count } from '../../../counts/count.ts';
import { withDetails } from '../../../counts/detail-edits.ts';
import { useKept, useKeptState } from '../../../stock/stock-provider.tsx';
import type { StockStore } from '../../../stock/stock-store.ts';
import type { HideableColumn, StockQuery } from '../../../stock/stock-view.ts';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import type { EditBook, PendingEdit } from '../edit/edit-book.ts';
import { StockHeader } from './stock-header.tsx';
import styles from './stock-table.module.css';
import { type RowActions, StockTableRow } from './stock-table-row.tsx';
import type { Selection } from './use-selection.ts';
import { useTableKeys } from './use-table-keys.ts';

const OVERSCAN = 8;
/** More rows than any window shows. */
const SLOTS = 256;

interface Props {
  readonly gridRef: RefObject<HTMLDivElement | null>;
  readonly store: StockStore;
  readonly shown: readonly number[];
  readonly query: StockQuery;
  readonly hidden: readonly HideableColumn[];
  readonly onQuery: (changes: Partial<StockQuery>) => void;
  readonly book: EditBook;
  readonly edits: ReadonlyMap<string, PendingEdit>;
  /** Edits of other details that the person made, by petId. */
  readonly details: ReadonlyMap<string, readonly Count[]>;
  readonly selection: Selection;
  readonly mayEdit: boolean;
  /** Whether the shop uses SKUs. */
  readonly hasSkus: boolean;
  readonly isStale: boolean;
  readonly onAdjust: (petIds: readonly string[]) => void;
}

/**
 * The rows that are in view, and what mouse and keyboard do with them. A grid of its own, not a `Table`: its cells are edited
 * in place, and its rows are memoized and placed one by one, because a live change must not draw the others again.
 */
export function StockTable(props: Props) {
  const { gridRef, store, shown, query, onQuery, book, edits, selection, mayEdit, onAdjust } = props;
  const texts = useTexts();
  const format = useFormat();
  const [, navigate] = useLocation();
  const rowHeight = useRowHeight();
  const petIdAt = useCallback((at: number): string => store.at(shown[at] as number).petId, [store, shown]);
  const { position, activate, reset } = useActiveRow(petIdAt, shown.length);
  const [editing, setEditing] = useState<{ readonly petId: string; readonly typed: string }>();
  const editedAt = useMemo(
    () => (editing ? shown.findIndex((index) => store.at(index).petId === editing.petId) : -1),
    [editing, shown, store],
  );
  const result = JSON.stringify(query);
  const left = useKept('stock-scroll', () => ({ result, offset: 0 }));
  const virtualizer = useVirtualizer({
    initialOffset: left.result === result ? left.offset : 0,
    onChange: ({ scrollOffset }) => {
      left.offset = scrollOffset ?? 0;
    },
    count: shown.length,
    getScrollElement: () => gridRef.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    rangeExtractor: (range) => withRow(withRow(defaultRangeExtractor(range), editedAt), position),
    scrollPaddingStart: 36,
    scrollPaddingEnd: 8,
  });
  useEffect(() => {
    if (rowHeight > 0) virtualizer.measure();
  }, [virtualizer, rowHeight]);
  // A new result of search and filters begins at its top.
  const resetActive = useRef(reset);
  resetActive.current = reset;
  useEffect(() => {
    if (left.result === result) return;
    left.result = result;
    resetActive.current();
    // Scrolling measures the page.
    if (virtualizer.scrollOffset !== 0) virtualizer.scrollToOffset(0);
  }, [result, left, virtualizer]);

  const last = shown.length - 1;
  const focusGrid = useCallback(() => gridRef.current?.focus({ preventScroll: true }), [gridRef]);
  const moveTo = (to: number) => {
    const next = Math.max(0, Math.min(to, last));
    activate(next);
    virtualizer.scrollToIndex(next, { align: 'auto' });
  };
  const beginEdit = (at: number, typed: string) => {
    if (!mayEdit || at > last) return;
    activate(at);
    setEditing({ petId: petIdAt(at), typed });
  };

  // Rows are drawn again only when their own properties change, so their actions keep their identity.
  const latest = useRef({ moveTo, position });
  latest.current = { moveTo, position };
  const actions = useMemo<RowActions>(
    () => ({
      save: (seen, edit, move) => {
        setEditing(undefined);
        book.save(seen, edit);
        if (move === 0) return;
        focusGrid();
        latest.current.moveTo(latest.current.position + move);
      },
      cancel: () => {
        setEditing(undefined);
        focusGrid();
      },
      keepTheirs: (petId) => {
        book.keepTheirs(petId);
        focusGrid();
      },
      setMine: (seen) => {
        book.setMine(seen);
        focusGrid();
      },
    }),
    [book, focusGrid],
  );

  useTableKeys({
    gridRef,
    position,
    last,
    pageRows: Math.max(1, Math.floor((gridRef.current?.clientHeight ?? 400) / rowHeight) - 2),
    selection,
    petIdAt,
    moveTo,
    beginEdit,
    open: (petId) => navigate(`/pets/${petId}`),
    adjust: (petIds) => mayEdit && onAdjust(petIds),
  });

  const onClick = (event: MouseEvent) => {
    const target = event.target as Element;
    const row = target.closest<HTMLElement>('[data-position]');
    if (!row || target.closest('a, [role="alert"], input:not([type="checkbox"])')) return;
    const at = Number(row.dataset.position);
    activate(at);
    if (target.closest('[data-cell="quantity"]')) return beginEdit(at, '');
    // The range of the next click with Shift begins at the last click without.
    if (event.shiftKey) return selection.extendTo(at);
    if (target.closest(`.${styles.check}`)) selection.toggle(petIdAt(at));
    selection.anchorAt(at);
  };

  const onSpace = (event: KeyboardEvent) => {
    if (event.key !== ' ' || event.target !== gridRef.current) return;
    event.preventDefault();
    selection.anchorAt(position);
    selection.toggle(petIdAt(position));
  };

  const items = virtualizer.getVirtualItems();
  // A grid without a height, as for a moment after the window changed, draws no row that it could name.
  const isActiveDrawn = items.some(({ index }) => index === position);
  const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {};
  /** Elements are used again for the pets of another result, except the one that is edited, and one that is kept out of view. */
  const keyOf = (index: number, rowPetId: string) => {
    const isBeside = index < startIndex - OVERSCAN || index > endIndex + OVERSCAN;
    return isBeside || editing?.petId === rowPetId ? `pet ${rowPetId}` : index % SLOTS;
  };
  return (
    <div
      ref={gridRef}
      role="grid"
      aria-label={texts.stock.table}
      aria-rowcount={shown.length + 1}
      aria-multiselectable="true"
      aria-activedescendant={isActiveDrawn ? `row-${petIdAt(position)}` : undefined}
      tabIndex={0}
      className={styles.grid}
      data-skus={props.hasSkus || undefined}
      data-hide={props.hidden.join(' ') || undefined}
      onClick={onClick}
      onKeyDown={onSpace}
    >
      <StockHeader
        query={query}
        onChange={onQuery}
        selected={selectedOf(selection, shown.length)}
        onSelectAll={() => (selection.petIds.size > 0 ? selection.clear() : selection.selectAll())}
      />
      <div
        role="rowgroup"
        className={`${styles.body} ${props.isStale ? styles.stale : ''}`}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {items.map(({ index, start }) => {
          const row = store.at(shown[index] as number);
          const details = props.details.get(row.petId);
          return (
            <StockTableRow
              key={keyOf(index, row.petId)}
              row={withDetails(row, details)}
              isDetailWaiting={details?.some(({ state }) => state === 'waiting') ?? false}
              position={index}
              top={start}
              isActive={index === position}
              isSelected={selection.petIds.has(row.petId)}
              mayEdit={mayEdit}
              typed={editing?.petId === row.petId ? editing.typed : undefined}
              edit={edits.get(row.petId)}
              actions={actions}
              texts={texts}
              format={format}
            />
          );
        })}
      </div>
    </div>
  );
}

/** Keeps a row while it is out of view: the one that is being edited, with the typed text, and the one that the grid names as active. */
const withRow = (rows: number[], at: number): number[] =>
  at < 0 || rows.length === 0 || rows.includes(at) ? rows : [...rows, at].toSorted((a, b) => a - b);

function selectedOf({ petIds, hidden }: Selection, count: number): 'none' | 'some' | 'all' {
  if (petIds.size === 0) return 'none';
  return petIds.size - hidden === count ? 'all' : 'some';
}

interface ActiveRow {
  readonly position: number;
  activate(position: number): void;
  /** Returns to the first row. */
  reset(): void;
}

const FIRST = { position: 0, petId: undefined };

/** The row of the keyboard. It stays with its pet when rows come and go, so that a key changes no other pet. */
function useActiveRow(petIdAt: (position: number) => string, count: number): ActiveRow {
  const [active, setActive] = useKeptState<{ position: number; petId: string | undefined }>(
    'stock-active',
    FIRST,
  );
  const position = useMemo(() => {
    const { petId } = active;
    const last = Math.max(count - 1, 0);
    if (petId === undefined) return 0;
    if (active.position < count && petIdAt(active.position) === petId) return active.position;
    for (let at = 0; at < count; at += 1) if (petIdAt(at) === petId) return at;
    return Math.min(active.position, last);
  }, [active, petIdAt, count]);
  return {
    position,
    activate: (next) => setActive({ position: next, petId: next < count ? petIdAt(next) : undefined }),
    reset: () => setActive(FIRST),
  };
}
