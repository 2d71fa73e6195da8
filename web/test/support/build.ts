import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildDashboard, isBuildDue } from '../../../server/src/cli/dashboard/build-dashboard.ts';
import { underLock } from './under-lock.ts';

const WEB = fileURLToPath(new URL('../../', import.meta.url));
/** Other tests use the processor too. */
const TIMEOUT_MS = 600_000;

let built: Promise<string> | undefined;

/** The folder of the built dashboard; builds it if a source is newer. */
export function builtDashboard(): Promise<string> {
  built ??= underLock('dashboard-build', async () => {
    const failure = isBuildDue(WEB) ? await buildDashboard(WEB, TIMEOUT_MS) : undefined;
    if (failure !== undefined) throw new Error(failure);
    return join(WEB, 'dist');
  });
  return built;
}
