import {
  createContext,
  type Dispatch,
  type ReactNode,
  type SetStateAction,
  use,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { ApiError, isApiError } from '../api/api-error.ts';
import { open } from '../api/client.ts';
import type { Movement } from '../api/schemas.ts';
import { movementStream, useLiveMovements, useLiveStatus } from '../live/use-live.ts';
import { KEPT_AT } from '../api/kept-at.ts';
import { registerAfter } from '../offline/kept-shop.ts';
import { readRow } from './read-row.ts';
import { StockFacts } from './stock-facts.ts';
import { type ListClock, StockList, type StockSnapshot } from './stock-list.ts';
import { ROW_MEMBERS, type RowLine, rowOfLine, type StockRow } from './stock-row.ts';
import { StockStore } from './stock-store.ts';

/** Kinds of movements after which more than the stock of a pet may be new. */
const WIDER_KINDS: readonly Movement['kind'][] = ['import', 'thresholds'];
/** Above this many pets, one response with all of them is faster. */
const MAX_SINGLE_READS = 20;
const RELOAD_DELAY_MS = 500;
/** Until pets that could not be read are read again. */
const RETRY_DELAY_MS = 5_000;
/** A kept list is read again after this time while the stream is live: only the list was not reached. */
const KEPT_DELAY_MS = 2_000;

/** The pause after a draw for changes: those of a bulk change come hundreds at a time, for seconds. */
const DRAW_EVERY_MS = 100;
let drawnAtMs = 0;

const IN_BROWSER: ListClock = {
  drawSoon: (draw) => {
    let frame = 0;
    const drawInFrame = () => {
      frame = requestAnimationFrame(() => {
        drawnAtMs = performance.now();
        draw();
      });
    };
    const timer = setTimeout(drawInFrame, drawnAtMs + DRAW_EVERY_MS - performance.now());
    return () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    };
  },
  goOn: (work) => {
    const timer = setTimeout(work);
    return () => clearTimeout(timer);
  },
  nowMs: () => performance.now(),
};

/** The pets of the shop, which all pages share while the same person is signed in. */
interface SharedStock {
  readonly store: StockStore;
  /** Reads the pets when the first page needs them, or again after it failed. */
  begin(): void;
  reload(): void;
  /** Whether a page changes the pet now, so that its movement is no news. */
  readonly owners: Set<(row: StockRow) => boolean>;
  /** Values that a page keeps for its next visit, by name. */
  readonly kept: Map<string, unknown>;
}

const StockContext = createContext<SharedStock | undefined>(undefined);

function useShared(): SharedStock {
  const shared = use(StockContext);
  if (!shared) throw new Error('StockProvider is missing.');
  return shared;
}

/** The pets, kept current by the live stream. @param isNeeded Whether they are read if no page has read them. */
export function useStock(isNeeded = true): SharedStock {
  const shared = useShared();
  useEffect(() => {
    if (isNeeded) shared.begin();
  }, [shared, isNeeded]);
  return shared;
}

/** A value that outlives a visit of a page, such as the selected rows after Back. */
export function useKept<T>(name: string, make: () => T): T {
  const { kept } = useShared();
  if (!kept.has(name)) kept.set(name, make());
  return kept.get(name) as T;
}

/** The numbers and categories of all pets, counted once for all pages. */
export const useStockFacts = (store: StockStore): StockFacts =>
  useKept('stock-facts', () => new StockFacts(store));

/** A state that outlives a visit of a page. */
export function useKeptState<T>(name: string, initial: T): readonly [T, Dispatch<SetStateAction<T>>] {
  const { kept } = useShared();
  const [state, setState] = useState(() => (kept.has(name) ? (kept.get(name) as T) : initial));
  useEffect(() => void kept.set(name, state), [kept, name, state]);
  return [state, setState];
}

/** A list of the pets that outlives a visit of its page, and what it shows now. */
export function useStockList(name: string): { readonly list: StockList; readonly snapshot: StockSnapshot } {
  const { store } = useShared();
  const list = useKept(name, () => new StockList(store, IN_BROWSER));
  return { list, snapshot: useSyncExternalStore(list.subscribe, () => list.snapshot) };
}

