import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 100;
const DEADLINE_MS = 900_000;

/** Runs work in one process of this machine at a time. */
export async function underLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  const file = join(tmpdir(), `petstore-${name}.lock`);
  const deadline = Date.now() + DEADLINE_MS;
  while (!isTaken(file)) {
    if (Date.now() > deadline) throw new Error(`${file} was not released; delete it if no test runs.`);
    await delay(POLL_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function isTaken(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (!isOwnerAlive(file)) rmSync(file, { force: true });
    return false;
  }
}

/** A process that was killed leaves its lock. */
function isOwnerAlive(file: string): boolean {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    // Its owner has not written its id yet.
    return pid === 0 || process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
