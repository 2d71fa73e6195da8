import { type RefObject, useEffect, useRef, useState } from 'react';
import type { StockStore } from '../../stock/stock-store.ts';
import type { Counting } from './use-counting.ts';

interface Options {
  readonly store: StockStore;
  readonly counting: Counting;
  readonly isStaff: boolean;
  /** The field in which pets are searched. */
  readonly field: RefObject<HTMLInputElement | null>;
  readonly onWords: (words: string) => void;
  /** The pet of a link, such as from the differences of a stock-take. */
  readonly wanted: string | undefined;
  readonly onWanted: () => void;
}

/** Chooses the next pet to count: one that a person picks, scans or adds, or that of a link. */
export function useNextPet({ store, counting, isStaff, field, onWords, wanted, onWanted }: Options) {
  /** A code that no pet has. */
  const [unknown, setUnknown] = useState<string>();
  // The next pet ends the count of the pet before it, which stays if it cannot be kept.
  const next = (petId: string | undefined, typed = counting.typed) => {
    if (counting.row && typed !== '' && !counting.save(typed)) return counting.type(typed);
    counting.choose(petId);
  };
  const pick = (petId: string, typed = counting.typed) => {
    setUnknown(undefined);
    onWords('');
    next(petId, typed);
    field.current?.blur();
  };
  const latestPick = useRef(pick);
  latestPick.current = pick;
  const onCode = (code: string, typedBefore = counting.typed) => {
    if (!isStaff) return;
    const row = store.findScanned(code);
    if (row) return pick(row.petId, typedBefore);
    next(undefined, typedBefore);
    onWords('');
    setUnknown(code);
  };
  const [awaited, setAwaited] = useState<string>();
  // A new pet comes with the live stream.
  const isThere = awaited !== undefined && store.find(awaited) !== undefined;
  useEffect(() => {
    if (!isThere) return;
    setAwaited(undefined);
    latestPick.current(awaited);
  }, [isThere, awaited]);
  const isWantedThere = wanted !== undefined && isStaff && store.find(wanted) !== undefined;
  useEffect(() => {
    if (!isWantedThere) return;
    latestPick.current(wanted);
    onWanted();
  }, [isWantedThere, wanted, onWanted]);
  return { unknown, pick, onCode, onAdded: setAwaited };
}
