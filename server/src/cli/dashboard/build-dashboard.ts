import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { writeFailure } from '@petstore-inventory/shared/terminal/write-failure';
import { releaseFile } from '../../process/release-files.ts';

/** The workspace of the dashboard. */
const WEB = releaseFile('../web');
const SOURCES = [
  ...['src', 'public', 'build', 'index.html', 'vite.config.ts', 'package.json'],
  // The guides and the reference are pages too.
  ...['../docs', '../client/README.md', '../SECURITY.md', '../openapi.json', '../admin-openapi.json'],
  '../shared/src',
];
const BUILD = 'dist';
/** How the folder of each build begins, and how `mkdtemp` and `replaceFolder` end it. */
const OWN = `${BUILD}-`;
const OWN_FOLDER = /^dist-\w{6}(?:-old)?$/;
const INDEX = `${BUILD}/index.html`;
/** A build takes seconds; a small or busy machine gets several times as long before the service starts without pages. */
const TIMEOUT_MS = 120_000;
/** No build works in a folder of this age. */
const ABANDONED_MS = 10 * TIMEOUT_MS;
const MAX_SHOWN = 500;
/** The number of processes that may replace the folder at the same time. */
const ATTEMPTS = 20;

/** Whether the dashboard has sources that are newer than the begin of its build. A release has the build and no sources. */
export function isBuildDue(web = WEB): boolean {
  if (!existsSync(join(web, 'src'))) return false;
  const index = join(web, INDEX);
  if (!existsSync(index)) return true;
  const begunAtMs = statSync(index).mtimeMs;
  return SOURCES.some((name) => newestMs(join(web, name)) > begunAtMs);
}

/**
 * Builds the dashboard with the Vite that is installed. Two processes may build at the same time: each writes a folder of
 * its own, which replaces the build when it is complete.
 * @returns A sentence why it could not; the service runs without.
 */
export async function buildDashboard(web = WEB, timeoutMs = TIMEOUT_MS): Promise<string | undefined> {
  const vite = findVite(web);
  if (vite === undefined)
    return 'The dashboard is not built, because Vite is not installed: run npm ci --include=dev.';
  let folder: string;
  try {
    folder = mkdtempSync(join(web, OWN));
  } catch (error) {
    return `The dashboard is not built: ${writeFailure(join(web, INDEX), error)}`;
  }
  // By the clock of the file system.
  const begunAtMs = statSync(folder).mtimeMs;
  removeAbandoned(web, begunAtMs);
  try {
    const failure = await runVite(vite, { web, folder, timeoutMs });
    if (failure !== undefined) {
      return `The dashboard is not built: npm run build --workspace web failed (${failure}).`;
    }
    // A source that is edited meanwhile may be in it as it was before.
    utimesSync(join(folder, 'index.html'), begunAtMs / 1_000, begunAtMs / 1_000);
    replaceFolder(folder, join(web, BUILD));
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Removes the folders of builds that a signal ended. */
function removeAbandoned(web: string, nowMs: number): void {
  for (const name of readdirSync(web)) {
    if (!OWN_FOLDER.test(name)) continue;
    const folder = join(web, name);
    const stats = statSync(folder, { throwIfNoEntry: false });
    if (stats && stats.mtimeMs < nowMs - ABANDONED_MS) rmSync(folder, { recursive: true, force: true });
  }
}

/** When a file, or anything in a folder, was last changed. A folder changes when a file is removed. */
function newestMs(path: string): number {
  if (!existsSync(path)) return 0;
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  const times = readdirSync(path).map((name) => newestMs(join(path, name)));
  return Math.max(stats.mtimeMs, ...times);
}

function findVite(web: string): string | undefined {
  try {
    const manifest = createRequire(join(web, 'package.json')).resolve('vite/package.json');
    return join(dirname(manifest), 'bin/vite.js');
  } catch {
    return undefined;
  }
}

interface Run {
  readonly web: string;
  /** Where to write. */
  readonly folder: string;
  readonly timeoutMs: number;
}

function runVite(vite: string, { web, folder, timeoutMs }: Run): Promise<string | undefined> {
  return new Promise((resolve) => {
    const words = [vite, 'build', '--logLevel', 'error', '--outDir', folder, '--emptyOutDir'];
    const child = spawn(process.execPath, words, { cwd: web, stdio: ['ignore', 'ignore', 'pipe'] });
    const stop = () => child.kill('SIGKILL');
    process.once('exit', stop);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      stop();
    }, timeoutMs);
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-MAX_SHOWN);
    });
    const settle = (failure: string | undefined) => {
      clearTimeout(timer);
      process.off('exit', stop);
      resolve(failure);
    };
    child.once('error', ({ message }) => settle(message));
    child.once('close', (code) => {
      if (isLate) settle(`it took more than ${timeoutMs / 1_000} seconds`);
      else settle(code === 0 ? undefined : output.trim() || `exit code ${code}`);
    });
  });
}

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
