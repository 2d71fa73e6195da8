import { ActionIcon, Button, Menu, TextInput } from '@mantine/core';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { chooseDensity, useDensity, useIsPhone } from '../../../components/density.ts';
import { FilterChip } from '../../../components/filter-chip.tsx';
import { KeyCaps } from '../../../components/hotkeys/key-caps.tsx';
import {
  IconBaselineDensityMedium,
  IconBaselineDensitySmall,
  IconFilter,
  IconSearch,
} from '../../../icons/icons.tsx';
import type { StockQuery } from '../../../stock/stock-view.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { FilterMenu } from './filter-menu.tsx';
import styles from './stock-toolbar.module.css';

interface Props {
  readonly query: StockQuery;
  readonly onChange: (changes: Partial<StockQuery>) => void;
  readonly categories: readonly string[];
  /** Such as "37 of 1,204". */
  readonly count: string;
  /** Goes from the search into the table. */
  readonly onEnter: () => void;
}

export const NO_FILTERS = {
  status: undefined,
  category: undefined,
  alert: undefined,
  isArchived: false,
} as const;

/** Search, filters as chips, and the number of rows. */
export function StockToolbar({ query, onChange, categories, count, onEnter }: Props) {
  const { stock, app } = useTexts();
  const chips = useChips(query);
  return (
    <div className={styles.toolbar} role="search">
      <SearchField words={query.words} onChange={(words) => onChange({ words })} onEnter={onEnter} />
      <ul className={styles.chips} aria-label={stock.filters}>
        {chips.map(({ field, value, without }) => (
          <li key={field}>
            <FilterChip
              text={stock.filterChip(field, value)}
              removal={stock.removeFilter(field)}
              onRemove={() => onChange(without)}
            />
          </li>
        ))}
        <li>
          <Menu position="bottom-start" withinPortal={false} width={240}>
            <Menu.Target>
              <Button variant="default" size="sm" leftSection={<IconFilter size={16} stroke={1.75} />}>
                {stock.addFilter}
              </Button>
            </Menu.Target>
            <FilterMenu query={query} onChange={onChange} categories={categories} />
          </Menu>
        </li>
        {chips.length > 1 && (
          <li>
            <Button variant="subtle" size="sm" onClick={() => onChange(NO_FILTERS)}>
              {stock.clearFilters}
            </Button>
          </li>
        )}
      </ul>
      <span className={`${styles.count} number`} role="status">
        {count}
      </span>
      <DensitySwitch label={app.density.label} />
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

interface Chip {
  readonly field: string;
  readonly value: string;
  readonly without: Partial<StockQuery>;
}

function useChips({ status, category, alert, isArchived }: StockQuery): readonly Chip[] {
  const { stock, shared } = useTexts();
  const chips: Chip[] = [];
  if (status)
    chips.push({ field: shared.fields.status, value: shared.status[status], without: { status: undefined } });
  if (category !== undefined) {
    chips.push({ field: shared.fields.category, value: category, without: { category: undefined } });
  }
  if (alert) {
    const value = alert === 'any' ? stock.alertAny : shared.alert[alert];
    chips.push({ field: shared.fields.alert, value, without: { alert: undefined } });
  }
  if (isArchived)
    chips.push({ field: stock.archived, value: stock.archivedOnly, without: { isArchived: false } });
  return chips;
}
