import { useMemo } from 'react';
import { useApiKeys, useManagementKeys } from '../../components/accounts/use-keys.ts';
import { useTexts } from '../../texts/texts-context.tsx';

export interface Author {
  readonly value: string;
  readonly label: string;
}

/**
 * Who can have made a change: management keys, keys of accounts, the operator and the service.
 * @param isNeeded Whether the keys are read.
 */
export function useAuthors(isNeeded: boolean): { readonly authors: readonly Author[]; readAll: () => void } {
  const { movements } = useTexts();
  const people = useManagementKeys(isNeeded);
  const clients = useApiKeys(isNeeded);
  const keys = useMemo(
    () => distinctLabels([...(people.records ?? []), ...(clients.records ?? [])]),
    [people.records, clients.records],
  );
  return {
    authors: [
      ...keys,
      { value: 'cli', label: movements.operator },
      { value: 'service', label: movements.service },
    ],
    readAll: () => {
      people.readAll();
      clients.readAll();
    },
  };
}

interface NamedKey {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
}

/** Keys may share a name: then the end of the id distinguishes them. */
function distinctLabels(keys: readonly NamedKey[]): readonly Author[] {
  const authors = keys.map(({ id, name, hint }) => ({ value: id, label: name === '' ? hint : name }));
  const counts = new Map<string, number>();
  for (const { label } of authors) counts.set(label, (counts.get(label) ?? 0) + 1);
  return authors.map(({ value, label }) => ({
    value,
    label: counts.get(label) === 1 ? label : `${label} (…${value.slice(-4)})`,
  }));
}
