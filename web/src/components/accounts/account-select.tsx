import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { MAX_NAME } from '@petstore-inventory/shared/limits';
import { useState } from 'react';
import { useTexts } from '../../texts/texts-context.tsx';
import { SEARCH_DELAY_MS } from '../records/use-records.ts';
import { useAccounts, useFoundAccounts } from './use-accounts.ts';

/** The list shows this many; the search finds the others. */
const SHOWN = 50;

interface Props {
  readonly value: string | null;
  readonly onChange: (accountId: string | null) => void;
}

/** Chooses an account by its name. */
export function AccountSelect({ value, onChange }: Props) {
  const { keys } = useTexts().access;
  const { records: accounts = [], isWhole } = useAccounts();
  const [words, setWords] = useState('');
  const [asked] = useDebouncedValue(words.trim(), SEARCH_DELAY_MS);
  const isSearched = !isWhole && asked !== '' && asked.length <= MAX_NAME;
  const { records: found = [] } = useFoundAccounts(isSearched ? asked : undefined);
  const names = new Map([...accounts, ...found].map(({ id, name }) => [id, name]));
  return (
    <Select
      label={keys.account}
      searchable
      value={value}
      onChange={onChange}
      onSearchChange={setWords}
      limit={SHOWN}
      data={[...names].map(([id, name]) => ({ value: id, label: name }))}
    />
  );
}
