import { Select } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ManagedPet } from '../api/schemas.ts';
import { IconSearch } from '../icons/icons.tsx';
import { useFormat, useTexts } from '../texts/texts-context.tsx';
import styles from './pet-select.module.css';
import { bestFirst, findPets } from './pets/find-pets.ts';

interface Props {
  readonly label: string;
  readonly placeholder: string;
  readonly onPick: (pet: ManagedPet) => void;
  /** Pets that are not offered. */
  readonly without?: readonly string[];
  readonly isLabelHidden?: boolean;
  readonly isFocused?: boolean;
  /** Marks it as a search among other fields. */
  readonly isSearch?: boolean;
}

const SHOWN = 8;

/** Finds a pet by name or id, as the person types; the service searches. Picking one empties the field. */
export function PetSelect({
  label,
  placeholder,
  onPick,
  without = [],
  isLabelHidden,
  isFocused,
  isSearch,
}: Props) {
  const { shared, app, orders } = useTexts();
  const format = useFormat();
  const [words, setWords] = useState('');
  const { data: pets = [], isFetching } = useQuery({
    queryKey: ['pet-select', words],
    queryFn: async ({ signal }) => bestFirst(await findPets(words, signal), words),
    placeholderData: keepPreviousData,
    enabled: words.trim() !== '',
  });
  const offered =
    words.trim() === '' ? [] : pets.filter(({ petId }) => !without.includes(petId)).slice(0, SHOWN);
  const byId = new Map(offered.map((pet) => [pet.petId, pet]));
  const isChosen = useRef(false);
  const pick = (pet: ManagedPet | undefined) => {
    if (!pet) return;
    setWords('');
    onPick(pet);
  };
  return (
    <Select
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      placeholder={placeholder}
      leftSection={isSearch && <IconSearch size={16} stroke={1.75} />}
      searchable
      value={null}
      searchValue={words}
      onSearchChange={setWords}
      onChange={(petId) => {
        if (!isChosen.current) pick(petId === null ? undefined : byId.get(petId));
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        // Enter in this field never sends the form around it.
        event.preventDefault();
        // Options that arrive after the last key have no active one yet. The attribute keeps that of the last search.
        const active = document.getElementById(
          event.currentTarget.getAttribute('aria-activedescendant') ?? '',
        );
        if (active?.hasAttribute('data-combobox-selected')) return;
        // The select would then choose the place that was active in the last search.
        isChosen.current = true;
        queueMicrotask(() => {
          isChosen.current = false;
        });
        pick(offered[0]);
      }}
      selectFirstOptionOnChange
      data={offered.map(({ petId, name }) => ({ value: petId, label: name ?? shared.unnamed(petId) }))}
      filter={({ options }) => options}
      {...(words.trim() !== '' && !isFetching && { nothingFoundMessage: app.search.empty })}
      // Without the arrow of a select, so that the placeholder has its room.
      rightSection={<span />}
      rightSectionWidth={12}
      renderOption={({ option }) => {
        const pet = byId.get(option.value);
        return (
          <span className={styles.option}>
            <span className={styles.name}>{option.label}</span>
            <span className={`${styles.id} number`}>{option.value}</span>
            <span className={`${styles.available} number`}>
              {orders.form.available(format.quantity(pet?.available ?? 0))}
            </span>
          </span>
        );
      }}
      {...(isFocused && { 'data-autofocus': true })}
    />
  );
}
