/** About this much of one turn of the event loop is for work that can wait, whatever it is for. */
const TURN_MS = 5;

let beganAtMs: number | undefined;

const turnEnds = (): void => {
  beganAtMs = undefined;
};

/**
 * Called between two steps of a long task: `undefined` while this turn of the event loop has time for another step,
 * otherwise a promise of the next turn. All long tasks share the time of a turn, so each of many takes only one step.
 */
export function nextStep(): Promise<void> | undefined {
  const nowMs = performance.now();
  if (beganAtMs === undefined) {
    beganAtMs = nowMs;
    setImmediate(turnEnds);
  }
  if (nowMs - beganAtMs < TURN_MS) return undefined;
  return new Promise((resolve) => setImmediate(resolve));
}
