/** About this much of one turn of the event loop is for work that can wait, whatever it is for. */
const TURN_MS = 5;

/** When the first step of this turn began. */
let beganAtMs: number | undefined;
/** The tasks that wait for their next step, the oldest first. Each has queued one `takeStep`, whichever task that serves. */
const waiting: (() => void)[] = [];
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
