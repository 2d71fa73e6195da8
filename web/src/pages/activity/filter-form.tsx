import { Button, Select, TextInput } from '@mantine/core';
import { type FormEvent, useRef } from 'react';
import { serviceNow } from '../../api/service-clock.ts';
import { calendarDay } from '../../components/day-start.ts';
import { PetSelect } from '../../components/pet-select.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import styles from './activity.module.css';
import { type ActivityFilter, FILTER_FIELDS, isFilterValue } from './activity-filter.ts';
import type { Author } from './use-authors.ts';

interface Props {
  readonly filter: ActivityFilter;
  readonly authors: readonly Author[];
  readonly petName: string | undefined;
  readonly onApply: (filter: ActivityFilter) => void;
}

const optionsOf = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

/** All filters together. A pet and a day apply immediately, because most searches need nothing else. */
export function FilterForm({ filter, authors, petName, onApply }: Props) {
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
  const select = (name: 'kind' | 'reason' | 'actor', any: string, data: readonly Author[]) => (
    <Select
      name={name}
      label={activity.fields[name]}
      placeholder={any}
      data={[...data]}
      defaultValue={filter[name] ?? null}
      clearable
      clearButtonProps={{ 'aria-label': app.filters.remove(activity.fields[name]) }}
    />
  );
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
      {select('actor', activity.anyAuthor, authors)}
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
