import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { isApiError } from '../../../api/api-error.ts';
import { newIdempotencyKey } from '../../../api/client.ts';
import { Pauses } from '../../../live/pauses.ts';
import type { StockStore } from '../../../stock/stock-store.ts';
import { useErrorText, useTexts } from '../../../texts/texts-context.tsx';
import type { EditBook } from '../edit/edit-book.ts';
import { applyChanges, previewChanges } from '../stock-api.ts';
import { BulkChange } from './bulk-change.ts';
import { type Adjustment, BulkUndo, changesOf, showResult } from './changes.ts';

const CALLS = { preview: previewChanges, apply: applyChanges, newKey: newIdempotencyKey };

/** The change of a dialog; without an adjustment while its form is not complete. */
export interface AskedChange {
  readonly petIds: readonly string[];
  readonly adjustment: Adjustment | undefined;
}

/** The bulk change of a dialog: its previews as they arrive, what applies it, and why it stopped. */
export function useBulkChange({ petIds, adjustment }: AskedChange, store: StockStore, book: EditBook) {
  const { stock } = useTexts();
  const errorText = useErrorText();
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const bulk = useMemo(
    () =>
      adjustment
        ? new BulkChange(petIds, (part) => changesOf(part, adjustment), CALLS)
        : new BulkChange([], () => [], CALLS),
    [petIds, adjustment],
  );
  const [undo] = useState(() => new BulkUndo(store));
  const isStopped = useRef(false);
  const planning = useRef<AbortController>(undefined);

  const problemOf = useCallback(
    (error: unknown): string => {
      if (isApiError(error) && error.status === 409 && !error.isUnsure) return stock.changedSincePreview;
      if (isApiError(error, 'offline')) return stock.applyUnanswered;
      return errorText(error);
    },
    [stock, errorText],
  );
  const plan = useCallback(async () => {
    planning.current?.abort();
    planning.current = new AbortController();
    const { signal } = planning.current;
    try {
      await bulk.plan(signal, draw);
    } catch (error) {
      if (!signal.aborted) setProblem(errorText(error));
    }
  }, [bulk, errorText]);
  useEffect(() => {
    setProblem(undefined);
    void plan();
    return () => planning.current?.abort();
  }, [plan]);

  /** Asks again for the previews that failed. */
  const retry = () => {
    setProblem(undefined);
    void plan();
  };

  /** @returns Whether everything is applied. */
  const apply = async (): Promise<boolean> => {
    isStopped.current = false;
    setBusy(true);
    setProblem(undefined);
    try {
      const pauses = new Pauses();
      await book.run(petIds, () =>
        bulk.apply(
          async (result) => {
            undo.add(result);
            await showResult(store, result, pauses);
            draw();
          },
          () => isStopped.current,
        ),
      );
      return bulk.applied === petIds.length;
    } catch (error) {
      setProblem(problemOf(error));
      if (!bulk.isReady) await plan();
      return false;
    } finally {
      setBusy(false);
    }
  };
  const stop = () => {
    isStopped.current = true;
  };
  return { bulk, undo, apply, retry, stop, isBusy, problem };
}
