import { Button, Select, type SelectProps, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { serviceNow } from '../../api/service-clock.ts';
import { calendarDay } from '../../components/day-start.ts';
import { PetSelect } from '../../components/pet-select.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import styles from './activity.module.css';
import { type ActivityFilter, FILTER_FIELDS, isFilterValue } from './activity-filter.ts';
import type { Author } from './use-authors.ts';

/** The list of the authors shows this many; the search finds the others. */
const SHOWN = 50;

interface Props {
  readonly filter: ActivityFilter;
  readonly authors: readonly Author[];
  /** Called with the words that the person types. */
  readonly onAuthorSearch: (words: string) => void;
  readonly petName: string | undefined;
  readonly onApply: (filter: ActivityFilter) => void;
}

const optionsOf = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

/** All filters together. A pet and a day apply immediately, because most searches need nothing else. */
export function FilterForm({ filter, authors, onAuthorSearch, petName, onApply }: Props) {
  const { activity, app, movements, orders, shared } = useTexts();
  const form = useRef<HTMLFormElement>(null);
  const apply = (changes: ActivityFilter = {}) => {
    const data = new FormData(form.current ?? undefined);
    const fields = FILTER_FIELDS.map((field) => [field, String(data.get(field) ?? '').trim()] as const);
    const chosen = fields.filter(([field, value]) => isFilterValue(field, value));
    onApply({ ...Object.fromEntries(chosen), ...changes });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    event.stopPropagation();
    apply();
  };
  const day = (label: string, daysAgo: number) => {
    const since = calendarDay(serviceNow(), -daysAgo);
    return (
      <Button variant="default" onClick={() => apply({ since, until: since })}>
        {label}
      </Button>
    );
  };
  const select = (name: 'kind' | 'reason', any: string, data: readonly Author[]) => (
    <Select {...selectProps(name, any)} data={[...data]} defaultValue={filter[name] ?? null} />
  );
  const selectProps = (name: 'kind' | 'reason' | 'actor', any: string) => ({
    name,
    label: activity.fields[name],
    placeholder: any,
    clearable: true,
    clearButtonProps: { 'aria-label': app.filters.remove(activity.fields[name]) },
  });
  return (
    <form ref={form} onSubmit={submit} className={styles.form} noValidate>
      <input type="hidden" name="petId" value={filter.petId ?? ''} />
      <PetSelect
        label={activity.fields.petId}
        placeholder={petName ?? orders.form.search}
        onPick={({ petId }) => apply({ petId })}
        isFocused
      />
      {select('kind', activity.anyKind, optionsOf(movements.kind))}
      {select('reason', activity.anyReason, optionsOf(shared.reason))}
      <AuthorSelect
        {...selectProps('actor', activity.anyAuthor)}
        chosen={filter.actor}
        authors={authors}
        onSearch={onAuthorSearch}
      />
      <div className={styles.pair}>
        {day(activity.today, 0)}
        {day(activity.yesterday, 1)}
      </div>
      <div className={styles.pair}>
        <TextInput type="date" name="since" label={activity.from} defaultValue={filter.since} />
        <TextInput type="date" name="until" label={activity.until} defaultValue={filter.until} />
      </div>
      <Button type="submit">{activity.apply}</Button>
    </form>
  );
}

interface AuthorSelectProps extends Omit<SelectProps, 'data'> {
  readonly chosen: string | undefined;
  readonly authors: readonly Author[];
  readonly onSearch: (words: string) => void;
}

/** Chooses an author by name. It holds its value itself: otherwise each author that is read empties what was typed. */
function AuthorSelect({ chosen, authors, onSearch, ...props }: AuthorSelectProps) {
  const [value, setValue] = useState(chosen ?? null);
  const label = useRef<string>(undefined);
  const found = authors.find((author) => author.value === value)?.label;
  // Also while the search has other authors: the input shows it as before.
  if (found !== undefined || value === null) label.current = found;
  return (
    <Select
      {...props}
      data={[...authors]}
      value={value}
      onChange={setValue}
      searchable
      limit={SHOWN}
      // The label of the chosen one is no search: the service does not find the end of an id in it.
      onSearchChange={(words) => onSearch(words === label.current ? '' : words)}
    />
  );
}
