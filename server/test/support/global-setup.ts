import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { OrphanWatch } from '../postgres/support/orphan-watch.ts';
import { shareWithChildren } from '../postgres/support/shared-postgres.ts';
import { bundleService } from './bundle/service-bundle.ts';
import { BUNDLE_VARIABLE } from './bundle/service-program.ts';

/** A file system in memory that Linux has. */
const MEMORY = '/dev/shm';
/** What the tests of a run hold at the same time is less than a quarter of it. */
const MIN_FREE_BYTES = 4 * 2 ** 30;

const closing: (() => unknown)[] = [];

/**
 * `node --test` calls this before a run. Temporary files are in memory if it has room: a database there still calls
 * fsync, but does not wait for a disk. All test files share one PostgreSQL, except those that break theirs, and a bundle
 * of the service.
 */
export async function globalSetup(): Promise<void> {
  await useMemory();
  process.env[BUNDLE_VARIABLE] = await bundleService();
  await shareWithChildren({ after: (close) => void closing.push(close as () => unknown) });
}

export async function globalTeardown(): Promise<void> {
  for (const close of closing.toReversed()) await close();
}

async function useMemory(): Promise<void> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  if (process.env.TMPDIR !== undefined || bavail * bsize < MIN_FREE_BYTES) return;
  const folder = await mkdtemp(join(MEMORY, 'petstore-tests-'));
  // PostgreSQL does not run as root, and must reach its data.
  await chmod(folder, 0o755);
  // A run that is interrupted would leave its files in memory.
  const watch = new OrphanWatch(folder, 'TERM');
  closing.push(async () => {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    watch.release();
  });
  process.env.TMPDIR = folder;
}
