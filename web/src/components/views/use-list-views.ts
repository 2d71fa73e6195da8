import { MAX_SAVED_VIEWS } from '@petstore-inventory/shared/limits';
import type { ViewList } from '@petstore-inventory/shared/words';
import { useState } from 'react';
import type { SavedView } from '../../api/schemas.ts';
import { useToast } from '../toast/toast-provider.tsx';
import { useSavedViews, ViewConflict } from './use-saved-views.ts';

/** A change of a view that another browser has changed, too. */
interface Conflict {
  readonly name: string;
  /** The view as the other browser left it; `undefined`: it is deleted. */
  readonly theirs: SavedView | undefined;
  /** Makes the change on top of that. */
  again(): Promise<void>;
}

/** What a view becomes; of a deleted one, nothing. */
type Next = (view: SavedView) => readonly SavedView[];

/** The saved views of a list, and what changes them. */
export function useListViews(list: ViewList) {
  const toast = useToast();
  const { views: all, save: saveAll } = useSavedViews();
  const [conflict, setConflict] = useState<Conflict>();
  const save: typeof saveAll = (change, about) =>
    saveAll((before) => withOneDefault(before, change(before), list), about);
  const add = async (view: Omit<SavedView, 'list'>, message: string) => {
    await save((before) => [...before, { ...view, list }]);
    toast.show({ message });
  };
  const change = async (view: SavedView, next: Next, message: string) => {
    try {
      await save((views) => changed(views, view, next), view);
      toast.show({ message });
    } catch (error) {
      if (!(error instanceof ViewConflict)) throw error;
      const { theirs } = error;
      setConflict({ name: view.name, theirs, again: () => change(theirs ?? view, next, message) });
    }
  };
  return {
    views: all?.filter((view) => view.list === list) ?? [],
    isFull: (all?.length ?? 0) >= MAX_SAVED_VIEWS,
    add,
    change,
    conflict,
    endConflict: () => setConflict(undefined),
  };
}

/** One view per list is the default: the one that was made so last. */
function withOneDefault(
  before: readonly SavedView[],
  after: readonly SavedView[],
  list: ViewList,
): readonly SavedView[] {
  const chosen = after.find((view) => view.isDefault && view.list === list && !before.includes(view));
  if (!chosen) return after;
  return after.map((view) => (view.list === list && view !== chosen ? { ...view, isDefault: false } : view));
}

/** A view that another browser deleted is changed, too: it comes back, but not as the default. */
function changed(views: readonly SavedView[], view: SavedView, next: Next): readonly SavedView[] {
  const isIt = ({ list, name }: SavedView) => list === view.list && name === view.name;
  if (!views.some(isIt)) return [...views, ...next({ ...view, isDefault: false })];
  return views.flatMap((other) => (isIt(other) ? next(other) : [other]));
}
