import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type CollectGarbage = (options: { readonly type: 'major'; readonly flavor: 'last-resort' }) => void;

const LOOK_MS = 2_000;
/** The part of the time between two looks in which a quiet thread runs at most. */
const QUIET = 0.1;
/** A larger heap takes too long for one turn. */
const MAX_HEAP_BYTES = 48 * 2 ** 20;

/**
 * Once, in the first quiet seconds, gives back to the system what only the start of this thread needed: code that ran once, and
 * the room for new objects, which grows again with the requests. Engines keep both for as long as nothing else needs the room.
 * @param onEnd For tests: called with whether it did so.
 * @param lookMs Another number for tests.
 */
export function collectWhenQuiet(onEnd = (_hasCollected: boolean): void => {}, lookMs = LOOK_MS): void {
  // Bun has no such report of its threads, and its own `shrink` ended a thread.
  if (process.versions.bun) return;
  let last = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    if (utilization > QUIET) return;
    clearInterval(timer);
    const isSmall = process.memoryUsage().heapUsed < MAX_HEAP_BYTES;
    if (isSmall) collectAll();
    onEnd(isSmall);
  }, lookMs);
  timer.unref();
}

function collectAll(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as CollectGarbage;
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', flavor: 'last-resort' });
}
