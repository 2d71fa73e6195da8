import { execFile } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { underLock } from './under-lock.ts';

const WEB = fileURLToPath(new URL('../../../../web/', import.meta.url));
const VITE = fileURLToPath(new URL('../../../../node_modules/vite/bin/vite.js', import.meta.url));
const SOURCES = ['src/**/*.*', 'build/*.*', 'public/*.*', '*.html', '*.json', 'vite.config.ts'];

let built: Promise<string> | undefined;

/** The folder of the built dashboard; builds it if a source is newer. */
export function builtDashboard(): Promise<string> {
  built ??= underLock('dashboard-build', async () => {
    if (isStale()) await promisify(execFile)(process.execPath, [VITE, 'build'], { cwd: WEB });
    return join(WEB, 'dist');
  });
  return built;
}

function isStale(): boolean {
  const index = statSync(join(WEB, 'dist/index.html'), { throwIfNoEntry: false });
  if (!index) return true;
  return globSync(SOURCES, { cwd: WEB }).some((file) => statSync(join(WEB, file)).mtimeMs > index.mtimeMs);
}
