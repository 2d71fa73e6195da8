/**
 * Resolves after this thread has read what its sockets have received. Time limits come first in a turn of the event loop: after
 * a process was stopped, or did not get the processor, they end although the bytes have been there in time.
 */
export function afterReading(): Promise<void> {
  // Node reads sockets before immediate callbacks, Bun between two timers.
  return new Promise((resolve) => setTimeout(() => setImmediate(resolve), 1));
}
