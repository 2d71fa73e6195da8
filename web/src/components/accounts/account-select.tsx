import { Select } from '@mantine/core';
import { useTexts } from '../../texts/texts-context.tsx';
import { useAccounts } from './use-accounts.ts';

/** The list shows this many; the search finds the others. */
const SHOWN = 50;

interface Props {
  readonly value: string | null;
  readonly onChange: (accountId: string | null) => void;
}

/** Chooses an account by its name. */
export function AccountSelect({ value, onChange }: Props) {
  const { keys } = useTexts().access;
  const { records: accounts = [], readAll } = useAccounts();
  return (
    <Select
      label={keys.account}
      searchable
      value={value}
      onChange={onChange}
      onSearchChange={(words) => {
        if (words !== '') readAll();
      }}
      limit={SHOWN}
      data={accounts.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}
