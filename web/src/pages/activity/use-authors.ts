import { useQuery } from '@tanstack/react-query';
import { readPage } from '../../api/pages.ts';
import type { AdminKey, Key } from '../../api/schemas.ts';
import { useTexts } from '../../texts/texts-context.tsx';

export interface Author {
  readonly value: string;
  readonly label: string;
}

/** Keys that are offered; a filter for another one can be a part of the address. */
const MAX_KEYS = 500;

/** Who can have made a change: management keys, keys of accounts, the operator and the service. */
export function useAuthors(): readonly Author[] {
  const { movements } = useTexts();
  const { data = [] } = useQuery({
    queryKey: ['authors'],
    queryFn: async ({ signal }) => {
      const query = { limit: MAX_KEYS };
      const [people, clients] = await Promise.all([
        readPage<AdminKey>('/admin-keys', query, signal),
        readPage<Key>('/keys', query, signal),
      ]);
      return [...people.items, ...clients.items].map(({ id, name, hint }) => ({
        value: id,
        label: name === '' ? hint : name,
      }));
    },
    staleTime: 60_000,
  });
  return [
    ...distinctLabels(data),
    { value: 'cli', label: movements.operator },
    { value: 'service', label: movements.service },
  ];
}

/** Keys may share a name: then the end of the id distinguishes them. */
function distinctLabels(authors: readonly Author[]): readonly Author[] {
  const counts = new Map<string, number>();
  for (const { label } of authors) counts.set(label, (counts.get(label) ?? 0) + 1);
  return authors.map(({ value, label }) => ({
    value,
    label: counts.get(label) === 1 ? label : `${label} (…${value.slice(-4)})`,
  }));
}
