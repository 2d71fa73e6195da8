import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type CollectGarbage = (options: { readonly type: 'major'; readonly flavor: 'last-resort' }) => void;

const LOOK_MS = 2_000;
/** The part of the time between two looks in which a quiet thread runs at most. */
const QUIET = 0.1;
/**
 * New bytes per second of a heavy load. Not the share of time in which the thread runs, because a thread that waits for the processor
 * counts as running. A light load of 70 requests per second makes 11 to 14 MB.
 */
const HEAVY_BYTES_PER_SECOND = 20e6;
/** Looks in a row that make a heavy load. A single one may be the requests that waited while other processes had the processor. */
const HEAVY_LOOKS = 2;
/** More than such requests make, so that one look is enough: a load may come and go within seconds. */
const VERY_HEAVY_BYTES_PER_SECOND = 60e6;
/** After a heavy load, so many looks must be quiet, because the next load needs the room and the code again. */
const QUIET_LOOKS = 15;
/** A larger heap takes too long for one turn. */
const MAX_HEAP_BYTES = 48 * 2 ** 20;

/** The factor by which V8 enlarges the room for new objects, in all threads: 1 keeps its size. */
const GROWTH = '--semi-space-growth-factor=';

interface LookOptions {
  /** Whether the room for new objects, of all threads, may grow under a heavy load of this thread. */
  readonly decidesGrowth?: boolean;
  /** For tests: called after each decision to collect, with whether the heap was small enough. */
  readonly onCollect?: (hasCollected: boolean) => void;
  /** For tests: sets an option of V8. */
  readonly setOption?: (option: string) => void;
  /** For tests: new bytes per second since the last call. */
  readonly newBytesPerSecond?: () => number;
  readonly lookMs?: number;
}

/**
 * Fits the memory of this thread to its load.
 *
 * - In the first quiet seconds after the start, and after half a quiet minute since a heavy load, gives back to the system what only that needed: code that ran
 *   once, and the room for new objects. Engines keep both for as long as nothing else needs the room.
 * - The room for new objects grows only under a heavy load. V8 lets it grow with all that was ever kept, to 55 MB after two minutes of
 *   a light load, which needs 1 MB; under a heavy load 1 MB takes 1.4 times the CPU time.
 *
 * Returns a function that ends it.
 */
export function fitMemoryToLoad({
  decidesGrowth = false,
  onCollect = () => {},
  setOption = setFlagsFromString,
  newBytesPerSecond = allocationRate(),
  lookMs = LOOK_MS,
}: LookOptions = {}): () => void {
  // Bun has no such report of its threads, and its own `shrink` ended a thread.
  if (process.versions.bun) return () => {};
  let last = performance.eventLoopUtilization();
  let mayGrow = false;
  let heavyLooks = 0;
  /** Quiet looks until a collection; `undefined` if none is needed. */
  let looksLeft: number | undefined = 1;
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    const bytesPerSecond = newBytesPerSecond();
    const isLight = bytesPerSecond < HEAVY_BYTES_PER_SECOND;
    heavyLooks = isLight ? 0 : heavyLooks + 1;
    const isHeavy = heavyLooks >= HEAVY_LOOKS || bytesPerSecond >= VERY_HEAVY_BYTES_PER_SECOND;
    if (decidesGrowth && (isHeavy || mayGrow)) {
      // At each look, because another thread, whose load has ended, may have forbidden it.
      mayGrow = isHeavy;
      setOption(`${GROWTH}${mayGrow ? 2 : 1}`);
    }
    if (isHeavy && bytesPerSecond >= HEAVY_BYTES_PER_SECOND) looksLeft = QUIET_LOOKS;
    if (looksLeft === undefined || utilization > QUIET) return;
    looksLeft -= 1;
    if (looksLeft > 0) return;
    looksLeft = undefined;
    const isSmall = process.memoryUsage().heapUsed < MAX_HEAP_BYTES;
    if (isSmall) collectAll();
    onCollect(isSmall);
  }, lookMs);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Returns a function of the new bytes per second in the heap of this thread since its last call: NaN on a Node before 26, which
 * does not count them.
 */
function allocationRate(): () => number {
  let lastBytes = allocatedBytes();
  let lastMs = performance.now();
  return () => {
    const bytes = allocatedBytes();
    const atMs = performance.now();
    const perSecond = ((bytes - lastBytes) * 1_000) / (atMs - lastMs);
    lastBytes = bytes;
    lastMs = atMs;
    return perSecond;
  };
}

function allocatedBytes(): number {
  return (getHeapStatistics() as { total_allocated_bytes?: number }).total_allocated_bytes ?? Number.NaN;
}

function collectAll(): void {
  // The option is of all threads: one that turned it off again could do so between these lines of another.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as CollectGarbage;
  collect({ type: 'major', flavor: 'last-resort' });
}
