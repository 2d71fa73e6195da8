import { type KeyboardEvent, type MouseEvent, type RefObject, useCallback, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { useRowHeight } from '../../../components/density.ts';
import type { Count } from '../../../counts/count.ts';
import { withDetails } from '../../../counts/detail-edits.ts';
import type { StockStore } from '../../../stock/stock-store.ts';
import type { HideableColumn, StockQuery } from '../../../stock/stock-view.ts';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import type { EditBook, PendingEdit } from '../edit/edit-book.ts';
import { StockHeader } from './stock-header.tsx';
import styles from './stock-table.module.css';
import { StockTableRow } from './stock-table-row.tsx';
import { useActiveRow } from './use-active-row.ts';
import { useRowActions } from './use-row-actions.ts';
import { useRows } from './use-rows.ts';
import type { Selection } from './use-selection.ts';
import { useTableKeys } from './use-table-keys.ts';

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
  const { virtualizer, keyOf } = useRows({
    gridRef,
    count: shown.length,
    rowHeight,
    // The one that is being edited, with the typed text, and the one that the grid names as active.
    kept: [editedAt, position],
    result: JSON.stringify(query),
    onResult: reset,
  });

  const last = shown.length - 1;
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

  const actions = useRowActions({
    book,
    endEdit: () => setEditing(undefined),
    focusGrid: () => gridRef.current?.focus({ preventScroll: true }),
    moveBy: (rows) => moveTo(position + rows),
  });
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
    if (event.shiftKey) return selection.extendTo(at, at);
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
              key={keyOf(index, row.petId, editing?.petId)}
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

function selectedOf({ petIds, hidden }: Selection, count: number): 'none' | 'some' | 'all' {
  if (petIds.size === 0) return 'none';
  return petIds.size - hidden === count ? 'all' : 'some';
}
