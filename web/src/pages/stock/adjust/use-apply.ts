import { useRef, useState } from 'react';
import { isApiError } from '../../../api/api-error.ts';
import { newIdempotencyKey } from '../../../api/client.ts';
import type { BatchChange, InventoryBatchResult } from '../../../api/schemas.ts';
import type { StockStore } from '../../../stock/stock-store.ts';
import { useErrorText, useTexts } from '../../../texts/texts-context.tsx';
import type { EditBook } from '../edit/edit-book.ts';
import { applyChanges } from '../stock-api.ts';
import { showResult } from './changes.ts';

interface Intention {
  readonly changes: readonly BatchChange[];
  readonly planId: string;
  readonly key: string;
}

/** Applies what a preview has shown. Without an answer it may be applied, so the next attempt is the same request. */
export function useApply(store: StockStore, book: EditBook) {
  const { stock } = useTexts();
  const errorText = useErrorText();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const intention = useRef<Intention>(undefined);

  const problemOf = (error: unknown): string => {
    if (isApiError(error) && error.status === 409) return stock.changedSincePreview;
    if (isApiError(error, 'offline')) return stock.applyUnanswered;
    return errorText(error);
  };

  /** @returns The result; `undefined` if there is a problem. */
  const apply = async (
    petIds: readonly string[],
    changes: readonly BatchChange[],
    { planId }: InventoryBatchResult,
  ): Promise<InventoryBatchResult | undefined> => {
    const known = intention.current?.changes === changes ? intention.current : undefined;
    const sent = known ?? { changes, planId, key: newIdempotencyKey() };
    intention.current = sent;
    setBusy(true);
    try {
      const result = await book.run(petIds, () => applyChanges(changes, sent.key, sent.planId));
      showResult(store, result);
      return result;
    } catch (error) {
      if (!(isApiError(error) && error.isTemporary)) intention.current = undefined;
      setProblem(problemOf(error));
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  return { apply, isBusy, problem, clearProblem: () => setProblem(undefined) };
}
