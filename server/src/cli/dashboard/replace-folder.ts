import { existsSync, renameSync, rmSync } from 'node:fs';

/** The number of processes that may replace the folder at the same time. */
const ATTEMPTS = 20;

/** Puts a complete folder in the place of another one. Of several processes that do so, the last one wins. */
export function replaceFolder(complete: string, place: string): void {
  const old = `${complete}-old`;
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (existsSync(place)) renameSync(place, old);
      renameSync(complete, place);
      break;
    } catch (error) {
      // Another process moved the folder away first, or put its own there.
      if (attempt === ATTEMPTS) throw error;
    } finally {
      rmSync(old, { recursive: true, force: true });
    }
  }
}
