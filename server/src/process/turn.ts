/** About this much of one turn of the event loop is for work that can wait, whatever it is for. */
const TURN_MS = 5;

/** When the first step of this turn began. */
let beganAtMs: number | undefined;
/** More steps than the time of a turn has room for. A callback for each of 10,000 waiting tasks would take a quarter of the CPU time. */
const MOST_STEPS = 256;
/** The tasks that wait for their next step, the oldest first. */
const waiting: (() => void)[] = [];
/** Calls of `takeStep` for the next turn: one for each waiting task, at most MOST_STEPS. */
let queued = 0;
let isMarking = false;
/** Whether the next turn has no time for steps. */
let isHeld = false;

/**
 * Called between two steps of a long task: `undefined` while this turn of the event loop has time for another step, otherwise a promise
 * of a later turn. All long tasks share the time of a turn, in the order in which they wait, so that no number of them makes a turn long.
 */
export function nextStep(): Promise<void> | undefined {
  if (waiting.length === 0 && hasTime()) return undefined;
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (queued === MOST_STEPS) return;
    queued += 1;
    setImmediate(takeStep);
  });
}

/** Called while the event loop reads: no long task takes a step before it reads again. */
export function holdSteps(): void {
  isHeld = true;
  beganAtMs = Number.NEGATIVE_INFINITY;
  beginMarking();
}

/** Each in a callback of its own: what a step does after its promise is over before the next one looks at the clock. */
function takeStep(): void {
  if (hasTime()) waiting.shift()?.();
  if (waiting.length < queued) queued -= 1;
  else setImmediate(takeStep);
}

function hasTime(): boolean {
  const nowMs = performance.now();
  beganAtMs ??= nowMs;
  beginMarking();
  return nowMs - beganAtMs < TURN_MS;
}

function beginMarking(): void {
  if (isMarking) return;
  isMarking = true;
  setImmediate(markTurn);
}

/** Begins a turn: it is queued before the steps of that turn, as long as there are any. */
function markTurn(): void {
  isMarking = waiting.length > 0 || beganAtMs !== undefined;
  beganAtMs = isHeld ? Number.NEGATIVE_INFINITY : undefined;
  isHeld = false;
  if (isMarking) setImmediate(markTurn);
}
