import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { isApiError } from '../../api/api-error.ts';
import type { Reorder, ReorderChanges } from '../../api/schemas.ts';
import { RefusedForm } from '../../components/dialogs/use-submit.ts';
import { REORDERS_KEY, useOrderedText } from '../../components/reorder.ts';
import { PartlyUndone } from '../../components/toast/partly-undone.ts';
import { readAgain } from '../../live/read-again.ts';
import { useSession } from '../../session/session-context.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { readReorder, updateReorder } from './reorders-api.ts';

/**
 * Changes what is ordered of a pet, as the person saw it. What somebody else has ordered meanwhile, or what has arrived, is
 * named first; the next change replaces it.
 * @returns A function that throws ApiError or RefusedForm.
 */
export function useReorderChange() {
  const { reorders, shared } = useTexts();
  const orderedText = useOrderedText();
  const queries = useQueryClient();
  const { keyId } = useSession();
  /** By petId, where it is newer than the row. */
  const seen = useRef(new Map<string, Reorder>());
  return async function change(row: Reorder, changes: ReorderChanges): Promise<Reorder> {
    const before = seen.current.get(row.petId) ?? row;
    try {
      const changed = await updateReorder(before, changes);
      seen.current.set(row.petId, changed);
      return changed;
    } catch (error) {
      if (!isApiError(error, 'precondition_failed')) throw error;
    }
    const now = await readReorder(row.petId);
    seen.current.set(row.petId, now);
    const members = Object.keys(changes) as (keyof ReorderChanges)[];
    // Units that somebody else has ordered are another order, also if they are as many.
    const isAsSent = !changes.ordered || now.orderedBy?.keyId === keyId;
    // An earlier attempt, whose answer was lost, may have made the change.
    if (isAsSent && members.every((member) => now[member] === changes[member])) return now;
    void readAgain(queries, [REORDERS_KEY]);
    const setsSupplier = members.every((member) => member === 'supplier');
    if (setsSupplier && now.supplier === before.supplier) return change(row, changes);
    const state = `${orderedText(now) ?? reorders.nothing} · ${now.supplier ?? reorders.noSupplier}`;
    throw new RefusedForm(reorders.changedMeanwhile(now.name ?? shared.unnamed(now.petId), state));
  };
}

/** Takes changes back, one after the other, those after a failure too. @throws ApiError or PartlyUndone */
export async function undoEach<T>(
  changed: readonly T[],
  onReload: () => Promise<unknown>,
  undo: (one: T, index: number) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const [i, one] of changed.entries())
    await undo(one, i).catch((error: unknown) => failures.push(error));
  await onReload();
  if (failures.length === 0) return;
  const done = changed.length - failures.length;
  throw done === 0 ? failures[0] : new PartlyUndone(done, failures.length, failures[0]);
}

/** Sets reorders back to what they were before a change, unless somebody has changed them since. @throws ApiError */
export const undoReorders = (
  changed: readonly Reorder[],
  onReload: () => Promise<unknown>,
  changesOf: (one: Reorder, index: number) => ReorderChanges,
): Promise<void> => undoEach(changed, onReload, (one, i) => updateReorder(one, changesOf(one, i)));
