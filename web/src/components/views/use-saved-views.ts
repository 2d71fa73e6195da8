import { useQuery, useQueryClient } from '@tanstack/react-query';
import { isApiError } from '../../api/api-error.ts';
import { type Answer, send } from '../../api/client.ts';
import type { SavedView, SavedViews } from '../../api/schemas.ts';
import { KEPT_VIEWS } from '../../storage/kept-views.ts';
import { browserStorage, keepChoice } from '../../storage/browser-storage.ts';

const KEY = ['saved-views'];
const PATH = '/saved-views';

interface Known {
  readonly views: readonly SavedView[];
  /** `undefined` of views that the browser kept: they cannot be replaced. */
  readonly tag: string | undefined;
}

type Change = (views: readonly SavedView[]) => readonly SavedView[];

/** The saved views of the person, and what changes them. */
export function useSavedViews() {
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => known(await send<SavedViews>('GET', PATH, { signal })),
    placeholderData: keptViews,
  });
  const save = async (change: Change) => {
    const replace = async () => {
      const before = known(await send<SavedViews>('GET', PATH));
      const body = { views: change(before.views) };
      return known(await send<SavedViews>('PUT', PATH, { body, ifMatch: before.tag }));
    };
    try {
      queries.setQueryData(KEY, await replace());
    } catch (error) {
      // Another browser changed them in between: the change is made on top of that one.
      if (!isApiError(error, 'precondition_failed')) throw error;
      queries.setQueryData(KEY, await replace());
    }
  };
  return { views: data?.views, save };
}

function known({ value: { views }, headers }: Answer<SavedViews>): Known {
  keepChoice(KEPT_VIEWS, JSON.stringify(views));
  return { views, tag: headers.get('ETag') ?? undefined };
}

function keptViews(): Known | undefined {
  try {
    const views = JSON.parse(browserStorage.getItem(KEPT_VIEWS) ?? 'null') as readonly SavedView[] | null;
    return views === null ? undefined : { views, tag: undefined };
  } catch {
    return undefined;
  }
}
