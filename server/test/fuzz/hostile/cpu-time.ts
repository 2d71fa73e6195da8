import assert from 'node:assert/strict';

/** CPU milliseconds of this process for one run: the least of several, because noise only adds. */
export async function cpuMsOf(run: () => unknown, repeats = 3): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < repeats; i += 1) {
    const start = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

/** Below this CPU time nothing is compared: compilers and collectors on other threads take as much. */
const NOISE_MS = 100;

/**
 * Asserts that CPU time grows as its input at most: sizes `n` and `8n` must not differ by more than a factor of 20.
 * Quadratic work differs by 64. The first runs also warm the code up.
 */
export async function assertLinear(name: string, n: number, run: (size: number) => unknown): Promise<void> {
  const small = await cpuMsOf(() => run(n));
  const large = await cpuMsOf(() => run(8 * n), 2);
  assert.ok(
    large <= Math.max(NOISE_MS, 20 * small),
    `${name}: size ${n} takes ${small.toFixed(1)} ms of CPU, 8 times the size ${large.toFixed(1)} ms`,
  );
}
