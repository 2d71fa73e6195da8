import { ActionIcon, Select, TextInput } from '@mantine/core';
import { MAX_REFERENCE_ID } from '@petstore-inventory/shared/limits';
import { type FormEvent, useState } from 'react';
import { atMost } from '../../../components/at-most.ts';
import type { ListedState } from '../../../components/shown-state.ts';
import { FilterBar } from '../../../components/filters/filter-bar.tsx';
import { PageTabs } from '../../../components/page/page-tabs.tsx';
import { PetSelect } from '../../../components/pet-select.tsx';
import { ColumnMenu } from '../../../components/records/column-menu.tsx';
import { IconChevronRight, IconSearch } from '../../../icons/icons.tsx';
import { SavedViewsMenu } from '../../../components/views/saved-views-menu.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import styles from '../orders.module.css';
import {
  ADDRESS_FILTERS,
  addressOf,
  type FilterChanges,
  filtersOf,
  hiddenOf,
  hideText,
  ofState,
  ORDER_COLUMNS,
  SHOWN_STATES,
  SINCE,
  type UrlFilters,
} from '../url-filters.ts';
import { useOrderCount } from '../use-orders.ts';

const MANY = 100;
/** The filters of the bar: the states have tabs instead. */
const BAR_FILTERS = ADDRESS_FILTERS.filter((name) => name !== 'status' && name !== 'state');
const NO_FILTERS: FilterChanges = Object.fromEntries(BAR_FILTERS.map((name) => [name, undefined]));

interface Props {
  readonly filters: UrlFilters;
  readonly petName: string | undefined;
  readonly onChange: (changes: FilterChanges) => void;
}

/** The states as tabs, and the other filters, all of them in the address. */
export function OrderFilterBar({ filters, petName, onChange }: Props) {
  const { app, orders } = useTexts();
  const chips: readonly (readonly [keyof UrlFilters, string, string | undefined])[] = [
    ['petId', orders.petFilter, petName ?? filters.petId],
    ['ref', orders.referenceFilter, filters.ref],
  ];
  const isFiltered = BAR_FILTERS.some((name) => filters[name] !== undefined);
  return (
    <div className={styles.filters}>
      <StateTabs filters={filters} />
      <FilterBar
        filters={chips.flatMap(([name, field, value]) =>
          filters[name] === undefined || value === undefined
            ? []
            : [{ field, value, remove: () => onChange({ [name]: undefined }) }],
        )}
        onClear={isFiltered ? () => onChange(NO_FILTERS) : undefined}
      >
        <search className={styles.fields} aria-label={app.filters.label}>
          {filters.petId === undefined && (
            <PetSelect
              label={orders.petFilter}
              placeholder={orders.petFilter}
              isLabelHidden
              isSearch
              onPick={({ petId }) => onChange({ petId })}
            />
          )}
          {filters.ref === undefined && <ReferenceField onSearch={(ref) => onChange({ ref })} />}
          <Select
            aria-label={orders.sinceFilter}
            data={[
              { value: '', label: orders.anyTime },
              ...Object.keys(SINCE).map((since) => ({
                value: since,
                label: orders.since[since as keyof typeof SINCE],
              })),
            ]}
            value={filters.since ?? ''}
            onChange={(since) => onChange({ since: since === null || since === '' ? undefined : since })}
            className={styles.since}
          />
          <SavedViewsMenu
            list="orders"
            query={addressOf('', filters).replace('?', '')}
            onOpen={(query) => onChange(filtersOf(new URLSearchParams(query)))}
          />
          <ColumnMenu
            columns={ORDER_COLUMNS}
            names={orders.columns}
            hidden={hiddenOf(filters)}
            onChange={(hidden) => onChange({ hide: hideText(hidden) })}
          />
        </search>
      </FilterBar>
    </div>
  );
}

function StateTabs({ filters }: Pick<Props, 'filters'>) {
  const { orders, shared } = useTexts();
  const counts = { placed: useOrderCount('placed'), approved: useOrderCount('approved') };
  const countOf = (state: ListedState | undefined) => {
    const count = state === 'placed' || state === 'approved' ? (counts[state] ?? 0) : 0;
    return count === 0 ? undefined : count >= MANY ? `${MANY - 1}+` : String(count);
  };
  return (
    <PageTabs
      label={orders.statuses}
      isInset
      current={addressOf('/orders', filters)}
      tabs={[undefined, ...SHOWN_STATES].map((state) => [
        addressOf('/orders', { ...filters, ...ofState(state) }),
        state === undefined ? orders.all : shared.order[state],
        countOf(state),
      ])}
    />
  );
}

function ReferenceField({ onSearch }: { onSearch: (reference: string) => void }) {
  const { orders } = useTexts();
  const [text, setText] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') onSearch(text.trim());
  };
  return (
    <form onSubmit={submit}>
      <TextInput
        type="search"
        aria-label={orders.referenceFilter}
        placeholder={orders.referenceFilter}
        leftSection={<IconSearch size={16} stroke={1.75} />}
        {...atMost(MAX_REFERENCE_ID)}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        // A reference matches only as a whole, so the list waits for its end.
        {...(text.trim() !== '' && {
          rightSection: (
            <ActionIcon
              type="submit"
              variant="subtle"
              aria-label={orders.findReference}
              title={orders.findReference}
            >
              <IconChevronRight size={18} stroke={2} />
            </ActionIcon>
          ),
          rightSectionPointerEvents: 'all',
        })}
      />
    </form>
  );
}
