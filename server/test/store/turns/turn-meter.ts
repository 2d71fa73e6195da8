/** CPU time of this thread, in milliseconds. It excludes other processes. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

export interface Turns {
  /** CPU time of all turns together, in milliseconds. */
  readonly totalMs: number;
  /** CPU time of the longest turn, during which no other request is served. */
  readonly longestMs: number;
}

/** Measures the CPU time that turns of this thread's event loop take while something is done. */
export async function measureTurns(work: () => unknown): Promise<Turns> {
  let [isOver, totalMs, longestMs, before] = [false, 0, 0, cpuMs()];
  const ended = new Promise<void>((resolve) => {
    const note = () => {
      const now = cpuMs();
      totalMs += now - before;
      longestMs = Math.max(longestMs, now - before);
      before = now;
      if (isOver) resolve();
      else setImmediate(note);
    };
    setImmediate(note);
  });
  try {
    await work();
  } finally {
    isOver = true;
    await ended;
  }
  return { totalMs, longestMs };
}
