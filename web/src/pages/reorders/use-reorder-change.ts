import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { isApiError } from '../../api/api-error.ts';
import type { Reorder, ReorderChanges } from '../../api/schemas.ts';
import { RefusedForm } from '../../components/dialogs/use-submit.ts';
import { REORDERS_KEY, useOrderedText } from '../../components/reorder.ts';
import { PartlyUndone } from '../../components/toast/partly-undone.ts';
import { readAgain } from '../../live/read-again.ts';
import { useSession } from '../../session/session-context.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { readReorder, updateReorder } from './reorders-api.ts';

/** What a dialog has made of a pet. */
interface Made {
  readonly before: Reorder;
  readonly now: Reorder;
  readonly changes: string;
}

/** The refusal of a pet whose order another person has changed. */
class ChangedMeanwhile extends RefusedForm {
  readonly now: Reorder;

  constructor(text: string, now: Reorder) {
    super(text);
    this.now = now;
  }
}

/** Minutes in which a key has sent as many requests as it may: some ten thousand pets. */
const MAX_WAITS = 30;

/**
 * Changes what is ordered of pets, as the person saw it. What somebody else has ordered meanwhile, or what has arrived, is
 * named first; the next change replaces it.
 */
export function useReorderChange() {
  const { reorders, shared } = useTexts();
  const orderedText = useOrderedText();
  const queries = useQueryClient();
  const { keyId } = useSession();
  /** By petId, where it is newer than the row. */
  const seen = useRef(new Map<string, Reorder>());
  const [made] = useState(() => new Map<string, Made>());

  async function change(row: Reorder, changes: ReorderChanges): Promise<Reorder> {
    const changed = await attempt(changes, seen.current.get(row.petId) ?? row);
    seen.current.set(row.petId, changed);
    return changed;
  }

  /** Throws a refusal that the person is told of: the next change replaces what it names. */
  function refuse(refusal: unknown): never {
    if (refusal instanceof ChangedMeanwhile) seen.current.set(refusal.now.petId, refusal.now);
    throw refusal;
  }

  async function attempt(changes: ReorderChanges, before: Reorder): Promise<Reorder> {
    try {
      return await whenAllowed(() => updateReorder(before, changes));
    } catch (error) {
      if (!isApiError(error, 'precondition_failed')) throw error;
    }
    const now = await whenAllowed(() => readReorder(before.petId));
    const members = Object.keys(changes) as (keyof ReorderChanges)[];
    // Units that somebody else has ordered are another order, also if they are as many.
    const isAsSent = !changes.ordered || now.orderedBy?.keyId === keyId;
    // An earlier attempt, whose answer was lost, may have made the change.
    if (isAsSent && members.every((member) => now[member] === changes[member])) return now;
    void readAgain(queries, [REORDERS_KEY]);
    const setsSupplier = members.every((member) => member === 'supplier');
    if (setsSupplier && now.supplier === before.supplier) return attempt(changes, now);
    const state = `${orderedText(now) ?? reorders.nothing} · ${now.supplier ?? reorders.noSupplier}`;
    throw new ChangedMeanwhile(reorders.changedMeanwhile(now.name ?? shared.unnamed(now.petId), state), now);
  }

  /**
   * Changes pets one after the other, also those after a refusal. What is made already is not sent again.
   * @throws ApiError What is left stays for the next attempt. @throws RefusedForm Names the first pet that is refused; the
   *   next attempt refuses again what the person has not seen.
   */
  async function changeAll(
    rows: readonly Reorder[],
    changesOf: (row: Reorder) => ReorderChanges,
    onProgress: () => void,
  ): Promise<void> {
    const refusals: unknown[] = [];
    for (const row of rows) {
      const changes = JSON.stringify(changesOf(row));
      if (made.get(row.petId)?.changes === changes) continue;
      try {
        made.set(row.petId, { before: row, now: await change(row, changesOf(row)), changes });
        onProgress();
      } catch (error) {
        if (isApiError(error) && error.isTemporary) throw error;
        refusals.push(error);
      }
    }
    // One that has changed is named before any other refusal, which may be for good.
    const first = refusals.find((refusal) => refusal instanceof ChangedMeanwhile) ?? refusals[0];
    if (first !== undefined) refuse(first);
  }
  return {
    /** @throws ApiError or RefusedForm. */
    change: (row: Reorder, changes: ReorderChanges) => change(row, changes).catch(refuse),
    changeAll,
    made: made as ReadonlyMap<string, Made>,
  };
}

/** Sends a request again that the limit of the key refused: the client waits until the key may send again. */
async function whenAllowed<T>(send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      if (attempt === MAX_WAITS || !isApiError(error, 'rate_limit_exceeded')) throw error;
    }
  }
}

/** Sets reorders back to what they were before, unless somebody has changed them since. @throws ApiError or PartlyUndone */
export async function undoReorders(
  made: Iterable<Made>,
  onReload: () => Promise<unknown>,
  changesOf: (before: Reorder) => ReorderChanges,
): Promise<void> {
  const failures: unknown[] = [];
  let done = 0;
  for (const { before, now } of made) {
    try {
      await whenAllowed(() => updateReorder(now, changesOf(before)));
      done += 1;
    } catch (error) {
      failures.push(error);
    }
  }
  await onReload();
  if (failures.length === 0) return;
  throw done === 0 ? failures[0] : new PartlyUndone(done, failures.length, failures[0]);
}
