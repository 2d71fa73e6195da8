import { MAX_PAGE_ITEMS } from '@petstore-inventory/shared/limits';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../../api/client.ts';
import type { ActivityEntry, Movement } from '../../api/schemas.ts';
import { isEdit, loggedEdits } from './movement-facts.ts';

/** Edits of others arrive in bursts, such as those of a file. */
const AFTER_EDIT_MS = 1_000;
const NO_ENTRIES: readonly ActivityEntry[] = [];

/**
 * The edits among movements, newest first, that have a line in the activity log, by sequence. Files of the command line, and
 * changes of many pets that an earlier release made, record the same movements without a line for each pet.
 */
export function useLoggedEdits(movements: readonly Movement[]): ReadonlySet<number> {
  const edits = useMemo(() => movements.filter(isEdit), [movements]);
  const [oldest, newest] = [edits.at(-1), edits[0]];
  const petId = edits.every((edit) => edit.petId === newest?.petId) ? newest?.petId : undefined;
  const [range] = useDebouncedValue(`${newest?.sequence} ${oldest?.recordedAt} ${petId}`, AFTER_EDIT_MS, {
    leading: true,
  });
  const { data = NO_ENTRIES } = useQuery({
    queryKey: ['activity', 'edits', range],
    queryFn: ({ signal }) => {
      const query = {
        action: 'pets.update',
        target: petId,
        since: oldest?.recordedAt,
        limit: MAX_PAGE_ITEMS,
      };
      return api<readonly ActivityEntry[]>('GET', '/activity', { query, signal });
    },
    enabled: oldest !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  return useMemo(() => loggedEdits(edits, data), [edits, data]);
}
