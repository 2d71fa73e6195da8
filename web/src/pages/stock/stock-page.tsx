import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { BulkChange } from '../../api/schemas.ts';
import { useOfferedCommands } from '../../components/commands.ts';
import { PageHeader } from '../../components/page/page-header.tsx';
import { useAddPet } from '../../components/pets/use-add-pet.tsx';
import { ErrorState } from '../../components/states/error-state.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { endFirstRows } from '../../first-rows/end-first-rows.ts';
import { useLiveStatus } from '../../live/use-live.ts';
import { useMay } from '../../session/session-context.tsx';
import { ChosenUnits } from '../../stock/stock-facts.ts';
import type { HideableColumn } from '../../stock/stock-view.ts';
import type { StockSnapshot } from '../../stock/stock-list.ts';
import { useKept, useStockFacts } from '../../stock/stock-provider.tsx';
import type { StockStore } from '../../stock/stock-store.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { AdjustManyDialog } from './adjust/adjust-many-dialog.tsx';
import { type BulkSelection, selectionOf } from '../../bulk/bulk-api.ts';
import { ChangeManyDialog } from './change/change-many-dialog.tsx';
import { RunningChanges } from '../../bulk/running-changes.tsx';
import { useNoteChange } from '../../bulk/use-note-change.ts';
import { useEdits } from './edit/use-edits.ts';
import { OutputMenu } from './output/output-menu.tsx';
import { PrintedStock } from './output/printed-stock.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { StockEmpty } from './stock-empty.tsx';
import styles from './stock-page.module.css';
import { StockTable } from './table/stock-table.tsx';
import { useSelection } from './table/use-selection.ts';
import { TableSkeleton } from './table-skeleton.tsx';
import { StockToolbar } from './toolbar/stock-toolbar.tsx';
import { useShownStock } from './use-shown-stock.ts';