/** Holds the pets from the first page that needs them on. */
export function StockProvider({ children }: { children: ReactNode }) {
  const [store] = useState(() => new StockStore());
  const [attempt, setAttempt] = useState(0);
  /** The attempt that ended with a kept list, or without one, because the service was not reached. */
  const [keptAttempt, setKeptAttempt] = useState(0);
  const { state: liveState } = useLiveStatus();
  const refresh = useRefresh(store);
  const shared = useMemo<SharedStock>(() => {
    const reload = () => setAttempt((count) => count + 1);
    const begin = () => setAttempt((count) => (count === 0 || store.error !== undefined ? count + 1 : count));
    return { store, begin, reload, owners: new Set(), kept: new Map() };
  }, [store]);

  useEffect(() => {
    if (attempt === 0) return;
    const stop = new AbortController();
    const load = async () => {
      // A stream that is live before the rows are read misses nothing that is newer than they are.
      await movementStream.settled();
      // Rows that are there stay, such as after a session that ended.
      let keptAt: string | null = null;
      const read = async (onRows: (rows: StockRow[]) => void) => {
        keptAt = await loadRows(onRows, stop.signal);
      };
      if (store.rows.length === 0) await read((rows) => store.append(rows));
      else await store.replaceBy(read);
      store.complete(keptAt === null ? undefined : Date.parse(keptAt));
      if (keptAt !== null) setKeptAttempt(attempt);
    };
    const loading = load().catch((error: unknown) => {
      if (stop.signal.aborted) return;
      store.fail(error);
      if (isApiError(error, 'offline')) setKeptAttempt(attempt);
    });
    registerAfter(loading);
    return () => stop.abort();
  }, [store, attempt]);

  useEffect(() => {
    // An attempt after it is reading the list already.
    if (liveState !== 'live' || attempt === 0 || keptAttempt !== attempt) return;
    const timer = setTimeout(shared.reload, KEPT_DELAY_MS);
    return () => clearTimeout(timer);
  }, [liveState, attempt, keptAttempt, shared]);

  useLiveMovements({
    onMovements: (movements) => {
      if (attempt === 0) return;
      const isOwn = (row: StockRow) => [...shared.owners].some((owns) => owns(row));
      const wider = new Set<string>();
      for (const movement of movements) {
        const isKnown = store.apply(movement, isOwn);
        if (!isKnown || WIDER_KINDS.includes(movement.kind)) wider.add(movement.petId);
      }
      if (wider.size > 0) refresh(wider);
    },
    onGap: () => setAttempt((count) => (count === 0 ? 0 : count + 1)),
  });
  return <StockContext value={shared}>{children}</StockContext>;
}

/** Reads pets again whose names or thresholds may be new, or that are new; many together. */
function useRefresh(store: StockStore): (petIds: ReadonlySet<string>) => void {
  const waiting = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
      clearTimeout(timer.current);
      // The page may come back, after another sign-in.
      timer.current = undefined;
    };
  }, []);
  const readSoon = (delayMs: number) => {
    timer.current ??= setTimeout(() => void run(), delayMs);
  };
  const run = async () => {
    timer.current = undefined;
    const petIds = [...waiting.current];
    waiting.current.clear();
    try {
      await readPetsAgain(store, petIds);
    } catch (error) {
      if (!isApiError(error) || !error.isTemporary) return store.fail(error);
      // The stream tells of each change once.
      for (const petId of petIds) waiting.current.add(petId);
      if (isShown.current) readSoon(RETRY_DELAY_MS);
    }
  };
  return (petIds) => {
    for (const petId of petIds) waiting.current.add(petId);
    readSoon(RELOAD_DELAY_MS);
  };
}

/** @throws ApiError */
async function readPetsAgain(store: StockStore, petIds: readonly string[]): Promise<void> {
  const isNew = petIds.some((petId) => !store.find(petId));
  if (petIds.length > MAX_SINGLE_READS || isNew) {
    await store.replaceBy(async (onRows) => {
      const keptAt = await loadRows(onRows, new AbortController().signal);
      if (keptAt !== null) throw new ApiError('offline', 'The list is of an earlier visit.', 0);
    });
    return;
  }
  for (const row of await Promise.all(petIds.map(readRowIfThere))) {
    const known = row && store.find(row.petId);
    if (known && known.version <= row.version) store.put({ ...row, flashedAtMs: known.flashedAtMs });
  }
}

/** A pet may be deleted since it changed, whose movement takes its row away. */
async function readRowIfThere(petId: string): Promise<StockRow | undefined> {
  try {
    return await readRow(petId);
  } catch (error) {
    if (isApiError(error, 'not_found')) return undefined;
    throw error;
  }
}

/**
 * Reads all pets, and hands them over as they arrive.
 * @returns When they were read, if the service is not reached and the browser has kept them. @throws ApiError
 */
async function loadRows(onRows: (rows: StockRow[]) => void, signal: AbortSignal): Promise<string | null> {
  const response = await open('GET', '/pets/rows', { signal });
  const body = response.body as ReadableStream<Uint8Array<ArrayBuffer>>;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let isFirst = true;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const text = rest + value;
    const end = text.lastIndexOf('\n');
    rest = text.slice(end + 1);
    if (end < 0) continue;
    let start = 0;
    if (isFirst) {
      start = text.indexOf('\n') + 1;
      requireMembers(text.slice(0, start - 1));
      isFirst = false;
    }
    // A string in JSON has no line break, so each one is between two rows.
    const lines = JSON.parse(`[${text.slice(start, end).replaceAll('\n', ',')}]`) as RowLine[];
    if (lines.length > 0) onRows(lines.map(rowOfLine));
  }
  return response.headers.get(KEPT_AT);
}

/** The page and the service may be of different releases while the service is updated. */
function requireMembers(line: string): void {
  if (line === ROW_MEMBERS) return;
  throw new ApiError('outdated_page', 'The service was updated. Reload the page.', 500);
}
