import { CloseButton, Select, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { LIMITS, ORDER_STATUSES } from '../../../api/schemas.ts';
import { PetSelect } from '../../../components/pet-select.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import styles from '../orders.module.css';
import { ADDRESS_FILTERS, addressOf, type FilterChanges, SINCE, type UrlFilters } from '../url-filters.ts';
import { useOrderCount } from '../use-orders.ts';

const MANY = 100;

interface Props {
  readonly filters: UrlFilters;
  readonly petName: string | undefined;
  readonly onChange: (changes: FilterChanges) => void;
}

/** The status as tabs, and the other filters, all of them in the address. */
export function OrderFilterBar({ filters, petName, onChange }: Props) {
  const { orders } = useTexts();
  const isFiltered = ADDRESS_FILTERS.some((name) => name !== 'status' && filters[name] !== undefined);
  return (
    <div className={styles.filters}>
      <StatusTabs filters={filters} />
      <search className={styles.fields} aria-label={orders.filters}>
        {filters.petId === undefined ? (
          <PetSelect
            label={orders.petFilter}
            placeholder={orders.petFilter}
            isLabelHidden
            onPick={({ petId }) => onChange({ petId })}
          />
        ) : (
          <Chip
            label={orders.petFilter}
            value={petName ?? filters.petId}
            onClear={() => onChange({ petId: undefined })}
          />
        )}
        {filters.ref === undefined ? (
          <ReferenceField onSearch={(ref) => onChange({ ref })} />
        ) : (
          <Chip
            label={orders.referenceFilter}
            value={filters.ref}
            onClear={() => onChange({ ref: undefined })}
          />
        )}
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
        {filters.expiring !== undefined && (
          <Chip
            label={orders.columns.expires}
            value={orders.expiringSoon}
            onClear={() => onChange({ expiring: undefined })}
          />
        )}
        {isFiltered && (
          <button
            type="button"
            className={styles.clear}
            onClick={() =>
              onChange({ petId: undefined, ref: undefined, since: undefined, expiring: undefined })
            }
          >
            {orders.clearFilters}
          </button>
        )}
      </search>
    </div>
  );
}

function StatusTabs({ filters }: Pick<Props, 'filters'>) {
  const { orders, shared } = useTexts();
  const counts = { placed: useOrderCount('placed'), approved: useOrderCount('approved') };
  return (
    <nav className={styles.tabs} aria-label={orders.statuses}>
      {[undefined, ...ORDER_STATUSES].map((status) => {
        const count = status === 'placed' || status === 'approved' ? counts[status] : undefined;
        return (
          <Link
            key={status ?? 'all'}
            href={addressOf('/orders', { ...filters, status })}
            className={styles.tab}
            aria-current={filters.status === status ? 'page' : undefined}
          >
            {status === undefined ? orders.all : shared.order[status]}
            {count !== undefined && count > 0 && (
              <span className={`${styles.count} number`}>{count >= MANY ? `${MANY - 1}+` : count}</span>
            )}
          </Link>
        );
      })}
    </nav>
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
        maxLength={LIMITS.reference}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </form>
  );
}

function Chip({ label, value, onClear }: { label: string; value: string; onClear: () => void }) {
  const { orders, stock } = useTexts();
  return (
    <span className={styles.chip}>
      <span className={styles.chipText}>{orders.filterChip(label, value)}</span>
      <CloseButton
        size="sm"
        onClick={onClear}
        attributes={{ root: { 'aria-label': stock.removeFilter(label) } }}
      />
    </span>
  );
}
