/** Work that can wait takes about so much of one turn of the event loop, whoever it is for. */
const TURN_MS = 5;

let beganAtMs: number | undefined;

const turnEnds = (): void => {
  beganAtMs = undefined;
};

/**
 * Between two steps of a long work: `undefined` while this turn of the event loop has time for another step, else a
 * promise of the next turn. All long works share the time of a turn, so each of many takes only a step.
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
