import { useDebouncedValue } from '@mantine/hooks';
import { MAX_NAME } from '@petstore-inventory/shared/limits';
import { useMemo, useState } from 'react';
import {
  useApiKeys,
  useFoundApiKeys,
  useFoundManagementKeys,
  useManagementKeys,
} from '../../components/accounts/use-keys.ts';
import { SEARCH_DELAY_MS } from '../../components/records/use-records.ts';
import { useTexts } from '../../texts/texts-context.tsx';

export interface Author {
  readonly value: string;
  readonly label: string;
}

/**
 * Who can have made a change: management keys, keys of accounts, the operator and the service. Of many keys the first ones are
 * read, and those that the service finds.
 * @param isNeeded Whether the keys are read.
 * @param chosen The author whose name is needed.
 */
export function useAuthors(isNeeded: boolean, chosen: string | undefined) {
  const { movements } = useTexts();
  const options = { isEnabled: isNeeded, ownPages: 1 };
  const { records: people, isWhole: hasPeople } = useManagementKeys(options);
  const { records: clients, isWhole: hasClients } = useApiKeys(options);
  const [typed, search] = useState('');
  const [words] = useDebouncedValue(typed.trim(), SEARCH_DELAY_MS);
  const isKnown = [...(people ?? []), ...(clients ?? [])].some(({ id }) => id === chosen);
  const wanted = words === '' && !isKnown && chosen?.startsWith('key_') ? chosen : words;
  const asked = isNeeded && wanted !== '' && wanted.length <= MAX_NAME ? wanted : undefined;
  const { records: foundPeople } = useFoundManagementKeys(people && !hasPeople ? asked : undefined);
  const { records: foundClients } = useFoundApiKeys(clients && !hasClients ? asked : undefined);
  const keys = useMemo(() => {
    const found = [...(people ?? []), ...(foundPeople ?? []), ...(clients ?? []), ...(foundClients ?? [])];
    return distinctLabels(found);
  }, [people, foundPeople, clients, foundClients]);
  return {
    authors: [
      ...keys,
      { value: 'cli', label: movements.operator },
      { value: 'service', label: movements.service },
    ],
    search,
  };
}

interface NamedKey {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
}

/** Each key once. Keys may share a name: then the end of the id distinguishes them. */
function distinctLabels(keys: readonly NamedKey[]): readonly Author[] {
  const known = new Map(keys.map(({ id, name, hint }) => [id, name === '' ? hint : name]));
  const authors = [...known].map(([value, label]) => ({ value, label }));
  const counts = new Map<string, number>();
  for (const { label } of authors) counts.set(label, (counts.get(label) ?? 0) + 1);
  return authors.map(({ value, label }) => ({
    value,
    label: counts.get(label) === 1 ? label : `${label} (…${value.slice(-4)})`,
  }));
}
