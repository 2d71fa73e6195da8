import { isMainThread } from 'node:worker_threads';

/**
 * Preloaded into a process that serves (`--import`): on SIGUSR2 it writes the longest turn of its event loop since the
 * last signal, as CPU time, and the largest resident memory so far. A tick sees what ran since the tick before it, so
 * short turns up to one tick are added to the longest.
 */
const TICK_MS = 2;

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

if (isMainThread) {
  let [longestMs, before] = [0, cpuMs()];
  const tick = () => {
    const now = cpuMs();
    longestMs = Math.max(longestMs, now - before);
    before = now;
  };
  setInterval(tick, TICK_MS).unref();
  process.on('SIGUSR2', () => {
    tick();
    const peakMb = process.resourceUsage().maxRSS / 1_024;
    process.stdout.write(`${JSON.stringify({ report: 'turns', longestMs, peakMb })}\n`);
    longestMs = 0;
  });
}
