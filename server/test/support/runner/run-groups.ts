import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
// The environment variables of both apply to all processes and threads of the tests.
import '../compile-cache.ts';
import './skewed-clock.js';
import { OrphanWatch } from '../../postgres/support/orphan-watch.ts';
import reportFailures from '../reporters/failures.ts';

const GROUP = new URL('./group.ts', import.meta.url).href;
/** More than cores, because some tests wait. The long groups start together. */
const CONCURRENCY = 10;
/** A test allocates much that is soon garbage; with the default, the collector takes 5 % more of the CPU time. */
const V8_OPTIONS = ['--min-semi-space-size=32', '--max-semi-space-size=64'];
const FOLLOWED_PROMISES = `--import=${new URL('./followed-promises.ts', import.meta.url).href}`;
/** Code of the dashboard asks whether the browser has a storage, of which Node warns. */
const QUIET = '--disable-warning=ExperimentalWarning';
const TEST_TIMEOUT_MS = 600_000;
/** So many of the slowest files are named, of a run with more. */
const SLOWEST = 10;

export interface GroupsOptions {
  /** The folder of the files. */
  readonly folder: string;
  /** Module with the global setup of the run. */
  readonly globalSetup?: string;
}

/**
 * Runs each group of test files in one process, because a process needs half a second only to load the service. Resolves
 * with whether all tests passed and each file ran.
 */
export async function runGroups(
  groups: readonly (readonly string[])[],
  { folder, globalSetup }: GroupsOptions,
): Promise<boolean> {
  const modules = await mkdtemp(join(tmpdir(), 'petstore-groups-'));
  // A run that is interrupted would leave them.
  const watch = new OrphanWatch(modules, 'TERM');
  try {
    const files = await Promise.all(
      groups.map(async (group, i) => {
        const path = join(modules, `group-${i}.mjs`);
        const code = `import { runGroup } from '${GROUP}';\nrunGroup(${JSON.stringify(folder)}, ${JSON.stringify(group)});\n`;
        await writeFile(path, code);
        return path;
      }),
    );
    const events = run({
      files,
      concurrency: CONCURRENCY,
      execArgv: [...V8_OPTIONS, QUIET, FOLLOWED_PROMISES],
      timeout: TEST_TIMEOUT_MS,
      ...(globalSetup !== undefined && { globalSetupPath: globalSetup }),
    });
    return await reported(events, groups);
  } finally {
    await rm(modules, { recursive: true });
    watch.release();
  }
}

/** Prints failures, counts and the slowest files. Each file must have a result and a test: a process can end before it, or load it twice. */
async function reported(
  events: AsyncIterable<TestEvent>,
  groups: readonly (readonly string[])[],
): Promise<boolean> {
  const secondsOf = new Map<string, number>();
  let isSuccess = false;
  let tests = 0;
  async function* observed(): AsyncGenerator<TestEvent> {
    for await (const event of events) {
      const { type, data } = event;
      if (type === 'test:pass' || type === 'test:fail') {
        // Results of a file are reported before its suite, and not between those of another one.
        if (data.nesting > 0) tests += 1;
        else if (type === 'test:fail' || tests > 0)
          secondsOf.set(data.name, data.details.duration_ms / 1_000);
        if (data.nesting === 0) tests = 0;
      } else if (type === 'test:summary' && data.file === undefined) isSuccess = data.success;
      yield event;
    }
  }
  for await (const text of reportFailures(observed())) process.stdout.write(text);
  process.stdout.write(slowest(secondsOf));
  for (const group of groups) {
    const missing = group.filter((file) => !secondsOf.has(file));
    if (missing.length === 0) continue;
    isSuccess = false;
    process.stdout.write(
      `✖ No result of ${missing.join(', ')}: without tests, or their process ended early.\n`,
    );
  }
  return isSuccess;
}

function slowest(secondsOf: ReadonlyMap<string, number>): string {
  if (secondsOf.size <= SLOWEST) return '';
  const named = [...secondsOf].toSorted(([, a], [, b]) => b - a).slice(0, SLOWEST);
  const lines = named.map(([file, seconds]) => `${seconds.toFixed(1).padStart(6)} s  ${file}\n`);
  return `slowest files:\n${lines.join('')}`;
}
