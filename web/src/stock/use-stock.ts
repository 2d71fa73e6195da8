import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Movement } from '../api/schemas.ts';
import { movementStream, useLiveMovements } from '../live/use-live.ts';
import { loadRows } from './load-rows.ts';
import { readRow } from './read-row.ts';
import type { StockRow } from './stock-row.ts';
import { type StockSnapshot, StockStore } from './stock-store.ts';

/** Kinds of movements after which more than the stock of a pet may be new. */
const WIDER_KINDS: readonly Movement['kind'][] = ['import', 'thresholds'];
/** Above this many pets, one response with all of them is faster. */
const MAX_SINGLE_READS = 20;
const RELOAD_DELAY_MS = 500;

function inNextFrame(draw: () => void): () => void {
  const frame = requestAnimationFrame(draw);
  return () => cancelAnimationFrame(frame);
}

/** All pets, kept current by the live stream. */
export function useStock(isOwn: (row: StockRow) => boolean): {
  store: StockStore;
  snapshot: StockSnapshot;
  reload: () => void;
} {
  const [store] = useState(() => new StockStore(inNextFrame));
  const snapshot = useSyncExternalStore(store.subscribe, () => store.snapshot);
  const [attempt, setAttempt] = useState(0);
  const refresh = useRefresh(store);

  useEffect(() => {
    const stop = new AbortController();
    const load = async () => {
      // A stream that is live before the rows are read misses nothing that is newer than they are.
      await movementStream.settled();
      // Rows that are there stay, such as after a session that ended.
      if (attempt === 0 && store.rows.length === 0) await loadRows((rows) => store.append(rows), stop.signal);
      else await store.replaceBy((onRows) => loadRows(onRows, stop.signal));
      store.complete();
    };
    load().catch((error: unknown) => {
      if (!stop.signal.aborted) store.fail(error);
    });
    return () => stop.abort();
  }, [store, attempt]);

  useLiveMovements({
    onMovements: (movements) => {
      const wider = new Set<string>();
      for (const movement of movements) {
        const isKnown = store.apply(movement, isOwn);
        if (!isKnown || WIDER_KINDS.includes(movement.kind)) wider.add(movement.petId);
      }
      if (wider.size > 0) refresh(wider);
    },
    onGap: () => setAttempt((count) => count + 1),
  });
  return { store, snapshot, reload: () => setAttempt((count) => count + 1) };
}

/** Reads pets again whose names or thresholds may be new, or that are new; many together. */
function useRefresh(store: StockStore): (petIds: ReadonlySet<string>) => void {
  const waiting = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      // The page may come back, after another sign-in.
      timer.current = undefined;
    },
    [],
  );
  const run = async () => {
    timer.current = undefined;
    const petIds = [...waiting.current];
    waiting.current.clear();
    const isNew = petIds.some((petId) => !store.find(petId));
    if (petIds.length > MAX_SINGLE_READS || isNew) {
      await store.replaceBy((onRows) => loadRows(onRows, new AbortController().signal));
      return;
    }
    for (const row of await Promise.all(petIds.map(readRow))) {
      const known = store.find(row.petId);
      if (known && known.version <= row.version) store.put({ ...row, flashedAtMs: known.flashedAtMs });
    }
  };
  return (petIds) => {
    for (const petId of petIds) waiting.current.add(petId);
    timer.current ??= setTimeout(
      () => void run().catch((error: unknown) => store.fail(error)),
      RELOAD_DELAY_MS,
    );
  };
}
