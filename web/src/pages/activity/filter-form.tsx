import { Button, Select, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTexts } from '../../texts/texts-context.tsx';
import styles from './activity.module.css';
import { type ActivityFilter, FILTER_FIELDS, isFilterValue } from './activity-filter.ts';
import type { Author } from './use-authors.ts';

interface Props {
  readonly filter: ActivityFilter;
  readonly authors: readonly Author[];
  readonly onApply: (filter: ActivityFilter) => void;
}

const optionsOf = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

/** All filters together. */
export function FilterForm({ filter, authors, onApply }: Props) {
  const { activity, movements, shared } = useTexts();
  const [problem, setProblem] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    event.stopPropagation();
    const data = new FormData(event.currentTarget);
    const chosen = FILTER_FIELDS.map((field) => [field, String(data.get(field) ?? '').trim()] as const);
    const isInvalid = chosen.some(([field, value]) => value !== '' && !isFilterValue(field, value));
    setProblem(isInvalid);
    if (!isInvalid) onApply(Object.fromEntries(chosen.filter(([, value]) => value !== '')));
  };
  const select = (name: 'kind' | 'reason' | 'actor', any: string, data: readonly Author[]) => (
    <Select
      name={name}
      label={activity.fields[name]}
      placeholder={any}
      data={[...data]}
      defaultValue={filter[name] ?? null}
      clearable
      clearButtonProps={{ 'aria-label': activity.remove(activity.fields[name]) }}
    />
  );
  return (
    <form onSubmit={submit} className={styles.form} noValidate>
      <TextInput
        name="petId"
        label={activity.petId}
        defaultValue={filter.petId}
        inputMode="numeric"
        autoComplete="off"
        error={problem && activity.invalidPet}
        data-autofocus
      />
      {select('kind', activity.anyKind, optionsOf(movements.kind))}
      {select('reason', activity.anyReason, optionsOf(shared.reason))}
      {select('actor', activity.anyAuthor, authors)}
      <div className={styles.pair}>
        <TextInput type="date" name="since" label={activity.from} defaultValue={filter.since} />
        <TextInput type="date" name="until" label={activity.until} defaultValue={filter.until} />
      </div>
      <Button type="submit">{activity.apply}</Button>
    </form>
  );
}
