import { ActionIcon, Button, Menu, TextInput } from '@mantine/core';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { chooseDensity, useDensity, useIsPhone } from '../../../components/density.ts';
import { FilterBar, type SetFilter } from '../../../components/filters/filter-bar.tsx';
import { ColumnMenu } from '../../../components/records/column-menu.tsx';
import { KeyCaps } from '../../../components/hotkeys/key-caps.tsx';
import {
  IconBaselineDensityMedium,
  IconBaselineDensitySmall,
  IconFilter,
  IconSearch,
} from '../../../icons/icons.tsx';
import { HIDEABLE, type StockQuery } from '../../../stock/stock-view.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { SavedViewsMenu } from '../../../components/views/saved-views-menu.tsx';
import { addressQueryOf, queryOfAddress } from '../use-stock-query.ts';
import { FilterMenu } from './filter-menu.tsx';
import styles from './stock-toolbar.module.css';

interface Props {
  readonly query: StockQuery;
  readonly onChange: (changes: Partial<StockQuery>) => void;
  readonly categories: readonly string[];
  /** The count of pets, such as "37 of 1,204". */
  readonly count: string;
  /** Goes from the search into the table. */
  readonly onEnter: () => void;
}

export const NO_FILTERS = {
  status: undefined,
  category: undefined,
  supplier: undefined,
  alert: undefined,
  isArchived: false,
} as const;

/** Search, filters as chips, and the number of rows. */
export function StockToolbar({ query, onChange, categories, count, onEnter }: Props) {
  const { app, shared } = useTexts();
  const filters = useFilters(query, onChange);
  return (
    <div className={styles.toolbar} role="search">
      <SearchField words={query.words} onChange={(words) => onChange({ words })} onEnter={onEnter} />
      <FilterBar filters={filters} onClear={filters.length > 1 ? () => onChange(NO_FILTERS) : undefined}>
        <Menu position="bottom-start" withinPortal={false} width={240}>
          <Menu.Target>
            <Button variant="default" leftSection={<IconFilter size={16} stroke={1.75} />}>
              {app.filters.add}
            </Button>
          </Menu.Target>
          <FilterMenu query={query} onChange={onChange} categories={categories} />
        </Menu>
        <SavedViewsMenu
          list="stock"
          query={addressQueryOf(query)}
          onOpen={(text) => onChange(queryOfAddress(text))}
        />
      </FilterBar>
      <div className={styles.end}>
        <span className={`${styles.count} number`} role="status">
          {count}
        </span>
        <ColumnMenu
          columns={HIDEABLE}
          names={shared.fields}
          hidden={query.hidden ?? []}
          onChange={(hidden) => onChange({ hidden })}
        />
        <DensitySwitch label={app.density.label} />
      </div>
    </div>
  );
}

/** Answers each key immediately; the address follows. */
function SearchField({
  words,
  onChange,
  onEnter,
}: {
  words: string;
  onChange: (words: string) => void;
  onEnter: () => void;
}) {
  const { stock } = useTexts();
  const isPhone = useIsPhone();
  const [text, setText] = useState(words);
  // The words of the address also change by Back, and when filters are cleared.
  useEffect(() => setText(words), [words]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      if (text === '') onEnter();
      setText('');
      onChange('');
    }
    if (event.key === 'Enter' || event.key === 'ArrowDown') {
      event.preventDefault();
      onEnter();
    }
  };
  return (
    <TextInput
      type="search"
      className={styles.search}
      aria-label={stock.search}
      placeholder={stock.search}
      leftSection={<IconSearch size={16} stroke={1.75} />}
      rightSection={text === '' && !isPhone && <KeyCaps keys="/" />}
      value={text}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => {
        setText(event.currentTarget.value);
        onChange(event.currentTarget.value);
      }}
      onKeyDown={onKeyDown}
    />
  );
}

function DensitySwitch({ label }: { label: string }) {
  const { density: texts } = useTexts().app;
  const density = useDensity();
  const isPhone = useIsPhone();
  useEffect(() => {
    document.documentElement.dataset.density = density;
  }, [density]);
  if (isPhone) return null;
  const next = density === 'dense' ? 'comfortable' : 'dense';
  const Icon = density === 'dense' ? IconBaselineDensityMedium : IconBaselineDensitySmall;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={36}
      aria-label={`${label}: ${texts[next]}`}
      title={`${label}: ${texts[next]}`}
      onClick={() => chooseDensity(next)}
    >
      <Icon size={18} stroke={1.75} />
    </ActionIcon>
  );
}

/** The filters of a query by their names. */
function useFilters(
  { status, category, supplier, alert, isArchived }: StockQuery,
  onChange: Props['onChange'],
): readonly SetFilter[] {
  const { stock, shared, reorders } = useTexts();
  const filters: SetFilter[] = [];
  const add = (field: string, value: string, without: Partial<StockQuery>) =>
    filters.push({ field, value, remove: () => onChange(without) });
  if (status) add(shared.fields.status, shared.status[status], { status: undefined });
  if (category !== undefined) add(shared.fields.category, category, { category: undefined });
  if (supplier !== undefined)
    add(shared.fields.supplier, supplier || reorders.noSupplier, { supplier: undefined });
  if (alert)
    add(shared.fields.alert, alert === 'any' ? stock.alertAny : shared.alert[alert], { alert: undefined });
  if (isArchived) add(stock.archived, stock.archivedOnly, { isArchived: false });
  return filters;
}