export default function StockPage() {
  const { app, stock, shared } = useTexts();
  const format = useFormat();
  const toast = useToast();
  const mayEdit = useMay('staff');
  const add = useAddPet(app.pages.stock);
  const isOffline = useLiveStatus().state === 'offline';
  const { store, reload, list, snapshot, query, setQuery, result, filter, ofSupplier, isFinding } =
    useShownStock();
  const isPhone = useMediaQuery('(max-width: 640px)', false, { getInitialValueInEffect: false });
  const gridRef = useRef<HTMLDivElement>(null);
  const [adjusting, setAdjusting] = useState<readonly string[]>();
  const [changing, setChanging] = useState<Changing>();
  const noteChange = useNoteChange();
  const { book, edits, details } = useEdits();
  const { shown, moved, isComplete, error } = snapshot;
  const petIdAt = useCallback((at: number) => store.at(shown[at] as number).petId, [store, shown]);
  const selection = useSelection(petIdAt, shown.length, shown.length === store.rows.length);
  const { facts, hasSkus, total, categories } = useFacts(store, snapshot, query.isArchived);
  const units = useUnits(store, selection.petIds);
  const focusGrid = () => gridRef.current?.focus({ preventScroll: true });
  const adjustSelected = () => setAdjusting([...selection.petIds]);
  useOfferedCommands(
    mayEdit && selection.petIds.size > 0 ? [{ label: stock.adjust, keys: 'e', run: adjustSelected }] : [],
  );

  const changed = (change: BulkChange) => {
    setChanging(undefined);
    if (change.set.archived !== undefined) selection.clear();
    noteChange(change);
  };

  const pets = (count: number) => shared.pets(format.count(count));
  const isEmpty = shown.length === 0;
  const isLoading = isEmpty && (!isComplete || isFinding) && (ofSupplier.error ?? error) === undefined;
  useLayoutEffect(() => {
    if (!isLoading) endFirstRows();
  }, [isLoading]);
  useLayoutEffect(() => endFirstRows, []);
  const rows = () => shown.map((at) => store.at(at));
  return (
    <div className={styles.page}>
      <PageHeader
        title={app.pages.stock}
        facts={facts}
        actions={
          <>
            {!isPhone && <OutputMenu rows={rows} isReady={isComplete && !isEmpty} />}
            {add.button}
          </>
        }
      />
      <PrintedStock rows={rows} />
      <StockToolbar
        query={query}
        onChange={filter}
        categories={categories}
        count={stock.shown(format.quantity(shown.length), format.quantity(total))}
        onEnter={focusGrid}
      />
      {isComplete && query.category !== undefined && !categories.includes(query.category) && (
        <div className={styles.moved} role="status">
          {app.views.missingCategory(query.category)}
        </div>
      )}
      <RunningChanges />
      {moved > 0 && <MovedNote count={moved} onSort={() => list.sortAgain()} />}
      {error !== undefined && store.rows.length === 0 ? (
        <ErrorState error={error} onRetry={reload} />
      ) : isFinding && ofSupplier.error !== undefined ? (
        <ErrorState error={ofSupplier.error} onRetry={ofSupplier.retry} />
      ) : isEmpty && (!isComplete || isFinding) ? (
        <TableSkeleton />
      ) : isEmpty ? (
        <StockEmpty query={query} isShopEmpty={store.rows.length === 0} onChange={setQuery} />
      ) : (
        <StockTable
          gridRef={gridRef}
          store={store}
          shown={shown}
          query={result}
          hidden={query.hidden ?? NONE}
          onQuery={setQuery}
          book={book}
          edits={edits}
          details={details}
          selection={selection}
          mayEdit={mayEdit}
          hasSkus={hasSkus}
          isStale={isOffline}
          onAdjust={setAdjusting}
        />
      )}
      <SelectionBar
        count={selection.petIds.size}
        hidden={selection.hidden}
        units={units}
        mayEdit={mayEdit}
        onAdjust={adjustSelected}
        onChange={() =>
          setChanging({
            selection: selectionOf(
              selection.petIds,
              shown.map((_, at) => petIdAt(at)),
              query,
            ),
            count: selection.petIds.size,
          })
        }
        onClear={selection.clear}
      />
      {adjusting && (
        <AdjustManyDialog
          petIds={adjusting}
          store={store}
          book={book}
          onClose={() => setAdjusting(undefined)}
          onApplied={({ count, left, undo, unanswered }) => {
            setAdjusting(undefined);
            selection.only(left);
            const message = stock.applied(pets(count));
            toast.show({
              message: unanswered > 0 ? `${message}. ${stock.mayBeChanged(pets(unanswered))}` : message,
              isError: unanswered > 0,
              undo: () => book.run(undo.petIds, () => undo.run()),
            });
          }}
          onUnanswered={(count) => toast.show({ message: stock.mayBeChanged(pets(count)), isError: true })}
        />
      )}
      {changing && (
        <ChangeManyDialog
          {...changing}
          categories={categories}
          isArchived={query.isArchived}
          onClose={() => setChanging(undefined)}
          onDone={changed}
        />
      )}
      {add.dialog}
    </div>
  );
}

const NONE: readonly HideableColumn[] = [];

/** The pets whose change is asked for, as they were selected. */
interface Changing {
  readonly selection: BulkSelection | undefined;
  readonly count: number;
}

interface MovedNoteProps {
  readonly count: number;
  readonly onSort: () => void;
}

/** Pets whose changes would move them: the rows stay where a person reads them. */
function MovedNote({ count, onSort }: MovedNoteProps) {
  const { stock } = useTexts();
  const format = useFormat();
  return (
    <div className={styles.moved} role="status">
      {stock.reordered(format.count(count))}
      <Button size="compact-sm" variant="default" onClick={onSort}>
        {stock.reorder}
      </Button>
    </div>
  );
}

/** The line of facts below the title, the categories that exist, and the number of pets among which to search. */
function useFacts(store: StockStore, { isComplete }: StockSnapshot, isArchived: boolean) {
  const counted = useStockFacts(store);
  const { stock, shared } = useTexts();
  const format = useFormat();
  const { pets, alerts } = counted;
  const { keptAtMs } = store;
  const text = shared.pets(format.count(pets));
  const names = counted.categories;
  const categories = useMemo(() => names.toSorted(format.compare), [names, format]);
  return {
    hasSkus: counted.hasSkus,
    facts: isComplete
      ? stock.facts(
          text,
          format.quantity(alerts),
          keptAtMs === undefined ? undefined : format.dateTime(new Date(keptAtMs)),
        )
      : stock.loadingPets(text),
    total: isArchived ? store.rows.length - pets : pets,
    categories,
  };
}

/** The units of the selected pets. */
const useUnits = (store: StockStore, petIds: ReadonlySet<string>): number =>
  useKept('stock-units', () => new ChosenUnits(store)).of(petIds);
