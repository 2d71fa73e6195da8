import { Button, Skeleton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Link, useSearch } from 'wouter';
import type { BulkChange } from '../../api/schemas.ts';
import { useOfferedCommands } from '../../components/commands.ts';
import { KeyCaps } from '../../components/hotkeys/key-caps.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { useAddPet } from '../../components/pets/use-add-pet.tsx';
import { ErrorState } from '../../components/states/error-state.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { IconAdjustmentsHorizontal } from '../../icons/icons.tsx';
import { endFirstRows } from '../../first-rows/end-first-rows.ts';
import { useLiveStatus } from '../../live/use-live.ts';
import { useMay } from '../../session/session-context.tsx';
import { ChosenUnits } from '../../stock/stock-facts.ts';
import type { HideableColumn, StockQuery } from '../../stock/stock-view.ts';
import type { StockSnapshot } from '../../stock/stock-list.ts';
import { useKept, useStock, useStockFacts, useStockList } from '../../stock/stock-provider.tsx';
import type { StockStore } from '../../stock/stock-store.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { AdjustManyDialog } from './adjust/adjust-many-dialog.tsx';
import { selectionOf } from './change/bulk-api.ts';
import { ChangeManyDialog } from './change/change-many-dialog.tsx';
import { useNoteChange } from './change/use-note-change.ts';
import { useEdits } from './edit/use-edits.ts';
import { OutputMenu } from './output/output-menu.tsx';
import { PrintedStock } from './output/printed-stock.tsx';
import { StockEmpty } from './stock-empty.tsx';
import styles from './stock-page.module.css';
import { StockTable } from './table/stock-table.tsx';
import { useSelection } from './table/use-selection.ts';
import { StockToolbar } from './toolbar/stock-toolbar.tsx';
import { useStockQuery } from './use-stock-query.ts';

export default function StockPage() {
  const { app, stock, shared } = useTexts();
  const format = useFormat();
  const toast = useToast();
  const mayEdit = useMay('staff');
  const add = useAddPet(app.pages.stock);
  const isOffline = useLiveStatus().state === 'offline';
  const [query, setQuery] = useStockQuery();
  const { store, reload } = useStock();
  const { list, snapshot } = useStockList('stock');
  const isPhone = useMediaQuery('(max-width: 640px)', false, { getInitialValueInEffect: false });
  const gridRef = useRef<HTMLDivElement>(null);
  const [adjusting, setAdjusting] = useState<readonly string[]>();
  const [changing, setChanging] = useState<readonly string[]>();
  const noteChange = useNoteChange();
  const { book, edits, details } = useEdits();
  const result = useResultQuery(query);
  /** Filters in the event, so that the page is drawn one time with the new query and its rows. */
  const changeQuery = (changes: Partial<StockQuery>) => {
    list.setQuery(resultQuery({ ...query, ...changes }), format.compare);
    setQuery(changes);
  };
  useEffect(() => list.setQuery(result, format.compare), [list, result, format]);
  const keptAddress = useKept('stock-address', () => ({ current: '' }));
  const search = useSearch();
  useEffect(() => {
    keptAddress.current = search;
  }, [keptAddress, search]);
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

  const isEmpty = shown.length === 0;
  const isLoading = isEmpty && !isComplete && error === undefined;
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
        onChange={changeQuery}
        categories={categories}
        count={stock.shown(format.quantity(shown.length), format.quantity(total))}
        onEnter={focusGrid}
      />
      {isComplete && query.category !== undefined && !categories.includes(query.category) && (
        <div className={styles.moved} role="status">
          {app.views.missingCategory(query.category)}
        </div>
      )}
      {moved > 0 && (
        <div className={styles.moved} role="status">
          {stock.reordered(format.count(moved))}
          <Button size="compact-sm" variant="default" onClick={() => list.sortAgain()}>
            {stock.reorder}
          </Button>
        </div>
      )}
      {error !== undefined && store.rows.length === 0 ? (
        <ErrorState error={error} onRetry={reload} />
      ) : isEmpty && !isComplete ? (
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
        onChange={() => setChanging([...selection.petIds])}
        onClear={selection.clear}
      />
      {adjusting && (
        <AdjustManyDialog
          petIds={adjusting}
          store={store}
          book={book}
          onClose={() => setAdjusting(undefined)}
          onApplied={(applied, left, undo) => {
            setAdjusting(undefined);
            selection.only(left);
            const count = shared.pets(format.count(applied));
            toast.show({
              message: stock.applied(count),
              undo: () => book.run(undo.petIds, () => undo.run()),
            });
          }}
        />
      )}
      {changing && (
        <ChangeManyDialog
          selection={selectionOf(changing, shown.length, query)}
          count={changing.length}
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

const resultQuery = ({ hidden: _shown, ...query }: StockQuery): StockQuery => query;

/** The query without the columns, which change no row. */
function useResultQuery(query: StockQuery): StockQuery {
  const text = JSON.stringify(resultQuery(query));
  return useMemo(() => JSON.parse(text) as StockQuery, [text]);
}

const ROWS = Array.from({ length: 16 }, (_, row) => `row-${row}`);

/** The shape of the table while the first rows load. */
function TableSkeleton() {
  const { loading } = useTexts().app.states;
  return (
    <div className={styles.table} aria-busy="true">
      <span className="visually-hidden" role="status">
        {loading}
      </span>
      {ROWS.map((key) => (
        <div key={key} className={styles.row}>
          <Skeleton height={12} width={48} />
          <Skeleton height={12} className={styles.wide} />
          <Skeleton height={12} width={96} />
          <Skeleton height={12} width={64} />
        </div>
      ))}
    </div>
  );
}

interface Props {
  readonly count: number;
  /** Selected pets that the filters leave out. */
  readonly hidden: number;
  /** The units of the selected pets. */
  readonly units: number;
  readonly mayEdit: boolean;
  readonly onAdjust: () => void;
  readonly onChange: () => void;
  readonly onClear: () => void;
}

function SelectionBar({ count, hidden, units, mayEdit, onAdjust, onChange, onClear }: Props) {
  const { app, labels, stock } = useTexts();
  const format = useFormat();
  if (count === 0) return null;
  return (
    <section className={styles.bar} aria-label={stock.selected(format.quantity(count))}>
      <strong className="number">{stock.selected(format.quantity(count))}</strong>
      {hidden > 0 && <span className={styles.hidden}>{stock.notShown(format.quantity(hidden))}</span>}
      <span className={`${styles.units} number`}>{stock.units(format.quantity(units))}</span>
      <Button
        size="sm"
        disabled={!mayEdit}
        title={mayEdit ? undefined : app.states.needsRole(app.roles.staff)}
        leftSection={<IconAdjustmentsHorizontal size={16} stroke={1.75} />}
        rightSection={<KeyCaps keys="e" />}
        onClick={onAdjust}
      >
        {stock.adjust}
      </Button>
      <Button size="sm" variant="default" component={Link} href="/labels">
        {labels.action}
      </Button>
      <Button
        size="sm"
        variant="default"
        disabled={!mayEdit}
        title={mayEdit ? undefined : app.states.needsRole(app.roles.staff)}
        onClick={onChange}
      >
        {stock.many.open}
      </Button>
      <Button size="sm" variant="default" onClick={onClear} rightSection={<KeyCaps keys="Escape" />}>
        {app.actions.clear}
      </Button>
    </section>
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
