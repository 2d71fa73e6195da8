import { constants } from 'node:os';

/** What ends a process that does nothing about them; not SIGKILL, which ends any. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Lets signals end the first process of a container, where nothing else handles them. The system takes no default action for that process: one
 * during the start would be lost, and a command that has cleaned up would wait for ever for the signal that it sends itself.
 * @param isFirst Another value for tests.
 */
export function endBySignals(isFirst = process.pid === 1): void {
  if (!isFirst) return;
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      // As a shell reports it. Another handler ends the process when it has cleaned up.
      if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
    });
  }
}
