import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { isApiError } from '../../api/api-error.ts';
import type { Reorder, ReorderChanges } from '../../api/schemas.ts';
import { RefusedForm } from '../../components/dialogs/use-submit.ts';
import { REORDERS_KEY, useOrderedText } from '../../components/reorder.ts';
import { readAgain } from '../../live/read-again.ts';
import { useSession } from '../../session/session-context.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { readReorder, updateReorder } from './reorders-api.ts';

/**
 * Changes what is ordered of a pet, as the person saw it. What somebody else has ordered meanwhile, or what has arrived, is
 * named first; the next change replaces it. The function throws ApiError or RefusedForm.
 */
export function useReorderChange(row: Reorder): (changes: ReorderChanges) => Promise<Reorder> {
  const { reorders, shared } = useTexts();
  const orderedText = useOrderedText();
  const queries = useQueryClient();
  const { keyId } = useSession();
  const seen = useRef(row);

  return async (changes) => {
    try {
      seen.current = await updateReorder(seen.current, changes);
      return seen.current;
    } catch (error) {
      if (!isApiError(error, 'precondition_failed')) throw error;
    }
    const now = await readReorder(row.petId);
    seen.current = now;
    const members = Object.keys(changes) as (keyof ReorderChanges)[];
    // Units that somebody else has ordered are another order, also if they are as many.
    const isAsSent = !changes.ordered || now.orderedBy?.keyId === keyId;
    // An earlier attempt, whose answer was lost, may have made the change.
    if (isAsSent && members.every((member) => now[member] === changes[member])) return now;
    void readAgain(queries, [REORDERS_KEY]);
    const state = `${orderedText(now) ?? reorders.nothing} · ${now.supplier ?? reorders.noSupplier}`;
    throw new RefusedForm(reorders.changedMeanwhile(now.name ?? shared.unnamed(now.petId), state));
  };
}
