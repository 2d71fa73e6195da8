import process from 'node:process';

/**
 * Loaded first into each process and thread of the tests: the clock of the machine is wrong by `CLOCK_AHEAD_MS`, two hours
 * ahead by default, and that of a PostgreSQL server is right. So a use of the wrong one fails tests. Timers and clocks
 * that are never set stay as they are.
 */
let aheadMs = Number(process.env.CLOCK_AHEAD_MS ?? 2 * 3_600_000);
const rightNow = Date.now;
Date.now = () => rightNow() + aheadMs;
globalThis.Date = new Proxy(Date, {
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length > 0 ? values : [Date.now()], newTarget),
});
/** From now on, also in threads and processes that this one starts. */
export function setClockAhead(ms) {
  aheadMs = ms;
  process.env.CLOCK_AHEAD_MS = String(ms);
}

// For the processes that this one starts.
process.env.NODE_OPTIONS = `--import=${import.meta.url}`;
