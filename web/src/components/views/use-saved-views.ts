import { useQuery, useQueryClient } from '@tanstack/react-query';
import { isApiError } from '../../api/api-error.ts';
import { type Answer, send } from '../../api/client.ts';
import type { SavedView, SavedViews } from '../../api/schemas.ts';
import { KEPT_VIEWS } from '../../storage/kept-views.ts';
import { browserStorage, keepChoice } from '../../storage/browser-storage.ts';

const KEY = ['saved-views'];
const PATH = '/saved-views';
/** After so many changes by other browsers in between, the change is refused. */
const MAX_ATTEMPTS = 3;

interface Known {
  readonly views: readonly SavedView[];
  /** `undefined` of views that the browser kept: they cannot be replaced. */
  readonly tag: string | undefined;
}

/** Another browser changed, or deleted, the view that is changed here. */
export class ViewConflict extends Error {
  /** `undefined`: it is deleted. */
  readonly theirs: SavedView | undefined;

  constructor(theirs: SavedView | undefined) {
    super('Another browser changed the view.');
    this.theirs = theirs;
  }
}

type ViewName = Pick<SavedView, 'list' | 'name'>;
type Change = (views: readonly SavedView[]) => readonly SavedView[];

/** The saved views of the person, and what changes them. */
export function useSavedViews() {
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => known(await send<SavedViews>('GET', PATH, { signal })),
    placeholderData: keptViews,
  });
  const read = async () => known(await send<SavedViews>('GET', PATH));
  /**
   * Changes the views as this page has them. What another browser did to other views stays.
   * @param about The view that the person sees and changes. @throws ApiError, ViewConflict
   */
  const save = async (change: Change, about?: ViewName) => {
    // What shows now: the page may have read the views again since the person began.
    const shown = queries.getQueryData<Known>(KEY) ?? data;
    const seen = shown?.views ?? [];
    let before = shown?.tag === undefined ? await read() : shown;
    for (let attempt = 1; ; attempt += 1) {
      const theirs = viewIn(before.views, about);
      if (JSON.stringify(theirs) !== JSON.stringify(viewIn(seen, about))) {
        queries.setQueryData(KEY, before);
        throw new ViewConflict(theirs);
      }
      try {
        const body = { views: change(before.views) };
        const answer = await send<SavedViews>('PUT', PATH, { body, ifMatch: before.tag });
        return void queries.setQueryData(KEY, known(answer));
      } catch (error) {
        if (!isApiError(error, 'precondition_failed') || attempt === MAX_ATTEMPTS) throw error;
        before = await read();
      }
    }
  };
  return { views: data?.views, save };
}

const viewIn = (views: readonly SavedView[], about: ViewName | undefined): SavedView | undefined =>
  about && views.find(({ list, name }) => list === about.list && name === about.name);

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
