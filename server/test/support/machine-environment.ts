import { fileURLToPath } from 'node:url';

const CONFIGURES_SERVICE_OR_RUNNER = /^(?:PETSTORE_|NODE_(?!COMPILE_CACHE$)|PORT$|BUN_|RUN_LONG_TESTS$)/;

const SKEWED_CLOCK = new URL('./runner/skewed-clock.js', import.meta.url).href;

/** Loads a clock that is wrong by `CLOCK_AHEAD_MS`. */
const WITH_SKEWED_CLOCK = `--import=${SKEWED_CLOCK}`;

/** Variables of a process whose clock is wrong. */
export function clockAhead(ms: number): Readonly<Record<string, string>> {
  const onBun = `--preload=${fileURLToPath(SKEWED_CLOCK)}`;
  return { NODE_OPTIONS: WITH_SKEWED_CLOCK, BUN_OPTIONS: onBun, CLOCK_AHEAD_MS: String(ms) };
}

/** Sets the clock of this process right. Its file must be alone in it. */
export async function useRightClock(): Promise<void> {
  const clock = (await import(SKEWED_CLOCK)) as { setClockAhead(ms: number): void };
  clock.setClockAhead(0);
}

/** The right time, for what the clock of the tests does not apply to: other languages. */
export function rightTimeMs(): number {
  return Math.floor(performance.timeOrigin + performance.now());
}

/**
 * The machine's variables for a child process, without those that configure the service or mark a process as a test.
 * The compile cache stays: without it, each child strips the types of the whole service, in most of its start-up time.
 * So does the clock of this process.
 */
export function machineEnvironment(): NodeJS.ProcessEnv {
  const isKept = ([name, value]: [string, string | undefined]) =>
    !CONFIGURES_SERVICE_OR_RUNNER.test(name) || (name === 'NODE_OPTIONS' && value === WITH_SKEWED_CLOCK);
  return Object.fromEntries(Object.entries(process.env).filter(isKept));
}
