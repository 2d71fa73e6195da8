import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/** Above that of the service: a third of the processor time of another thread, where both want all of it. */
const NICENESS = 5;

/**
 * Lets the other threads of the machine go first while processors are short. Only Linux has priorities of threads: elsewhere
 * this does nothing.
 */
export function giveWay(): void {
  if (process.platform !== 'linux') return;
  try {
    // The link has process and thread, such as 4711/task/4712.
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    if (Number.isSafeInteger(thread))
      setPriority(thread, Math.min(getPriority() + NICENESS, constants.priority.PRIORITY_LOW));
  } catch {
    // Without /proc, or where the priority is already lower.
  }
}
