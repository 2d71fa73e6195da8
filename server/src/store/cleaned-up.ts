const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs work, and cleans up after it, also after an error, or a signal, which then ends the process.
 * @param cleanUp Is called again if a signal comes while it runs.
 */
export async function cleanedUp<T>(work: () => Promise<T>, cleanUp: () => void | Promise<void>): Promise<T> {
  let ending: Promise<never> | undefined;
  const endBy = async (signal: NodeJS.Signals): Promise<never> => {
    await cleanUp();
    unlisten();
    process.kill(process.pid, signal);
    return new Promise(() => {});
  };
  const onSignal = (signal: NodeJS.Signals) => {
    ending ??= endBy(signal);
  };
  const unlisten = () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    return await work();
  } finally {
    // Otherwise the error of interrupted work would be reported as the end of the process.
    await ending;
    await cleanUp();
    unlisten();
  }
}
